import { strictest } from '../checkEnd.ts';
import type { FuzzFound, FuzzTarget } from './fuzzTarget.ts';
import type { RawFailure, Settling } from './settleFailure.ts';

/** From the weakest on. */
const levels = ['may', 'should', 'must'] as const;

/**
 * Tells whether a finding shows the same sort of mistake as a failure. Which requirement it breaks may become clearer the
 * less there is beside it, but it has to be one that is looked for, and no weaker one: a sequence that breaks a MUST
 * often breaks a SHOULD as well, and the smallest that breaks the SHOULD would say nothing of the MUST.
 */
export function likenessTo<F extends FuzzFound>(
  { contract }: Pick<FuzzTarget<F>, 'contract'>,
  { finding, requirement }: Pick<RawFailure<F>, 'finding' | 'requirement'>,
  requirementOf: Settling<F>['requirementOf'],
): (other: F) => boolean {
  const levelOf = (id: string): number => levels.indexOf(strictest(contract, [id]));
  return (other) => {
    if (other.cause !== finding.cause || other.absence !== finding.absence) return false;
    const broken = requirementOf(other);
    return broken !== undefined && levelOf(broken) >= levelOf(requirement);
  };
}
