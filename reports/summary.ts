import type {
  CheckFinished,
  CheckOutcome,
  ControlFinished,
  Counterexample,
  KitErrored,
  LifeChanged,
  ReportedAssumption,
  ReportedCheck,
  ReportedRequirement,
  RunEvent,
  RunStarted,
  TargetLost,
  TargetSaid,
} from './events.ts';
import { checkCounts } from './checkCounts.ts';
import type { ExpectationResult, LeftOutCheck } from './expectations.ts';
import { expectationResults } from './expectations.ts';
import type { RequirementOutcome } from './requirementOutcome.ts';
import { brokenBy } from './requirementOutcome.ts';
import type { SecondOpinion } from './secondOpinion.ts';
import { secondOpinion } from './secondOpinion.ts';
import type { SearchResult } from './search.ts';
import { failuresOf, searchResult } from './search.ts';
import type { LearnedAssumption, Observation, Seen } from './seen.ts';
import { nothingSeen, record } from './seen.ts';
import { standing } from './standing.ts';
import type { TargetKind } from './targetWords.ts';
import { targetWords } from './targetWords.ts';
import type { Verdict } from './verdict.ts';
import { verdict } from './verdict.ts';
import type { WireFigures } from './wireFigures.ts';

/** A check and how it ended. */
export interface CheckResult extends ReportedCheck {
  readonly outcome: CheckOutcome;
  readonly cases: number;
  readonly durationMs: number;
  readonly reason?: string;
  readonly counterexample?: Counterexample;
}

/** A requirement, how it stands, and the ids of the checks of this run that can show it broken. */
export interface RequirementResult extends ReportedRequirement {
  readonly outcome: RequirementOutcome;
  readonly checks: readonly string[];
}

/** The checks of a run by outcome, and what went over the wire. */
export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly warned: number;
  readonly notObservable: number;
  readonly inconclusive: number;
  readonly errored: number;
  /** Made to a receiver, or caught from a service. */
  readonly deliveries: number;
  /** Calls of a service's API; not there for a receiver. */
  readonly calls?: number;
}

/** All that any report says about a run; the exit code and every format derive from it alone. */
export interface RunSummary {
  readonly kit: RunStarted['kit'];
  readonly contract: RunStarted['contract'];
  readonly target: RunStarted['target'];
  readonly run: RunStarted['run'] & {
    readonly startedAt: string;
    readonly durationMs: number;
    readonly complete: boolean;
  };
  /** The command that repeats the run. */
  readonly command: string;
  readonly verdict: Verdict;
  readonly summary: Counts;
  readonly requirements: readonly RequirementResult[];
  readonly checks: readonly CheckResult[];
  readonly assumptions: readonly ReportedAssumption[];
  readonly observations: readonly Observation[];
  /** What fills the contract's gaps at this target, one value for each assumption: the last that was learned. */
  readonly learned: readonly LearnedAssumption[];
  /** Only where sequences were searched for (`seaworthy fuzz`). */
  readonly search?: SearchResult;
  /** Not there where nothing was judged twice. */
  readonly secondOpinion?: SecondOpinion;
  /** What the kit made at the target and could not remove. */
  readonly leftOver: readonly string[];
  /** The ends that nobody asked for, of a target whose life is in the kit's hands. */
  readonly deaths: readonly LifeChanged[];
  /** What such a target has written last; not there for any other target. */
  readonly said?: TargetSaid;
  /** What went over the wire, added up. */
  readonly wire: WireFigures;
  /** The checks that had begun and not ended when the events stopped; none where the run has an end. */
  readonly pending: readonly string[];
  /** How what is known to fail stands; not there without `--expect-failures`. */
  readonly expectations?: readonly ExpectationResult[];
  /** The checks of the suite that it was not given; not there without `--expect-failures`. */
  readonly leftOut?: readonly LeftOutCheck[];
  readonly interrupted: boolean;
  /** False where the events stop without `run.finished`: the run was killed. */
  readonly ended: boolean;
  readonly control?: ControlFinished;
  readonly lost?: TargetLost;
  /** Faults of the kit itself. */
  readonly errors: readonly KitErrored[];
}

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
  const complete = finished?.complete === true;
  const checks = started.checks.map((check) => resultOf(check, seen, started.target.kind));
  const requirements = started.requirements.map((requirement) => standing(requirement, checks));
  return {
    kit: started.kit,
    contract: started.contract,
    target: started.target,
    run: { ...started.run, startedAt: started.at, durationMs: finished?.durationMs ?? seen.ms, complete },
    command: started.command,
    verdict: verdict(requirements, { strict, complete, search: search !== undefined }),
    summary: countsOf(checks, seen, started.target.kind),
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
    errors: [...seen.errors, ...contradictions(seen, started)],
  };
}

function resultOf(check: ReportedCheck, seen: Seen, kind: TargetKind): CheckResult {
  const finished = seen.results.get(check.id);
  if (finished === undefined) return unfinished(check, seen, kind);
  const { outcome, cases, durationMs, reason, counterexample } = finished;
  return {
    ...check,
    outcome,
    cases,
    durationMs,
    ...(reason !== undefined && { reason }),
    ...(counterexample && { counterexample }),
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
  if (seen.control?.accepted === false) return `${targetWords[kind].noControl}, and the run ended`;
  return seen.lost === undefined ? 'the run ended' : 'the target was lost';
}

function countsOf(checks: readonly CheckResult[], { figures, deliveries, calls }: Seen, kind: TargetKind): Counts {
  return {
    ...checkCounts(checks),
    deliveries: deliveries + (figures?.deliveries ?? 0),
    ...(kind === 'service' && { calls: calls + (figures?.calls ?? 0) }),
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
