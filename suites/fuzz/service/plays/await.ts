import { isAnswering, missing } from '../missing.ts';
import type { AwaitStep } from '../steps.ts';
import type { Play } from './play.ts';

/** Milliseconds that an attempt is waited for at most. */
const patience = 1500;

/** Waits for an attempt, as long as something is still to come. */
export const awaiting: Play<AwaitStep> = {
  can: ({ taken }, { slot }) => taken.has(slot),
  async play(world, { slot, attempt }) {
    const owner = world.at(slot)!;
    let version = -1;
    const isThere = (): true | undefined => {
      if (version === world.version) return undefined;
      version = world.version;
      const newest = world.letters.findLast((letter) => letter.owner === owner);
      if ((newest?.attempts.length ?? 0) >= attempt) return true;
      return (missing(world).length === 0 && !isAnswering(world)) || undefined;
    };
    await world.kit.soon(isThere, Math.min(patience, world.kit.window));
  },
};
