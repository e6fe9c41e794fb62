import type { ReportedContract, Expectation, LeftOutCheck, Resumed, Shard } from './selectionEvents.ts';
import type { Level } from '../../spec/requirement.ts';
import type { ReportedExchange, Counterexample } from './exchange.ts';
import type { FuzzFailed, FuzzProgressed, ReportedSearch } from './fuzz.ts';
import type { ProcessChanged, TargetSaid } from './processEvents.ts';
import type { CallFinished, DeliveryCaught, DeliveryFinished, EndpointOpened, RetriesAwaited } from './wireEvents.ts';

export type * from './exchange.ts';
export type * from './fuzz.ts';
export type * from './processEvents.ts';
export type * from './selectionEvents.ts';
export type * from './wireEvents.ts';

/** How a check ended: `warned` for a broken SHOULD, `inconclusive` where setup or time ran out, `errored` for a fault of the kit. */
export type CheckOutcome = 'passed' | 'failed' | 'warned' | 'not-observable' | 'inconclusive' | 'errored';

/** A check that the run is to try. */
export interface ReportedCheck {
  readonly id: string;
  readonly title: string;
  readonly requirements: readonly string[];
  readonly level: Level;
}

/** A requirement that this run may show, and how strongly it binds. */
export interface ReportedRequirement {
  readonly id: string;
  readonly section: string;
  readonly level: Level;
  /** The statement in the project's words. */
  readonly statement: string;
  /** Why it is required, in a sentence or two. Journals of earlier versions do not have it. */
  readonly why?: string;
  /** A MAY that the user declared by an option, so that it counts like a MUST. Any other MAY that is broken is a warning. */
  readonly binding?: true;
  /** Named by `--require`: the run fails where it is not observed. */
  readonly required?: true;
}

/** What fills a gap of the contract in this run, and where that comes from. */
export interface ReportedAssumption {
  readonly gap: string;
  readonly key: string;
  readonly value: string;
  readonly source: 'default' | 'option' | 'learned';
}

/** First event of a run: all that a report needs to know about it. */
export interface RunStarted {
  readonly type: 'run.started';
  readonly format: 1;
  readonly at: string;
  readonly kit: { readonly name: string; readonly version: string };
  readonly contract: ReportedContract;
  readonly target: { readonly kind: 'receiver' | 'service'; readonly address: string };
  readonly run: {
    readonly id: string;
    readonly seed: number;
    readonly intensity: string;
    /** True where nothing was sent, and what came by itself was judged: seed and intensity then mean nothing. */
    readonly caughtOnly?: true;
    readonly strict: boolean;
    /** Deliveries or calls in flight at most, where the user fixed it. */
    readonly concurrency?: number;
    /** Milliseconds that the run may take; not there where sequences are searched for. */
    readonly timeLimit?: number;
    /** Which part of a run it is. Default: the whole. */
    readonly shard?: Shard;
    /** The run that it goes on with (`--resume`), and when that began: what was settled then is a part of this one. */
    readonly resumes?: Resumed;
  };
  /** Where sequences are searched for (`seaworthy fuzz`): how the search is bounded. */
  readonly search?: ReportedSearch;
  /** The command line that repeats this run, seed included, without secrets. */
  readonly command: string;
  readonly checks: readonly ReportedCheck[];
  /** Every requirement of the subject, also those that no check of this run proves. */
  readonly requirements: readonly ReportedRequirement[];
  readonly assumptions: readonly ReportedAssumption[];
  /** What is known to fail (`--expect-failures`). */
  readonly expectations?: readonly Expectation[];
  /** The checks of the suite that `--only`, `--skip` or `--shard` left out; not there where it was given all. */
  readonly leftOut?: readonly LeftOutCheck[];
  /** The statuses that end a delivery. */
  readonly acceptedStatuses?: readonly number[];
  /** The names of all events of the contract. */
  readonly events?: readonly string[];
}

/** The positive control: whether a receiver accepted a plain valid delivery, or a service created a plain webhook. */
export interface ControlFinished {
  readonly type: 'control.finished';
  readonly ms: number;
  readonly accepted: boolean;
  readonly attempt: ReportedExchange;
  /** Where it was not accepted, and the run went on: what the checks take for acceptance instead. */
  readonly instead?: string;
}

/** The first case of a check begins. */
export interface CheckStarted {
  readonly type: 'check.started';
  readonly ms: number;
  readonly check: string;
}

