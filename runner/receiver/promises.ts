import type { SignatureScheme } from '../../spec/signature.ts';
import type { Need } from '../../suites/check.ts';

/** The first need of a check that only a contract can meet, and this one does not: then there is nothing to test. */
export function unpromisedNeed(needs: readonly Need[], scheme: SignatureScheme): 'tolerance' | 'several' | undefined {
  return (['tolerance', 'several'] as const).find((need) => needs.includes(need) && scheme[need] === undefined);
}
