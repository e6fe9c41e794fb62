import type { Answer, Delivery } from '../../delivery.ts';
import type { ReceiverKit } from '../../kit.ts';
import type { ReceiverModelState } from './receiverModelState.ts';
import type { Parted } from './part.ts';
import { pairs } from '../../items.ts';

/** A delivery that is under way when an interruption comes; without an entry it is a bystander, which is never delivered again. */
interface InFlight {
  readonly entry?: Parted['entry'];
  readonly delivery: Delivery;
}

/** The same with a bystander, where there is anything: what becomes of it shows what a redelivery cannot be blamed for. */
export function bystanding(kit: ReceiverKit, parts: readonly Parted[]): readonly InFlight[] {
  const [first] = parts;
  return first ? [...parts, { delivery: kit.again(first.entry.genuine) }] : [];
}

/**
 * Delivers all of them at once.
 *
 * @param timeLimit - milliseconds after which their sender gives up. Default: the time-out of the run
 */
export function deliverParts(
  kit: ReceiverKit,
  all: readonly InFlight[],
  timeLimit?: number,
): Promise<readonly Answer[]> {
  return Promise.all(all.map(({ delivery }) => kit.deliver(delivery, timeLimit)));
}

/** Notes what came back, in the order of the deliveries. To be called before the interruption is noted. */
export function noteAll(
  kit: ReceiverKit,
  modelState: ReceiverModelState,
  all: readonly InFlight[],
  answers: readonly Answer[],
): void {
  for (const [{ entry, delivery }, answer] of pairs(all, answers)) {
    const sent = { delivery, answer };
    if (entry) modelState.heard(kit, entry, sent);
    else modelState.bystanders.push(sent);
  }
}
