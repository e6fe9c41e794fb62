import { isAnswering, missing } from '../missing.ts';
import type { AwaitStep, PassStep, EndStep } from '../steps.ts';
import type { Play } from './play.ts';

/** Milliseconds that an attempt is waited for at most. */
const waitTime = 1500;

/** Waits for an attempt, as long as something is still to come. */
export const awaiting: Play<AwaitStep> = {
  can: ({ taken }, { slot }) => taken.has(slot),
  async play(modelState, { slot, attempt }) {
    const owner = modelState.there(slot);
    let version = -1;
    const isThere = (): true | undefined => {
      if (version === modelState.version) return undefined;
      version = modelState.version;
      const newest = modelState.deliveries.findLast((delivery) => delivery.owner === owner);
      if ((newest?.attempts.length ?? 0) >= attempt) return true;
      return (missing(modelState).length === 0 && !isAnswering(modelState)) || undefined;
    };
    await modelState.kit.soon(isThere, Math.min(waitTime, modelState.kit.window));
  },
};

/** Lets time pass. */
export const pass: Play<PassStep> = {
  can: () => true,
  async play({ kit }, { ms }) {
    await kit.soon(() => undefined, ms);
  },
};

/** Ends the service or freezes it, and brings it back. */
export const end: Play<EndStep> = {
  can: () => true,
  async play({ kit, away }, { do: how, ms }) {
    const from = kit.elapsed();
    if (how === 'kill') await kit.processControl.kill();
    else if (how === 'stop') await kit.processControl.stop();
    else await kit.processControl.pause();
    await kit.soon(() => undefined, ms);
    if (how === 'pause') await kit.processControl.resume();
    else await kit.processControl.start();
    away.push({ from, to: kit.elapsed(), paused: how === 'pause' });
  },
};
