import type { PassStep } from '../steps.ts';
import type { Play } from './play.ts';

/** Lets time pass. */
export const pass: Play<PassStep> = {
  can: () => true,
  async play({ kit }, { ms }) {
    await kit.soon(() => undefined, ms);
  },
};
