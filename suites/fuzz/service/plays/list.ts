import { Unobservable } from '../../../check.ts';
import { judgeListedWebhooks } from '../judgedListedWebhooks.ts';
import type { ListStep } from '../steps.ts';
import type { ServiceModelState } from '../serviceModelState.ts';
import type { Play } from './play.ts';

/** Reads a list: how the webhooks of the sequence are listed is judged at once, how its notifications are, at the end. */
export const list: Play<ListStep> = {
  can: ({ taken }, { what }) => what === 'notifications' || taken.size > 0,
  async play(modelState, { what }) {
    try {
      await (what === 'webhooks' ? judgeListedWebhooks(modelState) : look(modelState));
    } catch (error) {
      if (!(error instanceof Unobservable)) throw error;
    }
  },
};

async function look(modelState: ServiceModelState): Promise<void> {
  const { kit } = modelState;
  const at = kit.elapsed();
  const ids = [...new Set(modelState.deliveries.map(({ id }) => id))].filter((id) => id !== '');
  const listed = ids.length === 0 ? new Map<string, never>() : await kit.listed(ids);
  const statuses = new Map([...listed].map(([id, { status }]) => [id, status]));
  modelState.readings.push({ at, until: kit.elapsed(), statuses });
}
