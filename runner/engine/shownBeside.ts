import type { GeneratedCase } from './cases.ts';
import type { Found } from './failure.ts';
import type { Trial } from './trial.ts';

/**
 * The requirements that a check shows to hold although it failed over others. They hold by the same rule as where a check
 * passes: all that was planned was tried, every kind of its cases has one that passed as a whole, none is left undecided,
 * and no case's finding names them.
 *
 * @param check - its requirements, and how many cases it was to try
 */
export function shownBeside<F extends Found>(
  { requirements, planned }: { readonly requirements: readonly string[]; readonly planned: number },
  tried: readonly { readonly case: Pick<GeneratedCase, 'arbitrary'>; readonly trial: Trial<F> }[],
): readonly string[] {
  const kinds = [...Map.groupBy(tried, (one) => one.case.arbitrary).values()];
  const isWhole = tried.length === planned && kinds.every((kind) => kind.some(({ trial }) => trial.kind === 'held'));
  const isOpen = tried.some(({ trial }) => trial.kind !== 'held' && trial.kind !== 'broken');
  if (!isWhole || isOpen) return [];
  const named = new Set(tried.flatMap(({ trial }) => (trial.kind === 'broken' ? trial.finding.requirements : [])));
  return requirements.filter((id) => !named.has(id));
}
