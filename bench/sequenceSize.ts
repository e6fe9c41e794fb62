import type { FuzzStep } from '../suites/fuzz/fuzzing.ts';

interface Counted extends FuzzStep {
  readonly times?: number;
  readonly parts?: readonly { readonly copies?: number }[];
  readonly events?: readonly string[];
}

/** How many deliveries a sequence makes, or how many calls, those that raise an event included. Waiting is none. */
export function sequenceSize(steps: readonly FuzzStep[]): number {
  return steps.reduce((sum, step) => sum + sizeOf(step), 0);
}

function sizeOf({ do: kind, times = 1, parts, events = [] }: Counted): number {
  if (['wait', 'await', 'pass'].includes(kind)) return 0;
  if (parts !== undefined) return parts.reduce((sum, { copies = 1 }) => sum + copies, 0);
  return kind === 'emit' ? events.length : times;
}
