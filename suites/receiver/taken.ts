import { Unproven, type Finding } from '../check.ts';
import type { Delivery } from '../delivery.ts';
import type { ReceiverKit } from '../kit.ts';
import { expectAccepted, type Point } from './expectation.ts';

/** How often a receiver that has just come up, or is busy, may leave a delivery without an answer. */
const tries = 3;

/**
 * Milliseconds in which a receiver may refuse after an interruption: until it is ready, or until a lease on what it had begun runs
 * out. A service would deliver again for hours.
 */
export const refusalTime = 20_000;

/**
 * The delivery is accepted by a receiver that was down, or stood still: as {@link expectAccepted}, and more patient where
 * no answer comes in time.
 */
export async function expectTaken(kit: ReceiverKit, delivery: Delivery, point: Point): Promise<Finding | undefined> {
  for (let tried = 1; ; tried++) {
    const refused = await expectAccepted(kit, delivery, point, refusalTime);
    if (!isUnanswered(refused) || tried === tries) return refused;
  }
}

/**
 * The same for a redelivery, beside a plain delivery that is accepted in time.
 *
 * @throws Unproven where none is: a receiver that is too slow for all, or refuses all, is another requirement's matter
 */
export async function expectTakenAgain(
  kit: ReceiverKit,
  delivery: Delivery,
  point: Point,
): Promise<Finding | undefined> {
  const refused = await expectAccepted(kit, delivery, point, refusalTime);
  if (!refused) return undefined;
  if (await expectTaken(kit, kit.again(delivery), point))
    throw new Unproven('a plain delivery was not accepted in time either');
  return isUnanswered(refused) ? expectTaken(kit, delivery, point) : refused;
}

function isUnanswered(refused: Finding | undefined): boolean {
  return refused?.attempts.at(-1)?.answer.kind === 'timed-out';
}
