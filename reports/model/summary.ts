import type {
  ProbeFailed,
  CheckFinished,
  CheckOutcome,
  KitErrored,
  ReportedCheck,
  RunEvent,
  RunStarted,
  TargetKind,
} from './events.ts';
import { expectationResults } from './expectations.ts';
import { brokenBy, standing } from './requirementOutcome.ts';
import { secondOpinion } from './secondOpinion.ts';
import { failuresOf, searchResult } from './search.ts';
import { type Seen, nothingSeen, record } from './seen.ts';
import { targetWords } from '../text/verdictWords.ts';
import { unexplainedDeaths } from './exitCode.ts';
import { verdict } from './verdict.ts';
import type { RunSummary, Counts, CheckResult } from './runSummary.ts';

/** Takes the events of one run, in order, and has its summary at any moment. Adds deliveries up, and keeps none. */
export interface SummaryBuilder {
  add(event: RunEvent): void;
  /** @throws Error before `run.started` */
  summary(): RunSummary;
}

/** The summary of a whole run. @throws Error where no event is `run.started` */
export function summarise(events: Iterable<RunEvent>): RunSummary {
  const builder = createSummary();
  for (const event of events) builder.add(event);
  return builder.summary();
}

/** A summary that grows with the run. */
export function createSummary(): SummaryBuilder {
  const seen = nothingSeen();
  return {
    add: (event) => record(seen, event),
    summary() {
      if (seen.started === undefined) {
        throw new Error(
          'There is no summary before the event run.started: add the events of a run from its first one on.',
        );
      }
      return summaryOf(seen, seen.started);
    },
  };
}

function summaryOf(seen: Seen, started: RunStarted): RunSummary {
  const { finished, control, lost } = seen;
  const opinion = secondOpinion(seen.opinions);
  const search = searchResult(seen);
  const { strict } = started.run;
  const checks = started.checks.map((check) => resultOf(check, seen, started.target.kind));
  const requirements = started.requirements.map((requirement) => standing(requirement, checks, started.leftOut));
  const probeFailed = search ? seen.probeFailed : leftOpen(seen, checks);
  const died = unexplainedDeaths({ deaths: seen.deaths, checks, ...(search && { search }) }).length > 0;
  const complete = finished?.complete === true && !died;
  return {
    kit: started.kit,
    contract: started.contract,
    target: started.target,
    run: runOf(seen, started),
    command: started.command,
    verdict: verdict({ requirements, checks }, { strict, complete, search: search !== undefined }),
    summary: countsOf(checks, seen, started),
    requirements,
    checks,
    assumptions: started.assumptions,
    observations: [...seen.observations.values()],
    learned: [...seen.learned.values()],
    ...(search && { search }),
    ...(opinion && { secondOpinion: opinion }),
    leftOver: [...seen.leftOver],
    deaths: seen.deaths,
    ...(seen.said && { said: seen.said }),
    wire: seen.wire.figures(),
    pending: finished === undefined ? [...seen.running].filter((id) => !seen.results.has(id)) : [],
    ...(started.expectations && { expectations: expectationResults(started, requirements, checks) }),
    ...(started.leftOut && { leftOut: started.leftOut }),
    interrupted: finished?.interrupted === true,
    ended: finished !== undefined,
    ...(control && { control }),
    ...(lost && { lost }),
    ...(probeFailed && { probeFailed }),
    errors: [...seen.errors, ...contradictions(seen, started)],
  };
}

/** The failure of the probe, unless what it left open was shown later: it counted nothing from the beginning, or a check is open. */
function leftOpen({ probeFailed, control }: Seen, checks: readonly CheckResult[]): ProbeFailed | undefined {
  if (probeFailed === undefined || checks.some(({ outcome }) => outcome === 'inconclusive')) return probeFailed;
  return control === undefined || probeFailed.ms <= control.ms ? probeFailed : undefined;
}

