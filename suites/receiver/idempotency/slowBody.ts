import fc from 'fast-check';

import type { Notification } from '../../../generators/notification/notification.ts';
import { receiverCheck } from '../../check.ts';
import { expectEffects } from '../effect.ts';
import { acceptedTwin, attemptsOf } from '../expectation.ts';
import { heldAt } from '../onWire.ts';

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
