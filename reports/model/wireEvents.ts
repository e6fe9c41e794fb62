import type { ReportedAnswer, ReportedHeader } from './exchange.ts';

/** What came back, in short. */
export interface ShortAnswer {
  readonly kind: ReportedAnswer['kind'];
  readonly status?: number;
  readonly code?: string;
  readonly ms: number;
}

/** One delivery to a receiver, in short; the whole exchange is kept for counterexamples only. */
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
  readonly answer: ShortAnswer;
}

/** An endpoint of the kit was made for a webhook. What a killed run leaves at a service is found again by it. */
export interface EndpointOpened {
  readonly type: 'endpoint.opened';
  readonly ms: number;
  /** The check whose webhook it is for; `control` for the engine's own webhooks. */
  readonly check: string;
  readonly case: number;
  readonly url: string;
}

/**
 * Retries of a notification may come to an endpoint of the kit. A run that goes on with this one (`--resume`) catches them
 * there, and knows by this what the first attempt was.
 */
export interface RetriesAwaited {
  readonly type: 'retries.awaited';
  readonly ms: number;
  readonly check: string;
  readonly case: number;
  /** Of the endpoint. */
  readonly url: string;
  /** The notification's id. */
  readonly id: string;
  /** How many attempts had come. Others may have come while no sitting ran. */
  readonly attempts: number;
  readonly first: AwaitedFirst;
}

/** The first attempt of a notification, as it came. */
export interface AwaitedFirst {
  readonly method: string;
  /** As it stood in the request line. */
  readonly path: string;
  readonly headers: readonly ReportedHeader[];
  readonly body: string;
  /** The sender's address. */
  readonly from: string;
  /** The header of its signature, and a hash of the value, where the same bytes are signed in the same way each time. */
  readonly signature?: { readonly header: string; readonly sha256: string };
}

/** One request that a service made to an endpoint of the kit, in short. */
export interface DeliveryCaught {
  readonly type: 'delivery.caught';
  readonly ms: number;
  /** The check whose webhook it came for; `control` for the engine's own webhooks. */
  readonly check: string;
  readonly case: number;
  /** Which endpoint of the kit: the last part of its path. */
  readonly endpoint: string;
  /** The notification's id and event; empty where its body shows none. */
  readonly id: string;
  readonly event: string;
  /** Which attempt of this notification at this endpoint it is, from 1. */
  readonly number: number;
  readonly bytes: number;
  /** Distinguishes request bytes: a hash of headers and body. */
  readonly digest: string;
  /** What the endpoint did, in words. */
  readonly answered: string;
}

/** One call of a service's API, in short. */
export interface CallFinished {
  readonly type: 'call.finished';
  readonly ms: number;
  /** The check that made it; `control` for the engine's own calls. */
  readonly check: string;
  readonly case: number;
  /** Empty for a request that is no operation of the contract. */
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  readonly bytes: number;
  /** Distinguishes request bytes: a hash of headers and body. */
  readonly digest: string;
  readonly answer: ShortAnswer;
}
