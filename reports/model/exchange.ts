import type { Moment } from './processEvents.ts';

/** An HTTP header as it went over the wire. */
export type ReportedHeader = readonly [name: string, value: string];

/** A request as it went over the wire. Bytes that are not text are kept as base64. */
export interface ReportedRequest {
  readonly method: string;
  readonly url: string;
  /** Empty where the request was written by hand; then `wire` says what was done. */
  readonly headers: readonly ReportedHeader[];
  readonly body: ReportedBody;
  /** The id that the kit gave a delivery, where it is no UUID and so cannot be distinguished from the rest of the request. */
  readonly id?: string;
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
      /** Where the body was longer than what is read of one: after how many bytes it was cut off. */
      readonly cut?: number;
      /** True where its values nest deeper than is read. */
      readonly deep?: true;
      /** The first bytes that came behind its end, where that was read. */
      readonly surplus?: string;
      readonly ms: number;
    }
  /** `status`: where an answer began, and the connection broke within its body. */
  | { readonly kind: 'broken'; readonly code: string; readonly ms: number; readonly status?: number }
  /** `status`: where an answer began and its body did not end; `cut`: after how many bytes it was not read on. */
  | { readonly kind: 'timed-out'; readonly ms: number; readonly status?: number; readonly cut?: number };

/** One request that the kit made (a delivery, or a call of the API) and what came back for it. */
export interface ReportedAttempt {
  readonly request: ReportedRequest;
  readonly answer: ReportedAnswer;
  /** The address of the kit's machine that it was sent from, where the run is about sender addresses. */
  readonly from?: string;
  /** Seconds by which the timestamp of its signature was ahead of the clock; negative where it was behind. Default 0. */
  readonly skew?: number;
  /** Milliseconds of the run at which it was sent. */
  readonly at?: number;
}

/** One request that a service made to an endpoint of the kit, and what the kit did with it. */
export interface ReportedCaught {
  readonly caught: true;
  readonly request: ReportedRequest;
  /** The sender's address, without its port. */
  readonly from: string;
  /** Which attempt of this notification at this endpoint it is, from 1. */
  readonly number: number;
  /** What the endpoint did, in words: `500`, `held, never answered`, `connection reset`. */
  readonly answered: string;
  /** Milliseconds of the run at which it arrived. */
  readonly at: number;
}

/** Anything that a counterexample shows of what went over the wire. */
export type ReportedExchange = ReportedAttempt | ReportedCaught;

/** Whether the kit received it, rather than sent it. */
export function isCaught(exchange: ReportedExchange): exchange is ReportedCaught {
  return 'caught' in exchange;
}

/** The smallest case that shows a failure. */
export interface Counterexample {
  /** One sentence: what happened, and what was wrong with it. */
  readonly summary: string;
  /** The requirements that this case breaks. */
  readonly requirements: readonly string[];
  /** Where the target died of this case: then what it breaks counts like a MUST, whatever its level. */
  readonly died?: true;
  readonly seed: number;
  /** Which case of the check, and the steps of its shrinking: `17:0:2`. */
  readonly path: string;
  readonly expected: string;
  readonly actual: string;
  readonly hint: string;
  readonly exchange: {
    /** In the order of time, the decisive one last. */
    readonly attempts: readonly ReportedExchange[];
    /** The accepted neighbour, and what the decisive exchange changes in it. */
    readonly twin?: ReportedExchange;
    readonly difference?: string;
    /** Where that difference lies, where every request differs there anyway. */
    readonly differsIn?: 'signature';
    readonly effects?: readonly { readonly id: string; readonly expected: number; readonly actual: number }[];
  };
  /** What was done and seen in a case in which the target was killed, stopped or paused, in the order of time. */
  readonly timeline?: readonly Moment[];
  /** The file that `seaworthy replay` takes, where one was written. */
  readonly file?: string;
  /** Shell lines that show the failure when they are pasted; the seeded command where curl cannot. */
  readonly curl: string;
}