/** A check has ended, and what it has shown. */
export interface CheckFinished {
  readonly type: 'check.finished';
  readonly ms: number;
  readonly check: string;
  readonly outcome: CheckOutcome;
  readonly cases: number;
  /** How many cases it would have had; present where the time of the run was over before all were tried. */
  readonly planned?: number;
  /** How many kinds of case were not tried even once, for that reason. */
  readonly untriedKinds?: number;
  readonly durationMs: number;
  /** Why it is not-observable, inconclusive or errored. */
  readonly reason?: string;
  /** The requirements that something spoke against which could be neither confirmed nor ruled out. */
  readonly unconfirmed?: readonly string[];
  /** True where it is undecided, and a case of it got no answer that can be judged: the connection broke, or it was not read to its end. */
  readonly unanswered?: true;
  readonly counterexample?: Counterexample;
  /** Where it failed: those of its requirements that hold all the same, as every kind of its cases shows. */
  readonly shown?: readonly string[];
}

/** Something seen of what the contract leaves open. */
export interface Observed {
  readonly type: 'observed';
  readonly ms: number;
  readonly gap: string;
  readonly value: string;
  readonly evidence: string;
}

/** What a run found out about a gap of the contract, as the assumption that another run can be given. */
export interface Learned {
  readonly type: 'learned';
  readonly ms: number;
  /** The assumption: `signature.scheme`. */
  readonly key: string;
  readonly gap: string;
  /** As `--assume` takes it. */
  readonly value: string;
  readonly evidence: string;
}

/** The second opinion and the kit disagree about what went over the wire. */
export interface OpinionDiffered {
  readonly type: 'opinion.differed';
  readonly ms: number;
  readonly operationId: string;
  readonly part: 'request' | 'response';
  /** What the kit says, in a few words: `valid`, `invalid`. */
  readonly kit: string;
  /** What Prism says. */
  readonly prism: string;
  /** About what: the place in the message, and what is wrong with it. */
  readonly detail: string;
}

/** How many requests and answers were judged twice, and about how many of them the two disagree. */
export interface OpinionFinished {
  readonly type: 'opinion.finished';
  readonly ms: number;
  readonly compared: number;
  readonly differed: number;
}

/** What the kit made at the target and could not remove. */
export interface LeftOver {
  readonly type: 'left.over';
  readonly ms: number;
  /** Each in words that find it again: `webhook 5be0b6a5-… (active: false)`. */
  readonly what: readonly string[];
}

/** The probe does not count effects as it should, so that nothing can be said of some. It is said once or often. */
export interface ProbeFailed {
  readonly type: 'probe.failed';
  readonly ms: number;
  readonly reason: string;
  /** What the user can do about it. */
  readonly advice: string;
}

/** The target can no longer be tested: it died, or it did not pass the positive control. */
export interface TargetLost {
  readonly type: 'target.lost';
  readonly ms: number;
  readonly reason: string;
  /** What the user can do about it. */
  readonly advice: string;
  /** Where nothing of it was typed by the user or said by the target. */
  readonly kitWords?: true;
}

/** The kit's own fault, or that of its surroundings, or a reporter that threw: nothing about the target. */
export interface KitErrored {
  readonly type: 'kit.errored';
  readonly ms: number;
  readonly where: string;
  readonly message: string;
  readonly stack?: string;
  /** Where it is not the kit's fault: a report or the journal could not be written, so a disk is full. */
  readonly code?: 'SW_REPORT_WRITE';
}

/** Last event of a run. A journal without it belongs to a run that was killed. */
export interface RunFinished {
  readonly type: 'run.finished';
  readonly ms: number;
  readonly at: string;
  readonly durationMs: number;
  /** False where the run was interrupted, bailed out, or lost its target before every check had ended. */
  readonly complete: boolean;
  readonly interrupted: boolean;
  /** Present where its time was over before all that it would have done. */
  readonly outOfTime?: true;
}

/**
 * Everything that a run says, in order. Every event survives JSON: the journal holds one a line, and each report can
 * be made from it.
 */
export type RunEvent =
  | RunStarted
  | ControlFinished
  | CheckStarted
  | DeliveryFinished
  | EndpointOpened
  | RetriesAwaited
  | DeliveryCaught
  | CallFinished
  | CheckFinished
  | FuzzProgressed
  | FuzzFailed
  | Observed
  | Learned
  | OpinionDiffered
  | OpinionFinished
  | LeftOver
  | ProcessChanged
  | TargetSaid
  | TargetLost
  | ProbeFailed
  | KitErrored
  | RunFinished;

/** The contract that a run tests. */
export type TargetKind = RunStarted['target']['kind'];
