import type { EmitStep } from '../steps.ts';
import type { ServiceModelState } from '../serviceModelState.ts';
import type { Play } from './play.ts';

/** Makes events happen at the same moment. */
export const emit: Play<EmitStep> = {
  can: ({ taken }) => taken.size > 0,
  async play(modelState, { events }) {
    await Promise.all(events.map((event) => raise(modelState, event)));
  },
};

async function raise({ kit, raised }: ServiceModelState, event: string): Promise<void> {
  const from = kit.elapsed();
  const index = raised.push({ event, from, to: Infinity }) - 1;
  await kit.raise(event);
  raised[index] = { event, from, to: kit.elapsed() };
}
