import { describeAnswer } from '../../../answer.ts';
import { isTaken, sampleOf, trigger as operation } from '../../../service/sampling.ts';
import { wrong } from '../found.ts';
import { outcomeOf } from '../outcome.ts';
import type { TriggerStep } from '../steps.ts';
import type { Play } from './play.ts';

/** Asks for a sample. */
export const trigger: Play<TriggerStep> = {
  can: ({ taken }, { at }) => at === null || taken.has(at),
  async play(modelState, { event, secret, at: slot }) {
    const { kit } = modelState;
    const place = modelState.at(slot)?.now.place ?? kit.endpoint();
    const at = kit.elapsed();
    const request = { url: place.url, event, ...(secret !== null && { secret }) };
    const call = await kit.call(operation, { body: sampleOf(kit, request) });
    modelState.judge('TRG-1', secret === null ? 'TRG-6' : 'TRG-2');
    // A service may hand on how the receiver answered: that a sample was refused there says nothing of the call.
    const isHandedOn = place.caught.some(
      (caught) =>
        caught.at >= at && modelState.read(caught).event === event && outcomeOf(caught, kit.contract) !== 'accepted',
    );
    if (isTaken(kit, call) || isHandedOn) return void modelState.sampled.push({ event, secret, place, at, call });
    return modelState.accuse(
      wrong('valid-refused', 'TRG-1', {
        expected: `one sample of ${event} comes to the given url`,
        actual: `the call was not taken: ${describeAnswer(call.answer)}`,
        exchanges: [call],
        absence: true,
      }),
    );
  },
};
