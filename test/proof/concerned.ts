/** Of so many faults, one is tested with every check in CI; the others against those that they prove. */
const wholeEvery = 20;

/**
 * The checks that a fault is tested with: all of them at `standard`, and in CI for every twentieth fault, to see that
 * nothing else is reported; for the others those that it proves, and where none of them is about the fault's main point
 * those that are.
 *
 * @param at - the place of the fault among those that are proven
 */
export function concerned<Check extends { readonly id: string; readonly requirements: readonly string[] }>(
  checks: readonly Check[],
  fault: { readonly breaks: readonly string[]; readonly proven: readonly string[] },
  at: number,
  intensity: 'quick' | 'standard',
): readonly Check[] {
  if (intensity === 'standard' || at % wholeEvery === 0) return checks;
  const { breaks, proven } = fault;
  const own = checks.filter(({ id }) => proven.includes(id));
  if (own.some(({ requirements }) => requirements[0] === breaks[0])) return own;
  return checks.filter(({ id, requirements }) => proven.includes(id) || requirements[0] === breaks[0]);
}
