import type { Caught } from '../../exchange.ts';
import type { ServiceKit, Webhook } from '../../serviceKit.ts';
import { itemOf } from '../../items.ts';

/** Milliseconds without an attempt after which it is asked whether more will follow, and after which none does, at least. */
const leastWait = { brief: 250, whole: 2000 } as const;
/** How many of the longest pauses so far each takes. */
const pauses = { brief: 3, whole: 10 } as const;

/** How a wait for attempts ended: all came, no more do, or the retry window ended before that was certain. */
type Waited = 'came' | 'stopped' | 'late';

/** The attempts of the first notification that came: others may make the same happen meanwhile. */
export function firstAttempts({ endpoint: { caught } }: Webhook): readonly Caught[] {
  return caught.filter(({ key }) => key === caught[0]?.key);
}

/**
 * Waits until the first notification of a webhook had so many attempts. Gives up where no further attempt comes for several times the longest pause
 * so far, and soon where the service says so itself.
 *
 * @param attempts - from 1
 * @param isOver - whether the service says that no further attempt follows. Default: it does not say
 */
export async function untilAttempts(
  kit: ServiceKit,
  webhook: Webhook,
  attempts: number,
  isOver: () => Promise<boolean> = () => Promise.resolve(false),
): Promise<Waited> {
  const end = kit.elapsed() + kit.window;
  const isThere = () => firstAttempts(webhook)[attempts - 1]?.end && true;
  let pauseLength: keyof typeof pauses = 'brief';
  for (;;) {
    const before = firstAttempts(webhook);
    const progress = progressOf(before);
    if (await kit.soon(isThere, Math.min(lengthOf(before, pauseLength), end - kit.elapsed()))) return 'came';
    if (kit.elapsed() >= end) return 'late';
    const now = firstAttempts(webhook);
    const isQuiet = progressOf(now) === progress && now.every((each) => each.end);
    if (isQuiet && (pauseLength === 'whole' || (await isOver()))) return isThere() ? 'came' : 'stopped';
    pauseLength = isQuiet ? 'whole' : 'brief';
  }
}

/** Grows with each attempt, and with each that ends. */
function progressOf(caught: readonly Caught[]): number {
  return caught.length + caught.filter(({ end }) => end).length;
}

function lengthOf(caught: readonly Caught[], pauseLength: keyof typeof pauses): number {
  const own = caught.slice(1).map(({ at }, index) => at - itemOf(caught, index).at);
  return Math.max(leastWait[pauseLength], pauses[pauseLength] * Math.max(0, ...own));
}
