import type { Json } from '../../../../generators/json/json.ts';
import { Unobservable } from '../../../check.ts';
import { attributeNamed } from '../../../service/creation.ts';
import type { ServiceKit } from '../../../serviceKit.ts';
import { scriptOf } from './create.ts';
import type { State } from '../registered.ts';
import type { UpdateStep } from '../steps.ts';
import type { Play } from './play.ts';
import { isAmong } from '../../../service/isAmong.ts';

/** Changes a webhook. How that is done is not described (GAP-9), so a refusal shows nothing. */
export const update: Play<UpdateStep> = {
  can: ({ taken, missing }, { slot }) => taken.has(slot) && !missing.has('update'),
  async play(modelState, step, { missing }) {
    const { kit } = modelState;
    const owner = modelState.there(step.slot);
    const next = changed(kit, step, owner.now);
    const sent: State = { ...next, from: kit.elapsed(), to: Infinity, unclear: true };
    const index = owner.states.push(sent) - 1;
    try {
      const call = await kit.update(owner.webhook, attributesOf(kit, step, next));
      owner.states[index] = { ...sent, to: kit.elapsed(), unclear: !isAmong(kit, call, 'update.response') };
    } catch (error) {
      if (!(error instanceof Unobservable)) throw error;
      owner.states.pop();
      missing.add('update');
    }
  },
};

function changed(kit: ServiceKit, { active, events, headers, url }: UpdateStep, before: State): State {
  return {
    ...before,
    ...(active !== undefined && { active }),
    ...(events && { events }),
    ...(headers && { headers }),
    ...(url && { place: kit.endpoint(scriptOf(kit, url)) }),
  };
}

function attributesOf({ terms }: ServiceKit, step: UpdateStep, next: State): Readonly<Record<string, Json>> {
  return {
    ...(step.active !== undefined && { [attributeNamed(terms, 'active')]: next.active }),
    ...(step.events && { [attributeNamed(terms, 'events')]: next.events ?? [] }),
    ...(step.headers && { [attributeNamed(terms, 'headers')]: next.headers.map((each) => ({ ...each })) }),
    ...(step.url && { [attributeNamed(terms, 'url')]: next.place.url }),
  };
}
