import type { Attempt } from '../../delivery.ts';
import type { ReceiverKit } from '../../kit.ts';
import { attempt, notAccepted } from '../expectation.ts';
import { forge, plainForgeries, type Forgery } from '../forgery.ts';

/** What is usually wrong where a forgery is accepted and the genuine delivery is not. */
export const instead =
  'The verdict is inverted (a missing "not", a comparison that returns 0 for equal), or the receiver was started without its secret, ' +
  'and verifies with an empty one. Test both ways: the right signature is accepted, and every other one ' +
  'refused. If --secret is not the secret of this receiver, correct that first.';

/** A forgery that was accepted where the genuine delivery of the same content was refused. */
interface Instead {
  readonly forgery: Forgery;
  readonly twin: Attempt;
}

/**
 * What the receiver accepts in the place of a genuine delivery that it refused.
 *
 * @throws Unproven where it refuses the content with any signature
 */
export async function acceptedInstead(kit: ReceiverKit, refused: Attempt): Promise<Instead> {
  for (const forgery of plainForgeries) {
    const delivery = forge(kit, kit.again(refused.delivery), forgery);
    const answer = await kit.deliver(delivery);
    if (kit.accepts(answer)) return { forgery, twin: attempt(delivery, answer) };
  }
  throw notAccepted(refused.answer);
}
