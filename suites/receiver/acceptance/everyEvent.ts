import type { Notification } from '../../../generators/notification/notification.ts';
import { describeAnswer } from '../../answer.ts';
import { receiverCheck, Unproven } from '../../check.ts';
import type { Answer } from '../../delivery.ts';
import { acceptedStatuses, attempt, finding } from '../expectation.ts';

/** Section 4.4: every event of the catalogue is answered with an accepting status. */
export const everyEvent = receiverCheck<Notification>({
  id: 'receiver/acceptance/every-event',
  title: 'accepts a notification of every event that it subscribes to',
  requirements: ['RCV-1'],
  needs: [],
  judgesPlain: true,
  weight: 4,
  cases: (draw) => draw.subscribed.map((event) => draw.notification({ event })),
  run: async (kit, notification) => {
    if (kit.takesForged)
      throw new Unproven('right signatures are refused (VRF-1), so no event is accepted as it should');
    const { acceptedStatuses: statuses } = kit.contract.delivery;
    const delivery = kit.compose(notification, { contentType: kit.assumed('body.mediaType') });
    const answer = await kit.deliverWithRetries(delivery);
    if (answer.kind === 'answered' && statuses.includes(answer.status)) return undefined;
    return finding(
      [attempt(delivery, answer)],
      { requirement: 'RCV-1', difference: `the event is ${notification.event}`, hint: hintOf(answer) },
      {
        expected: `the delivery is accepted: status ${acceptedStatuses(kit, statuses)}`,
        actual: describeAnswer(answer),
        absence: true,
      },
    );
  },
  hint:
    'Store the notification and answer first; decide about the event afterwards. Many receivers know only the ' +
    'events that existed when they were written. If your webhook has only some events, name them with --events.',
});

/** What usually is wrong where the answer says that nothing is. */
function hintOf(answer: Answer): string | undefined {
  if (answer.kind !== 'answered' || answer.status < 200 || answer.status > 399) return undefined;
  const status = describeAnswer(answer);
  if (answer.status < 300)
    return `Answer with a status that ends the delivery: after ${status} the sender delivers again.`;
  return (
    `Answer at this address, and with a status that ends the delivery: a sender does not follow a redirect, and delivers ` +
    `again after ${status}. If the receiver is at the address that the Location header names, give that address.`
  );
}
