import { hasStatusClass } from '../answer.ts';
import type { Attempt, Delivery } from '../delivery.ts';
import type { ReceiverKit } from '../kit.ts';
import { attempt } from './expectation.ts';

/** The delivery as it comes again: with the headers by which the provider marks that, if there are any. */
export function redelivery({ contract }: ReceiverKit, delivery: Delivery): Delivery {
  const { redeliveryHeaders } = contract.delivery;
  return { ...delivery, headers: [...delivery.headers, ...redeliveryHeaders] };
}

/** What to do about the marks of a redelivery, where a redelivery was lost. */
export function marksHint({ contract }: ReceiverKit): string {
  const names = contract.delivery.redeliveryHeaders.map(([name]) => name);
  if (names.length === 0) return '';
  return ` Drop nothing for ${names.join(' or ')}: the first delivery may have failed.`;
}

/** Redeliveries at most: a receiver of several processes may fail in each of them. */
const most = 12;

/** Delivers what failed (5xx) again until it does not fail, as often as a service might. */
export async function redeliveredUntilAccepted(kit: ReceiverKit, delivery: Delivery): Promise<Attempt> {
  let answer = await kit.deliverWithRetries(delivery);
  for (let sent = 1; sent < most && hasStatusClass(answer, 5); sent++) answer = await kit.deliverWithRetries(delivery);
  return attempt(delivery, answer);
}
