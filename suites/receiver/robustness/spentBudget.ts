import fc from 'fast-check';

import type { Notification } from '../../../generators/notification/notification.ts';
import { describeAnswer } from '../../answer.ts';
import { receiverCheck } from '../../check.ts';
import type { Answer, Delivery } from '../../delivery.ts';
import type { ReceiverKit } from '../../kit.ts';
import { itemOf } from '../../items.ts';
import { unreachedKind } from '../../unreached.ts';
import { finding } from '../../finding.ts';
import { acceptedTwin, attempt } from '../expectation.ts';
import { onWire, upTo } from '../onWire.ts';

/** Deliveries that come to nothing: more than most pools, semaphores and budgets of memory hold, if not each of them is read. */
const many = 180;
/** How many of them are under way at the same time. */
const atOnce = 30;

/**
 * Milliseconds in which the receiver reads what came, for a reset takes with it what nobody has read: several times as long as
 * a plain delivery takes, in these bounds.
 */
const untilBreak = { factor: 5, least: 60, most: 500 } as const;

/** Milliseconds after which a receiver that is merely busy has recovered. */
const recovery = 3000;

/** Ways to break off a delivery that hold what was set aside for it where nobody gives it back. */
const failures = [
  'broke off before their bodies',
  'broke off within their bodies',
  'announced a body of 1 GiB and broke off',
] as const;
type Failure = (typeof failures)[number];

/** Section 4.4: what came to nothing costs nothing. */
export const spentBudget = receiverCheck<{ notification: Notification }>({
  id: 'receiver/robustness/many-broken-off',
  title: 'serves others after many deliveries that broke off',
  requirements: ['ROB-1'],
  needs: [],
  schedule: { kind: 'alone' },
  // One case: it takes many deliveries.
  weight: 0,
  cases: (draw) => [fc.record({ notification: draw.notification() })],
  run: async (kit, { notification }) => {
    const twin = await acceptedTwin(kit, kit.compose(kit.control));
    const { factor, least, most } = untilBreak;
    const pause = Math.min(most, Math.max(least, Math.round(factor * twin.answer.ms)));
    for (let sent = 0; sent < many; sent += atOnce)
      await kit.together(
        Array.from({ length: atOnce }, (_, place) =>
          failing(kit.compose(notification), itemOf(failures, place % failures.length), pause),
        ),
      );
    const plain = kit.again(twin.delivery);
    const answer = await acceptedInTime(kit, plain);
    if (kit.accepts(answer)) return undefined;
    return finding(
      {
        requirement: 'ROB-1',
        twin,
        difference: `after ${many} deliveries that broke off before or within their bodies`,
        concurrent: true,
      },
      {
        attempts: [...kit.attempts.slice(1, 2), attempt(plain, answer)],
        expected: 'a plain delivery is still accepted afterwards',
        actual: `${describeAnswer(answer)}, also ${recovery / 1000} s later`,
        // What is spent stays spent: the case could not show it a second time. Where nothing is there any more, that is a death.
        absence: answer.kind === 'broken' && unreachedKind(answer.code) === 'refused',
      },
    );
  },
  hint:
    'Give back what you set aside for a delivery (a place in a pool, a permit of a semaphore, bytes of a budget) in a ' +
    '"finally", also where its connection breaks: after enough of them there is nothing left, and everybody is refused.',
});

/** Delivers as often as a busy receiver may need, and once more after a while. */
async function acceptedInTime(kit: ReceiverKit, plain: Delivery): Promise<Answer> {
  const answer = await kit.deliverWithRetries(plain);
  if (kit.accepts(answer)) return answer;
  await kit.pause(recovery);
  return lastRefused(kit, plain);
}

/** How often it is delivered then: what is refused by chance is accepted in one of these, and what is spent stays spent. */
const tries = 6;

async function lastRefused(kit: ReceiverKit, plain: Delivery): Promise<Answer> {
  for (let tried = 1; tried < tries; tried++) {
    const answer = await kit.deliverWithRetries(kit.again(plain));
    if (kit.accepts(answer) || answer.kind !== 'answered') return answer;
  }
  return kit.deliverWithRetries(plain);
}

function failing(delivery: Delivery, failure: Failure, pause: number): Delivery {
  const whole = failure === 'announced a body of 1 GiB and broke off';
  const to = failure === 'broke off before their bodies' ? 0 : whole ? 1 : 0.5;
  const steps = upTo(to, { pause }, { end: 'rst' });
  if (!whole) return onWire(delivery, steps);
  const headers = [...delivery.headers, ['Content-Length', String(2 ** 30)]] as const;
  return onWire({ ...delivery, headers }, steps, { framing: 'none' });
}
