import type { RunEvent } from '../../reports/model/events.ts';

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
  /** Where what was seen until then stands as it is: the time of the run was over, or the target hangs. */
  readonly cause?: 'time' | 'hang';
}
