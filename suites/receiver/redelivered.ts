import type { Notification } from '../../generators/notification/notification.ts';
import { hasStatusClass } from '../answer.ts';
import type { Finding } from '../check.ts';
import type { Attempt, Delivery } from '../delivery.ts';
import type { ReceiverKit } from '../kit.ts';
import { countOf, oneOfEach } from './counting.ts';
import { attempt } from './expectation.ts';

/** The delivery as it comes again: with the headers by which the provider marks that, if there are any. */
export function redelivery({ contract }: ReceiverKit, delivery: Delivery): Delivery {
  const { redeliveryHeaders } = contract.delivery;
  return { ...delivery, headers: [...delivery.headers, ...redeliveryHeaders] };
}

/** The finding that a redelivery was lost. It was lost for its marks where one is lost that nothing came before. */
export async function lostRedelivery(
  kit: ReceiverKit,
  found: Finding | undefined,
  notification: Notification,
): Promise<Finding | undefined> {
  const marks = kit.contract.delivery.redeliveryHeaders.map(([name]) => name);
  if (found === undefined || marks.length === 0) return found;
  const delivery = redelivery(kit, kit.compose(notification));
  const first = attempt(delivery, await kit.deliverWithRetries(delivery));
  if (!kit.accepts(first.answer) || countOf(await kit.effects(oneOfEach(first)), first) > 0) return found;
  const hint =
    `What comes with ${marks.join(' and ')} is dropped, also where nothing came before it. The first delivery may have ` +
    'failed: look for the id among what you have accepted.';
  return { ...found, hint };
}

/** Redeliveries at most: a receiver of several processes may fail in each of them. */
const most = 12;

/** Delivers what failed (5xx) again until it does not fail, as often as a service might. */
export async function redeliveredUntilAccepted(kit: ReceiverKit, delivery: Delivery): Promise<Attempt> {
  let answer = await kit.deliverWithRetries(delivery);
  for (let sent = 1; sent < most && hasStatusClass(answer, 5); sent++) answer = await kit.deliverWithRetries(delivery);
  return attempt(delivery, answer);
}
