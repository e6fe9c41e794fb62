import type { Access } from '../http/access.ts';
import type { Variables } from '../../suites/processControl.ts';
import type { Death } from './targetProcess.ts';

/**
 * What is different about a target that is a command and one that is a container. When to do what, and what it means that
 * something did not happen, is the same for both: {@link import('./controlledProcess.ts').HeldLife}.
 */
export interface Kind {
  /** The option that it was given by, for messages: `--start node server.js`. */
  readonly name: string;
  /** What a target of this kind has to be, for messages. */
  readonly valid: string;
  /**
   * Starts it, and does not wait until it is up. Called again only when the start before has ended.
   *
   * @param variables - of its environment, for this start only
   * @throws NotLaunched where that is refused
   */
  launch(variables?: Variables): Promise<Start>;
  /** Whether the target itself, and not what stands before it, takes connections now. */
  isUp(url: URL, access?: Access): Promise<boolean>;
  /** Removes all that is left of it. Called once, when no start is left. */
  discard(): Promise<void>;
}

/** One start of a target, from its first process to its last. */
export interface Start {
  /** Resolves once nothing of it is left and its output was read. Never rejects. */
  readonly ended: Promise<Death>;
  /**
   * Kills all of it, without waiting for anything before, and resolves once nothing is left.
   *
   * @throws TargetError where something cannot be killed
   */
  kill(): Promise<void>;
  /** Asks it to end, also where it is paused, and does not wait until it has. */
  terminate(): Promise<void>;
  /** Freezes all of it, and waits until it stands still. */
  pause(): Promise<void>;
  /** Lets all of it go on. */
  resume(): Promise<void>;
}

/** Thrown where not even a first process could be started; the message says what the system or the engine said. */
export class NotLaunched extends Error {
  override readonly name = 'NotLaunched';
}
