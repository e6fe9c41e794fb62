/**
 * What a case may do to a target that is under process control. After each case the kit brings the target back, so that
 * every case begins with one that runs and takes connections.
 */
export interface ProcessControl {
  /** Ends all of its processes at once, as a power cut or the kernel would (SIGKILL). Resolves once they have ended. */
  kill(): Promise<void>;
  /**
   * Asks it to end (SIGTERM) and waits until it has; one that takes too long is killed.
   *
   * @returns whether it ended by itself
   */
  stop(): Promise<boolean>;
  /** Freezes it where it stands (SIGSTOP, or the pause of a container): connections to it are made, and nothing answers. */
  pause(): Promise<void>;
  /** Lets it go on after {@link pause}. */
  resume(): Promise<void>;
  /**
   * Starts it after it has ended and waits until it takes connections; one that runs is left alone.
   *
   * @throws NotStarted where it does not come up
   */
  start(): Promise<void>;
  /**
   * Starts it after it has ended, with other variables in its environment. Where it ends by itself later, nobody hears of it. To
   * be killed before it is started in the usual way again.
   *
   * @returns whether it takes connections; one that does not is ended again
   */
  startWith(variables: Variables): Promise<boolean>;
}

/** Variables of an environment in place of the usual ones of these names; one without a value is left out. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** Thrown where a target that was ended does not come up again; what it said last is in the message. */
export class NotStarted extends Error {
  override readonly name = 'NotStarted';
  /** Whether the kit tried to start it; else something else should have. */
  readonly byKit: boolean;

  constructor(message: string, { byKit = true } = {}) {
    super(message);
    this.byKit = byKit;
  }
}
