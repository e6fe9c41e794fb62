import type { Attempt } from '../../delivery.ts';
import type { ReceiverKit } from '../../kit.ts';
import type { Entry, ReceiverModelState } from './receiverModelState.ts';

/** Attempts of other notifications, and of its own, that a reader is shown. */
const most = { others: 6, own: 12 } as const;

/** What was sent of a notification and of those that it may have been taken for, in order, the decisive attempt last. */
export function historyOf(
  kit: ReceiverKit,
  modelState: ReceiverModelState,
  entry: Entry,
  decisive?: Attempt,
): readonly Attempt[] {
  const own = kit.attempts.filter(({ delivery }) => delivery.id === entry.genuine.id);
  const last = decisive ? own.findLast(({ answer }) => answer === decisive.answer) : own.at(-1);
  const until = last ? kit.attempts.indexOf(last) : kit.attempts.length;
  const ids = new Set(
    modelState.entries.filter((other) => other !== entry && other.begun).map(({ genuine }) => genuine.id),
  );
  const earlier = kit.attempts.slice(0, until);
  const others = earlier.filter(({ delivery }) => ids.has(delivery.id)).slice(-most.others);
  const before = earlier.filter((attempt) => own.includes(attempt)).slice(-most.own);
  const shown = new Set([...others, ...before]);
  return [...earlier.filter((attempt) => shown.has(attempt)), ...(last ? [last] : decisive ? [decisive] : [])];
}
