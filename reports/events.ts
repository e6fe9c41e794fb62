import type { Level } from '../spec/requirements.ts';

/** How a check ended; `interface` of the kit, section Outcomes. */
export type CheckOutcome = 'passed' | 'failed' | 'warned' | 'not-observable' | 'inconclusive' | 'errored';

/** An HTTP header as it went over the wire. */
export type ReportedHeader = readonly [name: string, value: string];

/** A request as it went over the wire. Bytes that are not text are kept as base64. */
export interface ReportedRequest {
  readonly method: string;
  readonly url: string;
  /** Empty where the request was written by hand; then `wire` says what was done. */
  readonly headers: readonly ReportedHeader[];
  readonly body: ReportedBody;
  /** How the bytes were sent where it was not one plain request, in plain words, one line a step. */
  readonly wire?: readonly string[];
}

/** The bytes of a body. `text` is there where they are UTF-8 up to 64 KiB; else `base64`, cut off at 64 KiB. */
export interface ReportedBody {
  readonly bytes: number;
  readonly sha256: string;
  readonly text?: string;
  readonly base64?: string;
  /** Path of a file that holds all the bytes, where they are too many to show. */
  readonly file?: string;
}

/** What came back. */
export type ReportedAnswer =
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly headers: readonly ReportedHeader[];
      readonly body: string;
      readonly ms: number;
    }
  | { readonly kind: 'broken'; readonly code: string; readonly ms: number }
  | { readonly kind: 'timed-out'; readonly ms: number };

/** One request and what came back for it. */
export interface ReportedAttempt {
  readonly request: ReportedRequest;
  readonly answer: ReportedAnswer;
}

/** The smallest case that shows a failure. */
export interface Counterexample {
  /** One sentence: what was sent and what was wrong with what came back. */
  readonly summary: string;
  /** The requirements that this case breaks. */
  readonly requirements: readonly string[];
  readonly seed: number;
  /** Which case of the check, and the steps of its shrinking: `17:0:2`. */
  readonly path: string;
  readonly expected: string;
  readonly actual: string;
  readonly hint: string;
  readonly exchange: {
    /** In the order sent, the decisive one last. */
    readonly attempts: readonly ReportedAttempt[];
    /** The accepted neighbour, and what the decisive attempt changes in it. */
    readonly twin?: ReportedAttempt;
    readonly difference?: string;
    readonly effects?: readonly { readonly id: string; readonly expected: number; readonly actual: number }[];
  };
  /** Shell lines that show the failure when they are pasted; the seeded command where curl cannot. */
  readonly curl: string;
}

export interface ReportedCheck {
  readonly id: string;
  readonly title: string;
  readonly requirements: readonly string[];
  readonly level: Level;
}

export interface ReportedRequirement {
  readonly id: string;
  readonly section: string;
  readonly level: Level;
  /** The statement in the project's words. */
  readonly statement: string;
}

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
  readonly contract: { readonly title: string; readonly version: string };
  readonly target: { readonly kind: 'receiver' | 'service'; readonly address: string };
  readonly run: { readonly id: string; readonly seed: number; readonly intensity: string; readonly strict: boolean };
  /** The command line that repeats this run, seed included, without secrets. */
  readonly command: string;
  readonly checks: readonly ReportedCheck[];
  /** Every requirement of the subject, also those that no check of this run proves. */
  readonly requirements: readonly ReportedRequirement[];
  readonly assumptions: readonly ReportedAssumption[];
}

/** The positive control: whether a plain valid delivery was accepted. */
export interface ControlFinished {
  readonly type: 'control.finished';
  readonly ms: number;
  readonly accepted: boolean;
  readonly attempt: ReportedAttempt;
}

export interface CheckStarted {
  readonly type: 'check.started';
  readonly ms: number;
  readonly check: string;
}

/** One attempt, in short; the whole exchange is kept for counterexamples only. */
export interface DeliveryFinished {
  readonly type: 'delivery.finished';
  readonly ms: number;
  /** The check that sent it; `control` for the engine's own deliveries. */
  readonly check: string;
  readonly case: number;
  readonly id: string;
  readonly event: string;
  readonly bytes: number;
  /** Distinguishes request bytes: a hash of headers and body. */
  readonly digest: string;
  readonly answer: {
    readonly kind: ReportedAnswer['kind'];
    readonly status?: number;
    readonly code?: string;
    readonly ms: number;
  };
}

export interface CheckFinished {
  readonly type: 'check.finished';
  readonly ms: number;
  readonly check: string;
  readonly outcome: CheckOutcome;
  readonly cases: number;
  readonly durationMs: number;
  /** Why it is not-observable, inconclusive or errored. */
  readonly reason?: string;
  readonly counterexample?: Counterexample;
}

/** Something seen of what the contract leaves open. */
export interface Observed {
  readonly type: 'observed';
  readonly ms: number;
  readonly gap: string;
  readonly value: string;
  readonly evidence: string;
}

/** The target can no longer be tested: it died, or it never accepted a plain delivery. */
export interface TargetLost {
  readonly type: 'target.lost';
  readonly ms: number;
  readonly reason: string;
  /** What the user can do about it. */
  readonly advice: string;
}

/** The kit's own fault, or a reporter that threw: nothing about the target. */
export interface KitErrored {
  readonly type: 'kit.errored';
  readonly ms: number;
  readonly where: string;
  readonly message: string;
  readonly stack?: string;
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
  | CheckFinished
  | Observed
  | TargetLost
  | KitErrored
  | RunFinished;
