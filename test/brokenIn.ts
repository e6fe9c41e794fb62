/** The requirements that a run has found broken, by its summary or by its report. */
export function brokenIn(run: {
  readonly requirements: readonly { readonly id: string; readonly outcome: string }[];
}): readonly string[] {
  return run.requirements.filter(({ outcome }) => outcome === 'broken').map(({ id }) => id);
}
