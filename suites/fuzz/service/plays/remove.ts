import type { RemoveStep } from '../steps.ts';
import type { Play } from './play.ts';

/** Deletes a webhook, where that is offered (GAP-13). */
export const remove: Play<RemoveStep> = {
  can: ({ taken, missing }, { slot }) => taken.has(slot) && !missing.has('remove'),
  async play(modelState, { slot }, { taken, missing }) {
    const { kit } = modelState;
    const owner = modelState.there(slot);
    const from = kit.elapsed();
    const call = await kit.call('delete', { parameters: { id: owner.webhook.id } });
    if (!kit.succeeded(call)) return void missing.add('remove');
    owner.states.push({ ...owner.now, from, to: kit.elapsed(), gone: true });
    taken.delete(slot);
  },
};
