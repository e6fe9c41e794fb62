import type { Notification } from '../../../generators/notification/notification.ts';
import { describeAnswer, hasStatusClass } from '../../answer.ts';
import { receiverCheck, Unproven } from '../../check.ts';
import type { Answer } from '../../delivery.ts';
import { finding, type Point } from '../../finding.ts';
import type { ReceiverKit } from '../../kit.ts';
import { acceptedStatuses, attempt } from '../expectation.ts';

/** Section 4.4: every event of the catalogue is answered with an accepting status, whatever else stands in its body. */
export const everyEvent = receiverCheck<Notification>({
  id: 'receiver/acceptance/every-event',
  title: 'accepts a notification of every event that it subscribes to',
  requirements: ['RCV-1', 'RCV-2'],
  needs: [],
  judgesPlain: true,
  weight: 4,
  cases: (draw) =>
    draw.subscribed.map((event) => [
      draw.notification({ event }),
      draw.notification({ event, included: 'empty' }),
      draw.notification({ event, statuses: 'any', timestamps: 'any' }),
    ]),
  run: async (kit, notification) => {
    if (kit.takesForged)
      throw new Unproven('right signatures are refused (VRF-1), so no event is accepted as it should');
    const { acceptedStatuses: statuses } = kit.contract.delivery;
    const delivery = kit.compose(notification, { contentType: kit.assumed('body.mediaType') });
    const answer = await kit.deliverWithRetries(delivery);
    if (answer.kind === 'answered' && statuses.includes(answer.status)) return undefined;
    return finding(await refusedFor(kit, notification, answer), {
      attempts: [attempt(delivery, answer)],
      expected: `the delivery is accepted: status ${acceptedStatuses(kit, statuses)}`,
      actual: describeAnswer(answer),
      absence: true,
    });
  },
  hint:
    'Store the notification and answer first; decide about the event afterwards. Many receivers know only the ' +
    'events that existed when they were written. If your webhook has only some events, name them with --events.',
});

/** Whether it is the event that is refused, or what else the body says: then the plain body of that event is accepted. */
async function refusedFor(kit: ReceiverKit, notification: Notification, refusal: Answer): Promise<Point> {
  const { event } = notification;
  const plain = kit.compose(kit.plain(notification));
  const twin = attempt(plain, await kit.deliverWithRetries(plain));
  if (!kit.accepts(twin.answer) || hasStatusClass(refusal, 2))
    return { requirement: 'RCV-1', difference: `the event is ${event}`, hint: hintOf(refusal) };
  return {
    requirement: 'RCV-2',
    twin,
    difference: `another notification of ${event}`,
    hint:
      'What is done for this one event expects more of the body than the contract promises. Related resources, for ' +
      'one, may be none: look whether what you read is there, and store the notification before you interpret it.',
  };
}

function hintOf(answer: Answer): string | undefined {
  const status = describeAnswer(answer);
  if (hasStatusClass(answer, 2))
    return `Answer with a status that ends the delivery: the sender takes ${status} for a failure.`;
  if (!hasStatusClass(answer, 3)) return undefined;
  return (
    `Answer at this address, and with a status that ends the delivery: a sender does not follow a redirect, and takes ` +
    `${status} for a failure. If the receiver is at the address that the Location header names, give that address.`
  );
}
