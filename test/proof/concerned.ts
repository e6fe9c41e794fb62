/**
 * The faults that some check is proven by, which are tested with it alone, and those that are tested with every check, to see
 * that nothing else is reported: all at `standard`, the first in CI. What proves no check is a variation of what does, and may
 * be found by a check that is about something else.
 */
export function faultsToFind(
  all: readonly string[],
  provenBy: Readonly<Record<string, string>>,
  intensity: 'quick' | 'standard',
): { readonly alone: readonly string[]; readonly amongAll: readonly string[] } {
  const proofs = new Set(Object.values(provenBy));
  const alone = all.filter((name) => proofs.has(name));
  return { alone, amongAll: intensity === 'standard' ? all : alone.slice(0, 1) };
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
