import type { CatchScript, Caught } from './exchange.ts';

/** What a case leaves for a later sitting of the run (`--resume`), and what it finds of an earlier one. */
export interface AcrossSittings {
  /**
   * Writes down that retries of a notification are awaited. Where this sitting is killed, the next one looks at what still
   * comes of them. Secrets are not written down.
   *
   * @param first - the first attempt
   */
  awaitRetries(webhook: Notifiable, first: Caught): void;
  /**
   * The notifications whose retries this case awaited when an earlier sitting was killed, and the retries that come now.
   * Others may have come in between that nobody saw: only what does not depend on their number can be judged.
   *
   * @param script - how their endpoints answer, as in the earlier sitting
   */
  lateRetries(script: CatchScript): readonly LateRetries[];
}

/** The webhook that a notification came to. */
export interface Notifiable {
  readonly endpoint: { readonly url: string };
  /** As it was answered. */
  readonly secret: unknown;
}

/** A notification of an earlier sitting. */
export interface LateRetries {
  /** Its first attempt, as the journal has it. */
  readonly first: Caught;
  /** Its retries in this sitting, numbered as if none had been missed; grows. */
  readonly retries: readonly Caught[];
  /** The header of its signature, where a retry of the same bytes has to carry the same value. */
  readonly signedIn?: string;
  /** Whether a retry has the bytes of the first attempt, and another value or none in {@link signedIn}. */
  readonly isSignedOtherwise: (retry: Caught) => boolean;
}
