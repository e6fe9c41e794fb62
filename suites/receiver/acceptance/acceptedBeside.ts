import type { Notification } from '../../../generators/notification/notification.ts';
import { Unproven, type Finding } from '../../check.ts';
import type { ReceiverKit } from '../../kit.ts';
import { countOf, effectsAlone, oneOfEach } from '../counting.ts';
import { expectEffectBeside } from '../effect.ts';
import { acceptedTwin, expectRead } from '../expectation.ts';

/**
 * Section 2.2: where a neighbour is accepted, and takes effect, so does the notification, whatever it differs in.
 *
 * @param expectTaken - `expectAccepted` where it counts also if it is refused as a forgery
 */
export async function acceptedBeside(
  kit: ReceiverKit,
  neighbour: Notification,
  notification: Notification,
  difference: string,
  expectTaken: typeof expectRead = expectRead,
): Promise<Finding | undefined> {
  const twin = await acceptedTwin(kit, kit.compose(neighbour));
  const delivery = kit.compose(notification);
  const point = { requirement: 'RCV-2', twin, difference } as const;
  const refused = await expectTaken(kit, delivery, point);
  const sent = kit.attempts.at(-1);
  if (refused || !sent) return refused;
  const found = await expectEffectBeside(kit, twin, sent, { ...point, hint: stored });
  if (found) await demandContent(kit, neighbour, notification);
  return found;
}

/**
 * It is dropped for what it holds: not because it is taken for the neighbour delivered again, and not by chance.
 *
 * @throws Unproven where it is so
 */
async function demandContent(kit: ReceiverKit, neighbour: Notification, notification: Notification): Promise<void> {
  const again = await acceptedTwin(kit, kit.compose(neighbour));
  // What cannot be read may end the work on all that waits beside it.
  if (countOf(await effectsAlone(kit, [again]), again) !== 1)
    throw new Unproven('a second plain delivery of the same content took no effect');
  const dropped = await acceptedTwin(kit, kit.compose(notification));
  const effects = await kit.effects(oneOfEach(dropped));
  if (countOf(effects, dropped) === 1)
    throw new Unproven('it took effect under another id, so that what it holds was not what mattered');
}

const stored =
  'It was acknowledged, and dropped. What you answer with an accepting status is not sent again, so store it, whatever its age, ' +
  'its status and its content are, and decide afterwards. Pass texts to a database as parameters of the statement, never as a part of ' +
  'it, and look at its errors.';
