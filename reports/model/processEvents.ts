/**
 * What happens to the process of a target. `lost` and `returned`: a target that the kit did not start takes no connections
 * any more, and takes them again.
 */
export type ProcessChange =
  | 'started'
  | 'killed'
  | 'stopping'
  | 'stopped'
  | 'paused'
  | 'resumed'
  | 'died'
  | 'lost'
  | 'returned';

/** Those of them that a timeline shows as such. */
export const processChanges: ReadonlySet<string> = new Set<ProcessChange>([
  'started',
  'killed',
  'stopping',
  'stopped',
  'paused',
  'resumed',
  'died',
]);

/** One moment of a case, for a timeline. */
export interface Moment {
  /** Milliseconds since the case began. */
  readonly ms: number;
  /** `sent` and `answered` are deliveries or calls, `note` is anything else worth seeing. */
  readonly what: ProcessChange | 'sent' | 'answered' | 'broken' | 'timed-out' | 'note';
  /** Which delivery: the notification's id; not there for what concerns none. */
  readonly id?: string;
  /** In words: the status of an answer, how many effects were seen. */
  readonly detail?: string;
}

/** The kit did something to the target's process, or the target ended by itself (`died`). */
export interface ProcessChanged {
  readonly type: 'life.changed';
  readonly ms: number;
  /** The check whose case did it; `control` for the engine itself. */
  readonly check: string;
  readonly case: number;
  readonly change: ProcessChange;
  /** How it ended, how long it took: `exit code 1`, `after 210 ms`. */
  readonly detail?: string;
  /** Where it ended by itself: the last lines that it wrote before. */
  readonly said?: readonly string[];
}

/** What a target that the kit started has written, at the end of the run. */
export interface TargetSaid {
  readonly type: 'target.said';
  readonly ms: number;
  /** The last lines, both output streams together. */
  readonly tail: readonly string[];
  /** The file that holds all of it; not there where nothing was written. */
  readonly file?: string;
}
