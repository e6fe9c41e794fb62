import type { Json } from '../generators/json/json.ts';
import type { Contract } from '../spec/contract.ts';
import type { ServiceTerms } from '../spec/serviceTerms.ts';
import type { SignatureScheme } from '../spec/signature.ts';
import type { Answer, Header } from './delivery.ts';

/** One call of the API as it goes over the wire. Its body bytes are made once: sent, recorded and shown from one buffer. */
export interface ApiRequest {
  /** Which operation of the contract it is; empty for a request that is none. */
  readonly operationId: string;
  readonly method: string;
  /** Below the base address, query included: `/webhooks?page%5Bnumber%5D=2`. */
  readonly path: string;
  /** All headers but Host, Content-Length, Transfer-Encoding and Connection. The Authorization header is among them where it is sent. */
  readonly headers: readonly Header[];
  readonly body: Buffer;
}

/** A call of the API and what came back for it. */
export interface Call {
  readonly kind: 'call';
  readonly request: ApiRequest;
  readonly answer: Answer;
  /** Milliseconds of the run at which it was sent. */
  readonly at: number;
}

/**
 * How an answer is written that every client of HTTP has to understand (RFC 9112, 2.3 and 4; RFC 9110, 8.4), and few receivers give:
 * in HTTP/1.0, where the end of the connection ends the body, without a reason behind its status, or with its body in
 * gzip, or in Latin-1, whose bytes are no UTF-8. An answer of 1xx in front of it is none of these: undici takes a 100 for broken, and the client of Python a 103 for
 * the answer.
 */
export type AnswerForm = 'HTTP/1.0' | 'no reason' | 'gzip' | 'Latin-1';

/**
 * One step of an endpoint's script: what the catcher does with one attempt.
 *
 * - `respond`: reads the request, waits `delay` ms, answers. `bodyBytes` pads the body to that size.
 *   `form` writes it in an unusual way, as the last on its connection
 * - `hang`: reads the request and never answers; `ms` ends it with a reset, otherwise it lasts until the peer gives up
 * - `reset`: resets the connection `before` the request body is read, `during` the answer (half of its head was sent), or
 *   `after` the head and half of the announced body were sent
 * - `close`: reads the request, then closes the connection in an orderly way (FIN) `before` the answer, `during` its
 *   first line, in front of the status (a head that ends after it may be taken for a whole one), or after a line of another
 *   protocol `instead` of one
 * - `endless`: answers with that status and a body that never ends (bounded by `ms` and by the peer's time limit)
 * - `trickle`: answers with that status, one byte of its body every `every` ms, `bytes` bytes in all
 * - `slow-read`: takes `ms` to read the request, then answers with that status
 */
export type CatchStep =
  | {
      readonly do: 'respond';
      readonly status: number;
      readonly headers?: readonly Header[];
      readonly body?: string;
      readonly bodyBytes?: number;
      readonly delay?: number;
      readonly form?: AnswerForm;
    }
  | { readonly do: 'hang'; readonly ms?: number }
  | { readonly do: 'reset'; readonly when: 'before' | 'during' | 'after' }
  | { readonly do: 'close'; readonly when: 'before' | 'during' | 'instead' }
  | { readonly do: 'endless'; readonly status: number; readonly ms: number }
  | { readonly do: 'trickle'; readonly status: number; readonly every: number; readonly bytes: number }
  | { readonly do: 'slow-read'; readonly ms: number; readonly status: number };

/** What is wrong with the certificate of an endpoint: nobody known signed it, it has expired, or it is for another host. */
export type CertificateFlaw = 'untrusted' | 'expired' | 'misnamed';

/** What an endpoint does with the attempts of one notification, in order; the last step holds for all that follow. */
export type CatchScript = readonly [CatchStep, ...CatchStep[]];

/** How the catcher's part in an attempt ended. */
export type CatchEnd =
  /** The whole answer was written. */
  | { readonly kind: 'answered'; readonly status: number }
  /** The catcher broke the connection, as the script says. */
  | { readonly kind: 'reset' }
  /** The catcher closed the connection in an orderly way, as the script says. */
  | { readonly kind: 'closed' }
  /** The peer closed the connection before the answer was complete. */
  | { readonly kind: 'abandoned' };

/** One request that arrived at an endpoint of the catcher, whole. */
export interface Caught {
  readonly kind: 'caught';
  /** Which endpoint: the unguessable last part of its path. */
  readonly endpoint: string;
  readonly method: string;
  /** As it stood in the request line. */
  readonly path: string;
  /** In the order and with the casing in which they came. */
  readonly headers: readonly Header[];
  /** The raw bytes, cut off at the catcher's limit. */
  readonly body: Buffer;
  /** How many bytes came in all; -1 where the request broke off before its end. */
  readonly bytes: number;
  /** Address of the sender, without its port. */
  readonly peer: string;
  /** Milliseconds of the run at which its head had arrived, on a monotonic clock. */
  readonly at: number;
  /** The notification's id, or what stands for it (`suites/service/deliveryKey.ts`); empty where the delivery shows none. */
  readonly key: string;
  /** Which attempt with this key at this endpoint it is, from 1. */
  readonly number: number;
  readonly step: CatchStep;
  /** How it ended and when (milliseconds of the run); nothing while it is going on. */
  readonly end: (CatchEnd & { readonly at: number }) | undefined;
}

/** How a delivery is signed, as far as the kit could find out. */
export interface FoundSignature {
  readonly scheme: SignatureScheme;
  /** The header that carries it, as it was spelled. */
  readonly header: string;
  /** What differs from the scheme, where no name of a scheme says that: `hex in capitals`. */
  readonly variant?: string;
}

/** Anything that went over the wire in a case. */
export type Exchange = Call | Caught;

/** What reads a delivery that was caught. */
export interface DeliveryReader {
  readonly contract: Contract;
  readonly terms: Pick<ServiceTerms, 'notification'>;
  /** The value of a header of a delivery, whatever its case; several are joined. */
  header(caught: Caught, name: string): string | undefined;
  /** A member of a delivered body by the name that the contract's delivery terms give it; nothing where it is not there. */
  delivered(caught: Caught, member: keyof Contract['delivery']['members']): unknown;
  /** The delivered body as JSON; nothing where it is none. */
  deliveredJson(caught: Caught): Json | undefined;
  /**
   * Whether the delivery carries a signature of its body under this secret, in whatever scheme and header.
   *
   * @returns nothing where it does not
   */
  signature(caught: Caught, secret: string): FoundSignature | undefined;
}
