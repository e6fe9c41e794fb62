/** The topics of the contract. */
export const topics: readonly string[] = [
  'received',
  'proofed',
  'approved',
  'queued',
  'printed',
  'bound',
  'packed',
  'shipped',
  'cancelled',
].map((name) => `job.${name}`);

/** What a client sets of a hook. */
export interface HookInput {
  readonly target: string;
  readonly topics: readonly string[];
  readonly enabled: boolean;
}

/** A registered endpoint. */
export interface Hook extends HookInput {
  readonly id: string;
  /** `whsec_` and the key in base64. */
  readonly secret: string;
}

/** Something that is sent to one hook. */
export interface Delivery {
  /** Counted up from 1, over all deliveries. */
  readonly sequence: number;
  readonly id: string;
  /** The id of its hook. */
  readonly hook: string;
  readonly topic: string;
  readonly body: Buffer;
  state: 'queued' | 'delivered' | 'given_up';
  /** Attempts that were made. */
  tries: number;
}

/** An attempt that is about to be made. */
export interface PressAttempt {
  readonly delivery: Delivery;
  readonly hook: Hook;
  /** From 1. */
  readonly number: number;
}
