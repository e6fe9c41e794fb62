import { parseDuration } from '../../../spec/duration.ts';
import { longestPause } from './registered.ts';
import { isAnswering, missing } from './missing.ts';
import type { ServiceModelState } from './serviceModelState.ts';

/** Milliseconds without anything new after which what is missing is looked into; several pauses of what was retried. */
const leastWait = 250;
/** How many times its longest pause so far something may take. */
const factor = 4;
/** Milliseconds that what must not come is awaited at least and at most. */
const quiet = { least: 40, afterTriggeredEvents: 150, most: 600 };

/** How it ended: all was there, or something is missing and nothing came any more, or things came until the retry window ended. */
type Settled = 'whole' | 'quiet' | 'busy';

/** Waits until all is there that has to come, or nothing came for a while; then a little longer, for what must not come. */
export async function untilSettled(modelState: ServiceModelState): Promise<Settled> {
  const { kit } = modelState;
  const end = kit.elapsed() + kit.window;
  const isThere = watched(modelState, () => missing(modelState).length === 0 && !isAnswering(modelState));
  for (;;) {
    const before = modelState.version;
    const isDone = await kit.soon(isThere, Math.min(quietTime(modelState), end - kit.elapsed()));
    if (isDone) await quietly(modelState);
    // What came only now may have brought something to wait for.
    if (isDone && missing(modelState).length === 0) return 'whole';
    if (!isDone && modelState.version === before) return 'quiet';
    if (kit.elapsed() >= end) return 'busy';
  }
}

/** Waits for what must not come. */
async function quietly(modelState: ServiceModelState): Promise<void> {
  const least = modelState.raised.length > 0 ? quiet.afterTriggeredEvents : quiet.least;
  const pause = Math.min(Math.max(least, 2.5 * longestPause(modelState.deliveries)), quiet.most);
  await modelState.kit.soon(() => undefined, pause);
}

/** Asks only where something came since it was asked last: everything that comes anywhere wakes all that wait. */
function watched(modelState: ServiceModelState, ask: () => boolean): () => true | undefined {
  let version = -1;
  let answer = false;
  return () => {
    const now = modelState.version;
    if (now !== version) answer = ask();
    version = now;
    return answer || undefined;
  };
}

function quietTime(modelState: ServiceModelState): number {
  const timeout = isAnswering(modelState) ? 1.5 * parseDuration(modelState.kit.assumption('delivery.timeout')) : 0;
  return Math.max(leastWait, factor * longestPause(modelState.deliveries), timeout);
}
