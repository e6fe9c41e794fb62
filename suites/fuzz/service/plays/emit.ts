import type { EmitStep, TriggerStep, TrackStep } from '../steps.ts';
import { outcomeOf, type Play, type ServiceModelState } from '../serviceModelState.ts';
import { describeAnswer } from '../../../answer.ts';
import { isTaken, sampleOf, trigger as operation } from '../../../service/sampling.ts';
import { wrong } from '../found.ts';
import { trackingBody } from '../../../service/trackingBody.ts';

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

/** Asks for a sample. */
export const trigger: Play<TriggerStep> = {
  can: ({ taken }, { at }) => at === null || taken.has(at),
  async play(modelState, { event, secret, at: slot }) {
    const { kit } = modelState;
    const owner = modelState.parts.has('sample:secret') ? modelState.at(slot) : undefined;
    const place = owner?.now.place ?? kit.endpoint();
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

/** Submits a number. What comes of it is the matter of many minutes; that a good one is taken is seen at once. */
export const track: Play<TrackStep> = {
  can: () => true,
  async play(modelState, { known }) {
    const { kit } = modelState;
    const [number] = known ? kit.trackable : kit.untrackable;
    if (number === undefined) return;
    const call = await kit.call('track', { body: trackingBody(kit.terms, number) });
    if (!known) return;
    modelState.judge('SVC-1');
    if (kit.succeeded(call)) return;
    modelState.accuse(
      wrong('not-tracked', 'SVC-1', {
        expected: 'a request with a number that the service finds is accepted',
        actual: describeAnswer(call.answer),
        exchanges: [call],
        absence: true,
      }),
    );
  },
};
