import { hasStatusClass } from '../answer.ts';
import type { Attempt, Delivery } from '../delivery.ts';
import type { ReceiverKit } from '../kit.ts';
import { attempt } from './expectation.ts';

/** Redeliveries at most: a receiver of several processes may fail in each of them. */
const most = 12;

/** Delivers what failed (5xx) again until it does not fail, as often as a service might. */
export async function redeliveredUntilAccepted(kit: ReceiverKit, delivery: Delivery): Promise<Attempt> {
  let answer = await kit.deliverWithRetries(delivery);
  for (let sent = 1; sent < most && hasStatusClass(answer, 5); sent++) answer = await kit.deliverWithRetries(delivery);
  return attempt(delivery, answer);
}
