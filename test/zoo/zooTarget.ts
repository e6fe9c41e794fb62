/** A target that is started for one visit. */
export interface Enclosure {
  /** What follows `seaworthy`: the command, the address, and what a user of this target would give. */
  readonly words: readonly string[];
  /** What is done to a program that listens, until it is ended; its address is in what it says. */
  readonly visitor?: (url: URL) => Promise<unknown>;
  close(): Promise<unknown>;
}

/** A strange target, and what a run against it has to come to. */
export interface ZooTarget {
  readonly name: string;
  /** @param folder - where the program runs, for files that it needs */
  start(folder: string): Promise<Enclosure>;
  /** The exit codes that are right. */
  readonly exits: readonly number[];
  /** What the terminal has to say. */
  readonly says?: RegExp;
  /** Requirements that the JSON report has to call broken; no MUST beside these may be. Default: whatever is broken. */
  readonly broken?: readonly string[];
  /** The time limit of the run (`--time`). Default: `5s`. */
  readonly time?: string;
  /** Seconds that the whole program may take. Default 20: the time limit, the end of the run, a busy machine. */
  readonly seconds?: number;
  /** A shell command that is put before the program: `ulimit -n 64`. */
  readonly before?: string;
  /** Whether `npm test` visits it. Default false: `npm run zoo` alone does. */
  readonly daily?: true;
}

/** Megabytes of memory that no run may take. */
export const mostMemory = 500;