function runOf({ finished, ms }: Seen, { run, at }: RunStarted): RunSummary['run'] {
  return {
    ...run,
    startedAt: at,
    durationMs: finished?.durationMs ?? ms,
    complete: finished?.complete === true,
    ...(finished?.outOfTime && { outOfTime: true }),
  };
}

function resultOf(check: ReportedCheck, seen: Seen, kind: TargetKind): CheckResult {
  const finished = seen.results.get(check.id);
  if (finished === undefined) return unfinished(check, seen, kind);
  const { outcome, cases, planned, untriedKinds, durationMs, reason, unconfirmed, unanswered, counterexample, shown } =
    finished;
  return {
    ...check,
    outcome,
    cases,
    ...(planned !== undefined && { planned }),
    ...(untriedKinds !== undefined && { untriedKinds }),
    durationMs,
    ...(reason !== undefined && { reason }),
    ...(unconfirmed && { unconfirmed }),
    ...(unanswered && { unanswered }),
    ...(counterexample && { counterexample }),
    ...(shown && { shown }),
  };
}

function unfinished(check: ReportedCheck, seen: Seen, kind: TargetKind): CheckResult {
  const end = endOf(seen, kind);
  const [failure] = failuresOf(check.id, searchResult(seen));
  if (failure !== undefined) {
    const { counterexample } = failure;
    return { ...check, outcome: check.level === 'must' ? 'failed' : 'warned', cases: 0, durationMs: 0, counterexample };
  }
  const began = seen.running.has(check.id);
  return {
    ...check,
    outcome: began ? 'inconclusive' : 'not-observable',
    cases: 0,
    durationMs: 0,
    reason: began ? `${end} before this check had ended` : `${end} before this check began`,
  };
}

function endOf(seen: Seen, kind: TargetKind): string {
  if (seen.finished?.interrupted === true) return 'the run was interrupted';
  if (seen.control?.accepted === false && seen.control.instead === undefined)
    return `${targetWords[kind].noControl}, and the run ended`;
  // Before the plain request that a run begins with was through, nothing is known of the target.
  return seen.lost === undefined || seen.control === undefined ? 'the run ended' : 'the target was lost';
}

function countsOf(
  checks: readonly CheckResult[],
  { figures, deliveries, calls }: Seen,
  { target, run }: RunStarted,
): Counts {
  return {
    ...checkCounts(checks),
    deliveries: deliveries + (figures?.deliveries ?? 0),
    ...(target.kind === 'service' && run.caughtOnly !== true && { calls: calls + (figures?.calls ?? 0) }),
  };
}

/** What the events say of checks and requirements that `run.started` did not announce: a fault of the kit, never lost. */
function contradictions(seen: Seen, started: RunStarted): readonly KitErrored[] {
  const checks = new Map(started.checks.map((check) => [check.id, check]));
  const requirements = new Set(started.requirements.map(({ id }) => id));
  return [...seen.results.values()].flatMap((result) => {
    const check = checks.get(result.check);
    if (check === undefined) return [contradiction(result, `the check ${result.check} finished as ${result.outcome}`)];
    const unknown = brokenBy({ ...result, requirements: check.requirements }).filter((id) => !requirements.has(id));
    return unknown.map((id) => contradiction(result, `${result.check} finds the requirement ${id} broken`));
  });
}

function contradiction({ ms }: CheckFinished, what: string): KitErrored {
  return { type: 'kit.errored', ms, where: 'summary', message: `${what}, but run.started did not announce it` };
}

/** How many checks ended in which way. */
export function checkCounts(checks: readonly Pick<CheckResult, 'outcome'>[]): Omit<Counts, 'deliveries' | 'calls'> {
  const count = (outcome: CheckOutcome): number => checks.filter((check) => check.outcome === outcome).length;
  return {
    passed: count('passed'),
    failed: count('failed'),
    warned: count('warned'),
    notObservable: count('not-observable'),
    inconclusive: count('inconclusive'),
    errored: count('errored'),
  };
}
