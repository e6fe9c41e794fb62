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

/** The API of the service, played by the kit where the receiver looks for it. */
export interface PlayedApi {
  /** Every call so far, in order. */
  readonly calls: readonly HeardCall[];
  /**
   * Raises an event in the played service, which then delivers it to the receiver, again and again until it is accepted or
   * has failed for good.
   *
   * @returns the notifications' ids
   */
  raise(event: string): Promise<readonly string[]>;
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
