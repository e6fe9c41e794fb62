import type { EndStep } from '../steps.ts';
import type { Play } from './play.ts';

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
