/** Starts a service on a free port of this machine. */
export type StartService = (options?: StartOptions) => Promise<ServiceUnderTest>;

export interface StartOptions {
  /** The pauses before the retries in milliseconds; the last one holds for all that follow. Default: the service's own, some tens. */
  readonly backoff?: readonly number[];
  /** How long a receiver may take to answer, in milliseconds. Default: 400. */
  readonly timeout?: number;
}

export interface ServiceUnderTest {
  /** The base address, `http://127.0.0.1:<port>/v2`. */
  readonly url: string;
  /** The API key. */
  readonly token: string;
  /** Takes `POST {"event": "..."}`, without a key, and raises that event for real. */
  readonly emit: string;
  /** `SCAC:NUMBER` that the service finds. */
  readonly trackable: string;
  /** `SCAC:NUMBER` of a shipping line that does not know the number. */
  readonly untrackable: string;
  close(): Promise<void>;
}
