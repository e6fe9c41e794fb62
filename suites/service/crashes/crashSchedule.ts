import fc, { type Arbitrary } from 'fast-check';

/** What the endpoint of one webhook does until the last crash: accept, refuse, leave unanswered, or take no connections. */
export type Listener = 'accepts' | 'refuses' | 'hangs' | 'is-closed';

/** One end of the service; it is started again at once. */
export interface Crash {
  readonly how: 'kill' | 'stop';
  /** How many attempts, at all endpoints together, have to come before it. */
  readonly after: number;
  /** Milliseconds between that and the end. */
  readonly delay: number;
}

/** Who listens, and when the service ends: all that a case about crashes consists of. */
export interface CrashSchedule {
  readonly listeners: readonly [Listener, ...Listener[]];
  /** In the order of time. */
  readonly crashes: readonly [Crash, ...Crash[]];
}

/** The longest time between what a crash waits for and the crash itself, in milliseconds. */
const longestDelay = 50;

/** How schedules of one kind are made. */
interface Kind {
  readonly how: Crash['how'];
  readonly listeners: readonly [Listener, ...Listener[]];
  /** Webhooks at most. Default 1. */
  readonly webhooks?: number;
  /** Crashes at most. Default 1. */
  readonly crashes?: number;
  /** Attempts that a crash waits for: the least and the most. */
  readonly after: readonly [least: number, most: number];
}

/** One end of the service. It shrinks to the earliest. */
export function crash(how: Crash['how'], [min, max]: Kind['after']): Arbitrary<Crash> {
  return fc.record({
    how: fc.constant(how),
    after: fc.integer({ min, max }),
    delay: fc.integer({ min: 0, max: longestDelay }),
  });
}

/** Several, each after more attempts than the one before. They shrink to one. */
export function crashes(how: Crash['how'], most: number, after: Kind['after']): Arbitrary<CrashSchedule['crashes']> {
  const some = fc.array(crash(how, after), { minLength: 1, maxLength: most, size: 'max' });
  return fc.noBias(some).map((all) => all.toSorted((one, other) => one.after - other.after) as unknown as [Crash]);
}

/** Schedules of one kind. They shrink to fewer webhooks, and to fewer and earlier crashes. */
export function crashSchedule(kind: Kind): Arbitrary<CrashSchedule> {
  const { how, after, webhooks = 1 } = kind;
  const listener = fc.constantFrom(...kind.listeners);
  const listeners = fc.array(listener, { minLength: 1, maxLength: webhooks, size: 'max' });
  return fc.record({
    listeners: fc.noBias(listeners) as Arbitrary<unknown> as Arbitrary<CrashSchedule['listeners']>,
    crashes: crashes(how, kind.crashes ?? 1, after),
  });
}
