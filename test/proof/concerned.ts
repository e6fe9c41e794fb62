/** The faults that are tested with every check, to see that nothing else is reported: all at `standard`, the first in CI. */
export function withEveryCheck(names: readonly string[], intensity: 'quick' | 'standard'): readonly string[] {
  return intensity === 'standard' ? names : names.slice(0, 1);
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
