import type { Notification } from '../../../generators/notification/notification.ts';
import { hasStatusClass } from '../../answer.ts';
import { Unproven, type Finding } from '../../check.ts';
import type { Attempt } from '../../delivery.ts';
import { finding } from '../../finding.ts';
import { counted, itemOf } from '../../items.ts';
import type { ReceiverKit } from '../../kit.ts';
import { attempt } from '../expectation.ts';

/** Copies of which another one fails, if failures come by chance and are not too rare. */
const copies = 60;

/** A delivery that was answered with an error and accepted when it was delivered again; and what was accepted at once. */
interface Passed {
  readonly failed: readonly [failed: Attempt, accepted: Attempt][];
  readonly twin?: Attempt;
}

/**
 * What failed and is accepted when it is delivered again breaks nothing, if it takes effect then.
 *
 * @param failed - a delivery that was answered with an error (5xx)
 * @returns nothing where the error stays; else what is broken, if anything is
 */
export async function afterFailure(
  kit: ReceiverKit,
  notification: Notification,
  failed: Attempt,
): Promise<{ readonly found: Finding | undefined } | undefined> {
  const again = await redelivered(kit, failed);
  if (!kit.accepts(again.answer)) return undefined;
  if (!kit.probed || !kit.isEffective(notification.event)) return { found: undefined };
  return { found: await lostOf(kit, await another(kit, notification, [failed, again])) };
}

/** Redeliveries at most: a receiver of several processes may fail in each of them. */
const redeliveries = 12;

/** Delivers it again until it is accepted, as often as a service might. */
async function redelivered(kit: ReceiverKit, { delivery }: Attempt): Promise<Attempt> {
  let answer = await kit.deliverWithRetries(delivery);
  for (let sent = 1; sent < redeliveries && hasStatusClass(answer, 5); sent++)
    answer = await kit.deliverWithRetries(delivery);
  return attempt(delivery, answer);
}

/** Sends copies under other ids until one fails as well: what is seen twice is no chance. */
async function another(kit: ReceiverKit, notification: Notification, first: [Attempt, Attempt]): Promise<Passed> {
  let twin: Attempt | undefined;
  for (let sent = 0; sent < copies; sent++) {
    const delivery = kit.compose(notification);
    const copy = attempt(delivery, await kit.deliverWithRetries(delivery));
    if (kit.accepts(copy.answer)) twin ??= copy;
    else if (hasStatusClass(copy.answer, 5)) {
      const again = await redelivered(kit, copy);
      const failed = kit.accepts(again.answer) ? [first, [copy, again] as [Attempt, Attempt]] : [first];
      return { failed, ...(twin && { twin }) };
    }
  }
  return { failed: [first], ...(twin && { twin }) };
}

/** @throws Unproven where what was accepted at once took no effect either */
async function lostOf(kit: ReceiverKit, { failed, twin }: Passed): Promise<Finding | undefined> {
  if (twin === undefined) throw new Unproven('no plain delivery was accepted at once');
  const ids = [twin, ...failed.map(([one]) => one)].map(({ delivery }) => delivery.id);
  const effects = await kit.effects(new Map(ids.map((id) => [id, 1])));
  if (effects.get(twin.delivery.id) !== 1) throw new Unproven('what was accepted at once took no effect either');
  const lost = failed.filter(([{ delivery }]) => effects.get(delivery.id) === 0);
  if (lost.length === 0) return undefined;
  const [refused, accepted] = itemOf(lost, 0);
  return finding(
    {
      requirement: 'IDM-5',
      twin,
      difference: 'it was answered with an error at first, and accepted when it was delivered again',
      hint:
        'The id is remembered before the work, and stays so where the work fails: the redelivery is then taken for one that is ' +
        'known already, and the notification is lost. Remember the id and store the notification in one transaction.',
    },
    {
      attempts: [refused, accepted],
      expected: 'exactly one effect after the redelivery was accepted',
      actual: `no effect${lost.length > 1 ? `, of each of ${counted(lost.length, 'notification')} that failed first` : ''}`,
      absence: lost.length < 2,
      effects: [{ id: refused.delivery.id, expected: 1, actual: 0 }],
    },
  );
}
