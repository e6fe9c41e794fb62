/** One HTTP header as it goes over the wire: name with its casing, value. */
export type Header = readonly [name: string, value: string];

/**
 * One step of writing a request by hand, for what an HTTP client refuses to send.
 *
 * `head` is the request line and the headers, up to and including the empty line, or its bytes from and to a place
 * (counted from its end where negative); `body` is the part of the delivery's body between two fractions (0 to 1) of its
 * length; `bytes` is anything else, base64.
 */
export type WireStep =
  | { readonly send: 'head'; readonly from?: number; readonly to?: number }
  | { readonly send: 'body'; readonly from: number; readonly to: number }
  | { readonly send: 'bytes'; readonly base64: string }
  /** Milliseconds in which nothing is sent. */
  | { readonly pause: number }
  /** Waits for an interim 100 (Continue) answer, at most this many milliseconds, then goes on. */
  | { readonly awaitContinue: number }
  /** Waits until every other delivery of the same `together` call has come to its barrier too. */
  | { readonly barrier: true }
  /** Waits until what runs beside this delivery is over (`besideHeld`); elsewhere it does nothing. */
  | { readonly hold: true }
  /** `fin` ends the sending side and still reads the answer; `rst` resets the connection and reads nothing. */
  | { readonly end: 'fin' | 'rst' };

/** How a delivery goes over the wire when it is not the plain way (one request with a content length on a kept connection). */
export interface Wire {
  /** `length`: a Content-Length is added to the head. `chunked`: Transfer-Encoding, one chunk for each `body` step. `none`: neither. */
  readonly framing: 'length' | 'chunked' | 'none';
  /** Replaces the request line (without CRLF). Default: the contract's method and the target's path, HTTP/1.1. */
  readonly requestLine?: string;
  readonly steps: readonly WireStep[];
  /** What stands between the name of a header and its value. Default: a colon and a space. */
  readonly colon?: ':';
  /** Reads on behind the answer, until the connection is closed or silent: see `surplus` of an {@link Answer}. */
  readonly readsOn?: true;
}

/**
 * One request of the service to the receiver. Its body bytes are made once: what is signed, sent, recorded and shown
 * is this one buffer.
 */
export interface Delivery {
  /** The notification's id, which decides about duplicates; empty when the body carries none. */
  readonly id: string;
  /** The event's name; empty when the body carries none. */
  readonly event: string;
  readonly method: string;
  /** Path and query. Default: those of the target. */
  readonly path?: string;
  /** All headers but Host, Content-Length, Transfer-Encoding and Connection, which the deliverer adds. */
  readonly headers: readonly Header[];
  readonly body: Buffer;
  readonly wire?: Wire;
  /** Seconds by which the timestamp of its signature is ahead of the clock; negative where it is behind. Default 0. */
  readonly skew?: number;
  /** The address of this machine that it is sent from, over a connection of its own. Default: the usual one. */
  readonly from?: string;
}

/** What came back: an answer, a connection that broke (with the system's code), or nothing within the time-out. */
export type Answer =
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly headers: readonly Header[];
      /** The answer's body as text; of a delivery its first 64 KiB. */
      readonly body: string;
      /** Where the body was longer than what is read of one: after how many bytes it was cut off. */
      readonly cut?: number;
      /** True where its values nest deeper than is read. */
      readonly deep?: true;
      /** What came over the connection behind the end of the answer, where that was read: its first bytes as text. */
      readonly surplus?: string;
      /** Milliseconds from the first byte sent to the end of the answer. */
      readonly ms: number;
    }
  /** `status`: where an answer began, and the connection broke within its body. */
  | { readonly kind: 'broken'; readonly code: string; readonly ms: number; readonly status?: number }
  /** `status`: where an answer began and its body did not end; `cut`: after how many bytes it was not read on. */
  | {
      readonly kind: 'timed-out';
      readonly ms: number;
      readonly status?: number;
      readonly cut?: number;
      /** True where the kit awaited it for less than all of its time: that shows nothing yet. */
      readonly hurried?: true;
    };

/** A delivery and what came back for it. */
export interface Attempt {
  readonly delivery: Delivery;
  readonly answer: Answer;
  /** Milliseconds that the case waited before it. Default: none. */
  readonly waited?: number;
  /** Those of a case that have the same number were sent at the same moment (`together`). */
  readonly moment?: number;
}
