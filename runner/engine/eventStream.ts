import { performance } from 'node:perf_hooks';

import type { RunEvent, RunFinished } from '../../reports/model/events.ts';

/** A run while it goes on, for those who make its events. */
export interface EventSink {
  /** Aborted when the user interrupts the run, and when nobody reads its events any more. */
  readonly signal: AbortSignal;
  /** Milliseconds since the run began, to a tenth. */
  elapsed(): number;
  /** Hands out an event as it is. */
  push(event: RunEvent): void;
  /** Hands out an event, stamped with the time. */
  emit(event: UntimedEvent): void;
}

/**
 * Everything that happens while something is conducted, in order and without bound. What it throws is thrown to the
 * reader, after the events before it.
 *
 * @example yield* eventStream(plan.signal, (sink) => conduct(plan, sink));
 */
export async function* eventStream(
  signal: AbortSignal,
  conduct: (sink: EventSink) => Promise<void>,
): AsyncGenerator<RunEvent> {
  const events = new EventQueue<RunEvent>();
  const left = new AbortController();
  const start = performance.now();
  const elapsed = (): number => Math.round((performance.now() - start) * 10) / 10;
  const push = (event: RunEvent): void => events.push(event);
  const emit = (event: UntimedEvent): void => push({ ...event, ms: elapsed() } as RunEvent);
  const ended = AbortSignal.any([signal, left.signal]);
  const run = conduct({ signal: ended, elapsed, push, emit }).finally(() => events.close());
  try {
    yield* events;
  } finally {
    // Anyone who stops reading ends the run, so that nothing of it goes on unseen.
    left.abort();
    await run;
  }
}

/**
 * The last event of a run.
 *
 * @param endedBy - why it ended early; nothing where it did not
 * @param interrupted - whether the user ended it
 */
export function runFinished(
  endedBy: RunEnd | undefined,
  interrupted: boolean,
  sink: Pick<EventSink, 'elapsed'>,
): Omit<RunFinished, 'ms'> {
  const outOfTime = endedBy?.cause === 'time';
  const complete = (endedBy === undefined || outOfTime) && !interrupted;
  const at = new Date().toISOString();
  return {
    type: 'run.finished',
    at,
    durationMs: Math.round(sink.elapsed()),
    complete,
    interrupted,
    ...(outOfTime && { outOfTime }),
  };
}

/** Hands events from where they happen to an async iterator, in order and without bound. */
class EventQueue<T> {
  #events: T[] = [];
  #closed = false;
  #wake: (() => void) | undefined;

  push(event: T): void {
    this.#events.push(event);
    this.#wake?.();
  }

  /** No further events come; what was pushed is still handed out. */
  close(): void {
    this.#closed = true;
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    while (!this.#closed || this.#events.length > 0) {
      const events = this.#events;
      this.#events = [];
      yield* events;
      if (this.#events.length > 0 || this.#closed) continue;
      await new Promise<void>((resolve) => (this.#wake = resolve));
      this.#wake = undefined;
    }
  }
}

/** An event as it leaves the engine's parts, before the engine stamps its time on it. */
export type UntimedEvent = RunEvent extends infer E
  ? E extends { readonly ms: number }
    ? Omit<E, 'ms'>
    : never
  : never;

/** Why a run ended before its end. */
export interface RunEnd {
  readonly reason: string;
  readonly advice?: string;
  /** False where the user asked for the end; then the target is not to blame. Default true. */
  readonly lost?: boolean;
  /** Where all of it are words of the kit, none of the user's or the target's: a secret that is a word stays in them. */
  readonly kitWords?: true;
  /** Where what was seen until then stands as it is: the time of the run was over, or the target hangs. */
  readonly cause?: 'time' | 'hang';
}
