import type { CheckFinished, CheckOutcome, Expectation } from '../../reports/model/events.ts';
import { expectationsOf } from '../../reports/model/expectations.ts';
import type { Contract } from '../../spec/contract.ts';
import type { Level } from '../../spec/requirement.ts';
import type { Property } from './property.ts';
import type { PropertyResult } from './propertyRun.ts';
import type { RunEnd, UntimedEvent } from './eventStream.ts';
import { untriedText } from './ending.ts';
import type { Counterexample } from '../../reports/model/exchange.ts';
import type { Failure, Found, Trial } from './trial.ts';
import type { GeneratedCase } from './cases.ts';
import { messageOf } from '../../spec/messageOf.ts';

/** The run that a check is part of. */
interface Ending {
  readonly plan: {
    readonly contract: Contract;
    readonly bail: boolean;
    readonly expectations?: readonly Expectation[];
    readonly timeLimit?: number;
  };
  elapsed(): number;
  emit(event: UntimedEvent): void;
  end(end: RunEnd): void;
  readonly endedBy: RunEnd | undefined;
}

/** Says how a check ended, once its cases are settled. */
export function endCheck<F extends Found>(
  context: Ending,
  check: { readonly id: string; readonly requirements: readonly string[] },
  property: Pick<Property<F>, 'began' | 'result'>,
  tell: (failure: Failure<F>) => Counterexample,
): void {
  const { result } = property;
  const { endedBy } = context;
  const settled = !result.ended || endedBy?.cause !== undefined;
  const now = context.elapsed();
  const outcome = outcomeOf(result, settled, levelOf(context, check, result));
  const finished = {
    type: 'check.finished' as const,
    check: check.id,
    outcome,
    cases: result.cases,
    ...cutShortOf(result),
    durationMs: Math.round(now - (property.began ?? now)),
    ...reasonOf(result, outcome, endReason(context, result)),
    ...(outcome !== 'passed' && unconfirmedOf(result)),
    ...(result.unusable && isUndecided(outcome) && { unanswered: true as const }),
    ...(result.failure && { counterexample: tell(result.failure), ...shownOf(check, result) }),
  };
  context.emit(finished);
  if (result.error !== undefined) emitError(context, check.id, result.error);
  if (context.plan.bail && isUnexpected({ ...check, ...finished }, context.plan.expectations))
    context.end({ reason: 'the run stopped at the first failure (--bail)', lost: false });
}

/** What was seen broken, or spoken against, and could be neither confirmed nor ruled out. */
function unconfirmedOf<F extends Found>({
  unconfirmed,
  tried,
}: PropertyResult<F>): { readonly unconfirmed?: readonly string[] } {
  const doubts = tried.flatMap(({ trial }) => (trial.kind === 'unproven' ? (trial.doubts ?? []) : []));
  const ids = [...new Set([...(unconfirmed?.requirements ?? []), ...doubts])];
  return ids.length > 0 ? { unconfirmed: ids } : {};
}

/** What a check that failed shows to hold all the same. */
function shownOf<F extends Found>(
  { requirements }: { readonly requirements: readonly string[] },
  { planned, tried }: PropertyResult<F>,
): { readonly shown?: readonly string[] } {
  const shown = shownBeside({ requirements, planned }, tried);
  return shown.length > 0 ? { shown } : {};
}

/** Whether a check's end is the failure that `--bail` waits for: what is known to fail is not. */
function isUnexpected(check: Parameters<typeof expectationsOf>[0], known: readonly Expectation[] = []): boolean {
  const expectations = known.map((entry) => ({ ...entry, outcome: 'fails' as const }));
  if (check.outcome !== 'failed') return check.outcome === 'errored';
  return expectationsOf(check, { expectations }).length === 0;
}

/** Ends a check that cannot be observed, before it tried anything. */
export function refuseCheck(context: Pick<Ending, 'emit'>, check: string, reason: string): void {
  context.emit({ type: 'check.started', check });
  const finished: Omit<CheckFinished, 'ms'> = {
    type: 'check.finished',
    check,
    outcome: 'not-observable',
    cases: 0,
    durationMs: 0,
    reason,
  };
  context.emit(finished);
}

type Result = PropertyResult<Found>;

/** @param settled - whether what was tried stands although the run may have ended */
function outcomeOf(result: Result, settled: boolean, level: Level): CheckOutcome {
  if (result.error !== undefined) return 'errored';
  if (result.failure) return level === 'must' ? 'failed' : 'warned';
  const isOpen = result.unproven !== undefined || (result.cutShort?.untried ?? 0) > 0;
  if (!settled || isOpen) return 'inconclusive';
  if (result.planned === 0) return 'not-observable';
  if (result.cases === 0) return 'inconclusive';
  return result.unobservable === undefined ? 'passed' : 'not-observable';
}

function isUndecided(outcome: CheckOutcome): boolean {
  return outcome === 'inconclusive' || outcome === 'not-observable';
}

function cutShortOf({ cutShort }: Result): Pick<CheckFinished, 'planned' | 'untriedKinds'> {
  if (cutShort === undefined) return {};
  const { planned, untried } = cutShort;
  return { planned, ...(untried > 0 && { untriedKinds: untried }) };
}

/** Why not all was tried; nothing where it was. */
function endReason({ endedBy, plan: { timeLimit } }: Ending, { cutShort }: Result): string | undefined {
  const byTime = endedBy === undefined || endedBy.cause === 'time';
  if (!byTime || timeLimit === undefined || cutShort === undefined) return endedBy?.reason;
  return cutShort.untried === 0 ? endedBy?.reason : untriedText(timeLimit, cutShort.untried, cutShort.kinds);
}

/** A document may describe little: then there is no delivery, or no wrong call, of the kind that a check is about. */
const nothingToTry = 'the contract leaves nothing to try: it describes nothing of this kind, or has no room for it';

function reasonOf(result: Result, outcome: CheckOutcome, ended: string | undefined): { readonly reason?: string } {
  if (outcome === 'errored') return { reason: `a fault of the kit: ${messageOf(result.error)}` };
  if (outcome === 'not-observable') return { reason: result.unobservable ?? nothingToTry };
  if (outcome !== 'inconclusive') return {};
  return { reason: result.unproven ?? ended ?? 'no case of it came to an end' };
}

/** The level of the requirements that the finding breaks; of the check's own where nothing failed. */
function levelOf({ plan }: Ending, check: { readonly requirements: readonly string[] }, { failure }: Result): Level {
  return strictest(plan.contract, failure?.finding.requirements ?? check.requirements);
}

/** The highest level among requirements. */
export function strictest(contract: Contract, requirements: readonly string[]): Level {
  const levels = requirements.map((id) => contract.requirement(id).level);
  return levels.includes('must') ? 'must' : levels.includes('should') ? 'should' : 'may';
}

function emitError(context: Ending, where: string, error: unknown): void {
  const stack = error instanceof Error ? error.stack : undefined;
  context.emit({ type: 'kit.errored', where, message: messageOf(error), ...(stack !== undefined && { stack }) });
}

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
