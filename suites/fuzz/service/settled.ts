import { parseDuration } from '../../../spec/duration.ts';
import { longestPause } from './longestPause.ts';
import { isAnswering, missing } from './missing.ts';
import type { World } from './world.ts';

/** Milliseconds without anything new after which what is missing is looked into; several pauses of what was retried. */
const leastPatience = 250;
/** How many times its longest pause so far something may take. */
const factor = 4;
/** Milliseconds that what must not come is awaited at least and at most. */
const quiet = { least: 40, afterHappenings: 150, most: 600 };

/** How it ended: all was there, or something is missing and nothing came any more, or things came until the retry window ended. */
type Settled = 'whole' | 'quiet' | 'busy';

/** Waits until all is there that has to come, or nothing came for a while; then a little longer, for what must not come. */
export async function untilSettled(world: World): Promise<Settled> {
  const { kit } = world;
  const end = kit.elapsed() + kit.window;
  const isThere = watched(world, () => missing(world).length === 0 && !isAnswering(world));
  for (;;) {
    const before = world.version;
    const isDone = await kit.soon(isThere, Math.min(patience(world), end - kit.elapsed()));
    if (isDone) await quietly(world);
    // What came only now may have brought something to wait for.
    if (isDone && missing(world).length === 0) return 'whole';
    if (!isDone && world.version === before) return 'quiet';
    if (kit.elapsed() >= end) return 'busy';
  }
}

/** Waits for what must not come. */
async function quietly(world: World): Promise<void> {
  const least = world.raised.length > 0 ? quiet.afterHappenings : quiet.least;
  const pause = Math.min(Math.max(least, 2.5 * longestPause(world.letters)), quiet.most);
  await world.kit.soon(() => undefined, pause);
}

/** Asks only where something came since it was asked last: everything that comes anywhere wakes whoever waits. */
function watched(world: World, ask: () => boolean): () => true | undefined {
  let version = -1;
  let answer = false;
  return () => {
    const now = world.version;
    if (now !== version) answer = ask();
    version = now;
    return answer || undefined;
  };
}

function patience(world: World): number {
  const timeout = isAnswering(world) ? 1.5 * parseDuration(world.kit.assumption('delivery.timeout')) : 0;
  return Math.max(leastPatience, factor * longestPause(world.letters), timeout);
}
