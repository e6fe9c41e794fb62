/** Of so many faults, one is tested with every check in CI. */
const wholeEvery = 20;

/** The faults that are tested with every check, to see that nothing else is reported: all at `standard`, a few in CI. */
export function withEveryCheck(names: readonly string[], intensity: 'quick' | 'standard'): readonly string[] {
  return intensity === 'standard' ? names : names.filter((_, at) => at % wholeEvery === 0);
}

/** The checks that prove a fault: those that it proves, and where none of them is about its main point those that are. */
export function concerned<Check extends { readonly id: string; readonly requirements: readonly string[] }>(
  checks: readonly Check[],
  { breaks, proven }: { readonly breaks: readonly string[]; readonly proven: readonly string[] },
): readonly Check[] {
  const own = checks.filter(({ id }) => proven.includes(id));
  if (own.some(({ requirements }) => requirements[0] === breaks[0])) return own;
  return checks.filter(({ id, requirements }) => proven.includes(id) || requirements[0] === breaks[0]);
}
