import fc from 'fast-check';

import type { Notification } from '../../../generators/notification/notification.ts';
import { receiverCheck, type Finding, type ReceiverCheck } from '../../check.ts';
import type { Attempt, Delivery } from '../../delivery.ts';
import type { ReceiverKit } from '../../kit.ts';
import { cutAt, cuts, type Cut } from '../onWire.ts';
import { allSent, expectEffects } from '../effect.ts';
import type { Point } from '../../finding.ts';
import { acceptedTwin, deliveredWithRetries, expectAccepted } from '../expectation.ts';
import { lostRedelivery, redelivery } from '../redelivered.ts';
import { pairs } from '../../items.ts';

/** Section 4.4: what a broken connection interrupted is delivered again, and taken. */
const brokenConnection = receiverCheck<{ notification: Notification; broken: readonly Cut[] }>({
  id: 'receiver/retries/broken-connection',
  title: 'takes the redelivery after connections that broke before, in or after the body',
  requirements: ['RTY-1'],
  needs: ['probe'],
  schedule: { kind: 'alone', grouped: true },
  cases: (draw) => [
    ...cuts.map((cut) => fc.record({ broken: fc.constant([cut]), notification: draw.notification() })),
    fc.record({
      broken: fc.array(fc.constantFrom(...cuts), { minLength: 1, maxLength: draw.contract.delivery.redeliveries }),
      notification: draw.notification(),
    }),
  ],
  run: async (kit, { notification, broken }) => {
    const twin = await acceptedTwin(kit, kit.compose(notification));
    const delivery = kit.compose(notification);
    for (const cut of broken) await kit.deliver(cutAt(delivery, cut));
    const point = { requirement: 'RTY-1', twin, difference: `delivered again after: ${broken.join(', ')}` } as const;
    const mayBeDuplicate = broken.includes('the connection breaks after the body');
    const refused = await expectTaken(kit, redelivery(kit, delivery), { point, mayBeDuplicate });
    if (refused) return refused;
    const lost = await expectEffects(kit, { attempts: kit.attempts.slice(-1), claim: 'not lost', point });
    return lostRedelivery(kit, lost, notification);
  },
  hint:
    'Treat a delivery that broke off as if it had never come: mark no id and keep no lock. If the body arrived ' +
    'whole and only the answer was lost, the redelivery is a duplicate: accept it.',
});

/** Section 8: a service retries up to a limit, and the last retry may be the one whose answer it sees. */
const everyRetry = receiverCheck<Notification>({
  id: 'receiver/retries/every-retry',
  title: 'accepts as many redeliveries in a row as a service makes',
  requirements: ['RTY-1', 'IDM-1'],
  needs: ['probe'],
  weight: 0.4,
  cases: (draw) => [draw.notification()],
  run: async (kit, notification) => {
    const twin = await acceptedTwin(kit, kit.compose(notification));
    const delivery = kit.compose(notification);
    for (let attempts = 0; attempts < kit.contract.delivery.redeliveries; attempts++) await kit.deliver(delivery);
    const point = {
      requirement: 'RTY-1',
      twin,
      difference: 'the last retry, after a sender that saw none of the answers before',
    } as const;
    const refused = await expectAccepted(kit, delivery, { ...point, requirement: 'IDM-1' });
    const lost = await expectEffects(kit, { attempts: kit.attempts.slice(-1), claim: 'not lost', point });
    return lost ?? (refused && { ...refused, attempts: refused.attempts.flatMap((sent) => allSent(kit, sent)) });
  },
  hint: 'Do not count redeliveries, and do not refuse them: the acknowledgement that matters may be the last.',
});

/** Section 4.4: redeliveries of many notifications, broken and whole ones, at the same time. */
const redeliveryStorm = receiverCheck<readonly { notification: Notification; cut: Cut | null }[]>({
  id: 'receiver/retries/storm',
  title: 'loses nothing when many notifications are redelivered at the same time',
  requirements: ['RTY-1'],
  needs: ['probe'],
  schedule: { kind: 'alone' },
  weight: 0.3,
  cases: (draw) => [
    fc.array(fc.record({ cut: fc.option(fc.constantFrom(...cuts)), notification: draw.notification() }), {
      minLength: 2,
      maxLength: draw.contract.delivery.redeliveries,
    }),
  ],
  run: async (kit, cases) => {
    const deliveries = cases.map(({ notification }) => kit.compose(notification));
    await kit.together(pairs(deliveries, cases).map(([delivery, { cut }]) => (cut ? cutAt(delivery, cut) : delivery)));
    const point = {
      requirement: 'RTY-1',
      difference: `${cases.length} notifications redelivered at the same time`,
      concurrent: true,
    } as const;
    const refused = await Promise.all(
      deliveries.map((delivery) => expectTaken(kit, delivery, { point, mayBeDuplicate: true })),
    );
    const last = await lastOf(kit, deliveries);
    return (
      refused.find((found) => found !== undefined) ?? expectEffects(kit, { attempts: last, claim: 'not lost', point })
    );
  },
  hint:
    'Store each notification in a transaction of its own, and answer only when it is stored. After an outage a ' +
    'service redelivers everything at once.',
});

/** The last attempt of each. What was refused beside others was not lost: it is delivered again, alone, as a service would. */
async function lastOf(kit: ReceiverKit, deliveries: readonly Delivery[]): Promise<readonly Attempt[]> {
  const last: Attempt[] = [];
  for (const delivery of deliveries) {
    const sent = kit.attempts.findLast(({ delivery: { id } }) => id === delivery.id);
    if (sent === undefined || kit.accepts(sent.answer)) last.push(...(sent ? [sent] : []));
    else last.push(await deliveredWithRetries(kit, delivery));
  }
  return last;
}

/** The checks of this topic, in the order in which they run and are listed. */
export const retriesChecks: readonly ReceiverCheck[] = [everyRetry, brokenConnection, redeliveryStorm];

/**
 * The redelivery is accepted. One that may be a duplicate may be refused here: that is another requirement's matter, and
 * whether anything is lost is seen by its effect.
 */
async function expectTaken(
  kit: ReceiverKit,
  delivery: Delivery,
  { point, mayBeDuplicate }: { readonly point: Point; readonly mayBeDuplicate: boolean },
): Promise<Finding | undefined> {
  const refused = await expectAccepted(kit, delivery, point);
  return mayBeDuplicate && kit.attempts.at(-1)?.answer.kind === 'answered' ? undefined : refused;
}
