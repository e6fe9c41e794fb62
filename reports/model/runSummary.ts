import type {
  CheckFinished,
  ControlFinished,
  KitErrored,
  ProcessChanged,
  ReportedAssumption,
  ReportedCheck,
  ReportedRequirement,
  RunStarted,
  TargetLost,
  ProbeFailed,
  TargetSaid,
  LeftOutCheck,
  Expectation,
  Learned,
  Observed,
  OpinionDiffered,
} from './events.ts';
import type { WireFigures } from './wireFigures.ts';
import type { FuzzFailed, FuzzFigures, ReportedSearch } from './fuzz.ts';

/** A check and how it ended. */
export interface CheckResult extends ReportedCheck, Omit<CheckFinished, 'type' | 'ms' | 'check'> {}

/** A requirement, how it stands, and the ids of the checks of this run that can show it broken. */
export interface RequirementResult extends ReportedRequirement {
  readonly outcome: RequirementOutcome;
  readonly checks: readonly string[];
  /** Why it neither holds nor is broken, and what would change that. */
  readonly reason?: string;
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
    /** Present where its time was over before all that it would have done. */
    readonly outOfTime?: true;
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
  /** The ends that nobody asked for, of a target that is under process control. */
  readonly deaths: readonly ProcessChanged[];
  /** What such a target has written last; not there for any other target. */
  readonly said?: TargetSaid;
  /** What went over the wire, added up. */
  readonly wire: WireFigures;
  /** The checks that had begun and not ended when the events stopped; none where the run has an end. */
  readonly pending: readonly string[];
  /** How what is known to fail stands; not there without `--expect-failures`. */
  readonly expectations?: readonly ExpectationResult[];
  /** The checks of the suite that it was not given (`--only`, `--skip`, `--shard`); not there where it was given all. */
  readonly leftOut?: readonly LeftOutCheck[];
  readonly interrupted: boolean;
  /** False where the events stop without `run.finished`: the run was killed. */
  readonly ended: boolean;
  readonly control?: ControlFinished;
  readonly lost?: TargetLost;
  /** The first failure of the probe that came again when it was asked again. */
  readonly probeFailed?: ProbeFailed;
  /** Faults of the kit itself. */
  readonly errors: readonly KitErrored[];
}

/**
 * How an entry stands. Only `fails` keeps what it was made for: `passes`: what it names holds; `not-tested`: nothing was seen
 * of it; `left-out`: `--only` or `--skip` left it out of the run; `elsewhere`: another part of the run (`--shard`) is about it
 * too; `expired`; `unknown`: it names no requirement and no check.
 */
export type ExpectationOutcome = 'fails' | 'passes' | 'not-tested' | 'left-out' | 'elsewhere' | 'expired' | 'unknown';

/** An entry of `--expect-failures`, and what became of it in this run. */
export interface ExpectationResult extends Expectation {
  readonly outcome: ExpectationOutcome;
}

/** What a run says about its target as a whole. */
export type Verdict = 'conforms' | 'does-not-conform' | 'inconclusive';

/** A failure that a search has found. */
export type FoundFailure = Omit<FuzzFailed, 'type'>;

/** What a search did, and what it found. */
export interface SearchResult extends ReportedSearch {
  /** Where it stood last. */
  readonly figures: FuzzFigures;
  /** In the order in which they were found, those that did not come again among them. */
  readonly failures: readonly FoundFailure[];
}

/** Something seen of what the contract leaves open. */
export type Observation = Pick<Observed, 'gap' | 'value' | 'evidence'>;

/** What fills a gap of the contract, as an assumption that another run can be given. */
export type LearnedAssumption = Pick<Learned, 'key' | 'gap' | 'value' | 'evidence'>;

/** One thing about which the kit and Prism disagree, and how often they did. */
export type Disagreement = Pick<OpinionDiffered, 'operationId' | 'part' | 'kit' | 'prism' | 'detail'> & {
  readonly count: number;
};

/** What came of judging every request and answer a second time. */
export interface SecondOpinion {
  /** Requests and answers that both judged. */
  readonly compared: number;
  /** In the order in which they were met first; equal ones are one. */
  readonly disagreements: readonly Disagreement[];
}

/** How a requirement stands after a run. */
export type RequirementOutcome = 'holds' | 'broken' | 'not-observed' | 'inconclusive';
