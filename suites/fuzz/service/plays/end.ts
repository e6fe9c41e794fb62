import type { EndStep } from '../steps.ts';
import type { Play } from './play.ts';

/** Ends the service or freezes it, and brings it back. */
export const end: Play<EndStep> = {
  can: () => true,
  async play({ kit, away }, { do: how, ms }) {
    const from = kit.elapsed();
    if (how === 'kill') await kit.life.kill();
    else if (how === 'stop') await kit.life.stop();
    else await kit.life.pause();
    await kit.soon(() => undefined, ms);
    if (how === 'pause') await kit.life.resume();
    else await kit.life.start();
    away.push({ from, to: kit.elapsed(), paused: how === 'pause' });
  },
};
