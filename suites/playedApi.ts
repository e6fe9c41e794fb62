/** A call that the receiver made to the API that the kit plays, and what it was shown. */
export interface HeardCall {
  /** Milliseconds of the run. */
  readonly at: number;
  /** Empty for a request that is no operation of the contract. */
  readonly operationId: string;
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly status: number;
  /** The ids of the resources in the answer. */
  readonly ids: readonly string[];
}

/** An event that was raised. */
export interface Raised {
  /** The ids of its notifications. */
  readonly notifications: readonly string[];
  /** The ids of what can be read of it, by the operation that lists it: the notifications, and the records that it is about. */
  readonly records: Readonly<Record<string, readonly string[]>>;
}

/** The API of the service, played by the kit where the receiver looks for it. */
export interface PlayedApi {
  /** Every call so far, in order. */
  readonly calls: readonly HeardCall[];
  /** Items of the longest page of notifications that was asked for so far: with more, a receiver has to turn the page. */
  readonly longestPage: number;
  /**
   * Raises an event in the played service, about records of its own. The service then delivers it to the receiver, again
   * and again until it is accepted or has failed for good.
   */
  raise(event: string): Promise<Raised>;
  /** Waits until these notifications have failed for good. @throws Unproven where one was accepted */
  untilFailed(ids: readonly string[]): Promise<void>;
  /** Publishes these sender addresses from now on. */
  publish(addresses: readonly string[]): void;
  /**
   * Starts the recovery where the user gave a way to (`--recover`), and waits until it has ended.
   *
   * @returns false where no way was given
   * @throws Unproven where it failed
   */
  recover(): Promise<boolean>;
}
