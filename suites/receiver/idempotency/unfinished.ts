import fc from 'fast-check';

import { hasStatusClass } from '../../answer.ts';
import { receiverCheck, Unproven, type Finding } from '../../check.ts';
import type { Attempt } from '../../delivery.ts';
import { finding } from '../../finding.ts';
import { itemOf, pairs } from '../../items.ts';
import type { ReceiverKit } from '../../kit.ts';
import { countOf, oneOfEach } from '../counting.ts';
import { acceptedTwin, attempt, attemptsOf } from '../expectation.ts';
import { redeliveredUntilAccepted } from '../redelivered.ts';
import type { Notification } from '../../../generators/notification/notification.ts';
import { expectEffects } from '../effect.ts';
import { heldAt } from '../onWire.ts';

/** Deliveries of which some fail, if failures come by chance and are not too rare; and milliseconds that they take one by one. */
const most = { deliveries: 60, ms: 3000 } as const;

/** Those that failed which are delivered again, at most. */
const tried = 4;

/** Section 6.3: a service delivers what failed again, and only then does it take effect. */
export const passingFailure = receiverCheck<null>({
  id: 'receiver/idempotency/passing-failure',
  title: 'lets a notification take effect when it is redelivered after an error that comes now and then',
  requirements: ['IDM-5'],
  needs: ['probe'],
  judgesChance: true,
  // One case: it takes many deliveries.
  weight: 0,
  cases: () => [fc.constant(null)],
  run: async (kit) => {
    const twin = await acceptedTwin(kit, kit.compose(kit.control));
    const count = Math.max(2, Math.min(most.deliveries, Math.floor(most.ms / twin.answer.ms)));
    const copies = Array.from({ length: count }, () => kit.compose(kit.control));
    const answers = await Promise.all(copies.map((copy) => kit.deliver(copy)));
    const failed = pairs(copies, answers).filter(([, answer]) => hasStatusClass(answer, 5));
    const passed: [Attempt, Attempt][] = [];
    for (const [delivery, answer] of failed.slice(0, tried)) {
      const again = await redeliveredUntilAccepted(kit, delivery);
      if (kit.accepts(again.answer)) passed.push([attempt(delivery, answer), again]);
    }
    if (passed.length > 0) return lostOf(kit, twin, passed);
    if (answers.some(({ kind }) => kind === 'timed-out')) throw new Unproven('plain deliveries got no answer in time');
    return undefined;
  },
  hint:
    'Store the id and the notification in one transaction. An id that is stored first, and stays when the work fails, makes the ' +
    'redelivery look like a duplicate: the notification is acknowledged and lost.',
});

/** @throws Unproven where what was accepted at once took no effect either */
async function lostOf(
  kit: ReceiverKit,
  twin: Attempt,
  passed: readonly [failed: Attempt, accepted: Attempt][],
): Promise<Finding | undefined> {
  const effects = await kit.effects(oneOfEach(twin, ...passed.map(([failed]) => failed)));
  if (countOf(effects, twin) !== 1) throw new Unproven('what was accepted at once took no effect either');
  const lost = passed.filter(([failed]) => countOf(effects, failed) === 0);
  if (lost.length === 0) return undefined;
  const difference = 'it was answered with an error at first, and accepted when it was delivered again';
  const [failed] = itemOf(lost, 0);
  return finding(
    // Two deliveries seldom show it: the case is all of them, sent at once.
    { requirement: 'IDM-5', twin, difference, concurrent: true },
    {
      attempts: itemOf(lost, 0),
      expected: 'exactly one effect after the redelivery was accepted',
      actual: lost.length > 1 ? `no effect of any of the ${lost.length} notifications that failed first` : 'no effect',
      // What is seen twice is no chance.
      absence: lost.length < 2,
      effects: [{ id: failed.delivery.id, expected: 1, actual: 0 }],
    },
  );
}

/** Milliseconds for which the end of a body is waited for. */
const pause = 50;

/** Section 6.3: a notification takes effect once, however long its body is on its way. */
export const slowBody = receiverCheck<{ notification: Notification; sent: number }>({
  id: 'receiver/idempotency/slow-body',
  title: 'lets a notification take effect once when its body arrives slowly',
  requirements: ['IDM-2', 'RTY-1'],
  needs: ['probe'],
  schedule: { kind: 'alone' },
  weight: 0.1,
  cases: (draw) => [
    fc.record({ sent: fc.double({ min: 0.01, max: 0.99, noNaN: true }), notification: draw.notification() }),
  ],
  run: async (kit, { notification, sent }) => {
    const twin = await acceptedTwin(kit, kit.compose(notification));
    const slow = [heldAt(kit.compose(notification), sent)];
    const { answers } = await kit.besideHeld(slow, () => kit.pause(pause));
    const attempts = attemptsOf(slow, answers).filter(({ answer }) => kit.accepts(answer));
    const point = { twin, difference: 'its body arrived slowly' };
    return expectEffects(
      kit,
      { attempts, claim: 'still not repeated', point: { requirement: 'IDM-2', ...point } },
      { attempts, claim: 'not lost', point: { requirement: 'RTY-1', ...point } },
    );
  },
  hint:
    'Start work once, after the whole body was read and verified: not at the first bytes, and not when a timer ends that waits ' +
    'for the rest.',
});
