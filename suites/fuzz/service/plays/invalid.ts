import { placeholderUrl, withUrl } from '../../../../generators/calls/creationNeighbour.ts';
import { describeAnswer } from '../../../answer.ts';
import { listedAt } from '../../../service/creation.ts';
import { wrong } from '../found.ts';
import type { InvalidStep } from '../steps.ts';
import type { Play } from './play.ts';

const requirements = {
  incomplete: 'CRW-2',
  'without active': 'CRW-7',
  'wrong events': 'CRW-4',
  malformed: 'CRW-5',
} as const;

/** Sends a creation that is wrong in one thing: it is refused, and nothing comes of it. */
export const invalid: Play<InvalidStep> = {
  can: () => true,
  async play(modelState, { flaw, invalid: body, change }) {
    const { kit } = modelState;
    const requirement = requirements[flaw];
    const { url } = kit.endpoint();
    const call = await kit.call('create', { body: withUrl(body, url) });
    modelState.judge(requirement);
    if (!kit.refused(call)) {
      kit.adopt(call);
      return modelState.accuse(
        wrong('invalid-taken', requirement, {
          expected: `a refusal: status ${kit.assumption('refusal.status')}`,
          actual: describeAnswer(call.answer),
          exchanges: [call],
          absence: !kit.succeeded(call),
          difference: change,
        }),
      );
    }
    const left = JSON.stringify(body).includes(placeholderUrl) ? await listedAt(kit, url) : undefined;
    if (left === undefined || left.length === 0) return undefined;
    return modelState.accuse(
      wrong('invalid-taken', requirement, {
        expected: 'the refused creation leaves nothing behind',
        actual: `${describeAnswer(call.answer)}, and yet a webhook with this url is listed`,
        exchanges: [call, ...kit.exchanges.filter(({ kind }) => kind === 'call').slice(-1)],
        difference: change,
      }),
    );
  },
};
