import { describeAnswer } from '../../../answer.ts';
import { trackingBody } from '../../../service/trackingBody.ts';
import { wrong } from '../found.ts';
import type { TrackStep } from '../steps.ts';
import type { Play } from './play.ts';

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
