import { caseSource, shrunkCases, type Drawable, type GeneratedCase } from './cases.ts';
import type { SavedCase } from './savedCase.ts';

/**
 * A saved case as it was: drawn from the same, and shrunk by the same steps.
 *
 * @returns nothing where this version of the kit draws other cases
 */
export function caseAgain<Source>(
  check: Drawable<Source>,
  draw: Source,
  { seed, path, intensity }: SavedCase,
): GeneratedCase | undefined {
  const [index = 0, ...steps] = path.split(':').map(Number);
  const source = caseSource(check, draw, seed, intensity);
  if (source.count === 0) return undefined;
  return steps.reduce<GeneratedCase | undefined>(
    (generated, step) => generated && shrunkCases(generated).drop(step).next().value,
    source.at(index),
  );
}
