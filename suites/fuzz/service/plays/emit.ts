import type { EmitStep } from '../steps.ts';
import type { World } from '../world.ts';
import type { Play } from './play.ts';

/** Makes events happen at the same moment. */
export const emit: Play<EmitStep> = {
  can: ({ taken }) => taken.size > 0,
  async play(world, { events }) {
    await Promise.all(events.map((event) => raise(world, event)));
  },
};

async function raise({ kit, raised }: World, event: string): Promise<void> {
  const from = kit.elapsed();
  const index = raised.push({ event, from, to: Infinity }) - 1;
  await kit.raise(event);
  raised[index] = { event, from, to: kit.elapsed() };
}
