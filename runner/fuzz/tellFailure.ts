import type { FuzzFailed } from '../../reports/model/events.ts';
import type { SavedStep } from '../engine/savedCase.ts';
import type { Failures, RawFailure, Settling, Shrunk } from './failures.ts';
import { fuzzCheckId } from './fuzzChecks.ts';
import type { FuzzFound, FuzzTarget } from './fuzzTarget.ts';
import { kindsOf, type Program } from './gene.ts';

/**
 * Puts a failure into words, and keeps it.
 *
 * @param settling - `isNoise`: whether it recurs no more often than the target's own noise
 * @returns nothing where it is known, or shows nothing but that the target was lost
 */
export function tellFailure<F extends FuzzFound>(
  target: FuzzTarget<F>,
  failures: Failures,
  raw: RawFailure<F>,
  { program, beside = [], cut = false, finding: seen, confirmed: { failed, tries, finding = seen } }: Shrunk<F>,
  { requirementOf, isNoise = false }: Pick<Settling<F>, 'requirementOf'> & { readonly isNoise?: boolean },
): Omit<FuzzFailed, 'ms' | 'type'> | undefined {
  const isLost = target.endedBy !== undefined && target.endedBy.lost !== false && !target.interrupted;
  // A target that answers nothing any more broke nothing by that which a sequence is to blame for.
  if (isLost && raw.unanswered) return undefined;
  const cameAgain = failed > 0 || raw.recurred || program !== raw.program;
  const requirement = requirementOf(finding) ?? raw.requirement;
  const mayBeChance = finding.absence || (isLost && finding.cause !== 'died');
  const outcome = mayBeChance && (isNoise || (tries === 0 ? !cameAgain : failed === 0)) ? 'flaky' : 'failed';
  const sort = { requirement, cause: finding.cause, kinds: kindsOf(program) };
  if (outcome === 'failed' ? failures.isKnown(sort) : failures.isFlaky(sort)) return undefined;
  const rate = tries === 0 && cameAgain ? { failed: 1, tries: 1 } : { failed, tries };
  const sequence = savedSteps(target, program);
  const counterexample = target.tell({
    check: checkOf(target, requirement),
    number: failures.numberOf(requirement),
    finding: rate.tries > 0 && rate.failed === 0 && outcome === 'failed' ? seenOnce(finding) : finding,
    sequence,
    beside: beside.map((other) => savedSteps(target, other)),
    rate,
    index: raw.index,
  });
  failures.add({ ...sort, outcome, rate, counterexample });
  return {
    check: fuzzCheckId(target.model.subject, requirement),
    cause: finding.cause,
    steps: sequence.map(({ words }) => words),
    found: raw.program.steps.length,
    ...(cut && { cut }),
    at: raw.at,
    ...(beside.length > 0 && { beside: beside.length }),
    rate,
    outcome,
    counterexample,
  };
}

/** A fact that was seen, though it did not come again. */
function seenOnce<F extends FuzzFound>(finding: F): F {
  return { ...finding, actual: `${finding.actual} (seen once, while other sequences were played, too)` };
}

function savedSteps<F extends FuzzFound>({ model }: FuzzTarget<F>, { steps }: Program): readonly SavedStep[] {
  const all = steps.map(({ step }) => step);
  return steps.map(({ step, gene: { seed, path } }, at) => {
    return { words: model.describe(step, all.slice(0, at)), step, seed, path };
  });
}

function checkOf<F extends FuzzFound>({ model, contract }: FuzzTarget<F>, requirement: string) {
  return { id: fuzzCheckId(model.subject, requirement), title: contract.requirement(requirement).statement };
}
