import type { Notification } from '../../../generators/notification/notification.ts';
import { describeAnswer, hasStatusClass } from '../../answer.ts';
import type { Finding } from '../../check.ts';
import type { Attempt } from '../../delivery.ts';
import { finding } from '../../finding.ts';
import type { ReceiverKit } from '../../kit.ts';
import { acceptedStatuses, acceptedTwin, deliveredWithRetries } from '../expectation.ts';
import { unlikeBefore } from '../unlikeBefore.ts';

/** So often must the first of two be accepted and the second refused: any one may be refused by chance. */
const pairsOfTwo = 3;

/**
 * A notification that is refused because another one said the same: of two about things that are new to the receiver, the
 * first is accepted each time, and the second is not.
 */
export async function refusedOnceMore(kit: ReceiverKit, drawn: Notification): Promise<Finding | undefined> {
  let [first, second]: readonly (Attempt | undefined)[] = [];
  for (let pair = 0; pair < pairsOfTwo; pair++) {
    const notification = unlikeBefore(kit, drawn);
    first = await acceptedTwin(kit, kit.compose(notification));
    second = await deliveredWithRetries(kit, kit.compose(notification));
    if (!hasStatusClass(second.answer, 4) && !hasStatusClass(second.answer, 5)) return undefined;
  }
  if (first === undefined || second === undefined) return undefined;
  return finding(
    {
      requirement: 'RCV-1',
      twin: first,
      difference: 'another id, of a notification that says the same as one before',
      hint:
        'The first of two notifications that say the same was accepted, and the second was refused, as where something in it (a ' +
        'related resource, an order, a time) is inserted a second time and must be unique. Many events are about the same ' +
        'thing: update what is there, and keep only the id of the notification unique.',
    },
    {
      attempts: [first, second],
      expected: `each of the two is accepted: status ${acceptedStatuses(kit)}`,
      actual: describeAnswer(second.answer),
      absence: true,
    },
  );
}
