import fc, { type Arbitrary } from 'fast-check';

import type { Notification } from '../../../generators/notification/notification.ts';
import { receiverCheck, type Finding, type ReceiverCheck } from '../../check.ts';
import type { Answer, Delivery } from '../../delivery.ts';
import type { ReceiverKit } from '../../kit.ts';
import { expectEffects } from '../effect.ts';
import { acceptedForgery, acceptedTwin, attempt, expectAccepted, type Point } from '../expectation.ts';
import { type Claim, claimHeaders, senderHeaders, spellings, standard, standardSpellings } from '../senderClaim.ts';
import { foreignAddresses } from './foreignAddress.ts';
import { changedList } from './changedSources.ts';
import { itemOf } from '../../items.ts';

/** Claims in each header, the two most common ones in every spelling, and claims in all headers at once. */
const claims: readonly Arbitrary<Claim>[] = [
  ...senderHeaders.map((name) => claim([name], ['alone'])),
  ...Object.keys(spellings).map((spelling) => claim(['X-Forwarded-For'], [spelling])),
  ...Object.keys(standardSpellings).map((spelling) => claim([standard], [spelling])),
  claim([...senderHeaders, standard], ['alone']),
  fc.constantFrom(...senderHeaders).chain((name) => claim([name], Object.keys(spellings))),
];

function claim(headers: readonly string[], spelled: readonly string[]): Arbitrary<Claim> {
  return fc.record({ headers: fc.constant(headers), spelling: fc.constantFrom(...spelled) });
}

/** Section 5.2: only the service's senders are let in. */
const otherAddress = receiverCheck<{ notification: Notification; from: string }>({
  id: 'receiver/source/other-address',
  title: 'turns away a delivery that comes from an address that is not published',
  requirements: ['SRC-1'],
  needs: ['published'],
  canary: true,
  weight: 0.5,
  cases: (draw) =>
    foreignAddresses(draw.published).map((from) => fc.record({ from, notification: draw.notification() })),
  run: async (kit, { notification, from }) => {
    const twin = await acceptedTwin(kit, kit.compose(notification));
    const point = { requirement: 'SRC-1', twin, difference: `sent from ${from}, which is not published` } as const;
    return expectTurnedAway(kit, kit.compose(notification), from, point);
  },
  hint: 'Compare the whole address of the connection with each published address or block; refuse, or close the connection, before anything is stored.',
});

/** Section 5.2: a header can be written by anybody. */
const forwardingHeader = receiverCheck<{ notification: Notification; from: string; claim: Claim }>({
  id: 'receiver/source/forwarding-header',
  title: 'is not misled by a header that claims a published address',
  requirements: ['SRC-1'],
  needs: ['published'],
  canary: true,
  cases: (draw) => {
    const from = fc.oneof(...foreignAddresses(draw.published));
    return claims.map((claim) => fc.record({ claim, from, notification: draw.notification() }));
  },
  run: async (kit, { notification, from, claim }) => {
    const twin = await acceptedTwin(kit, kit.compose(notification));
    const delivery = kit.compose(notification);
    const headers = claimHeaders(claim, itemOf(kit.published, 0), from);
    const claimed =
      headers.length === 1 ? itemOf(headers, 0).join(': ') : `${headers.length} headers that name a published one`;
    const point = { requirement: 'SRC-1', twin, difference: `sent from ${from}, with ${claimed}` } as const;
    return expectTurnedAway(kit, { ...delivery, headers: [...delivery.headers, ...headers] }, from, point);
  },
  hint: 'Trust a forwarding header only where the connection comes from a proxy of your own, and take from it only what that proxy wrote. Where loopback addresses are trusted as proxies, take that trust away for the test: the kit sends from them.',
});

/** Section 5.2: the service may send from any address that it publishes. */
const everyPublished = receiverCheck<{ notification: Notification; from: string }>({
  id: 'receiver/source/every-published-address',
  title: 'accepts deliveries from each of the published addresses',
  requirements: ['SRC-1'],
  needs: ['published'],
  weight: 0.2,
  cases: (draw) =>
    draw.published.map((from) => fc.record({ from: fc.constant(from), notification: draw.notification() })),
  run: async (kit, { notification, from }) => {
    const twin = await acceptedTwin(kit, kit.compose(notification));
    const delivery = kit.compose(notification);
    if (kit.accepts(await kit.deliverFrom(from, delivery))) return undefined;
    const point = { requirement: 'SRC-1', twin, difference: `sent from ${from}, which is published too` } as const;
    return expectAccepted(kit, { ...delivery, from }, point);
  },
  hint: 'Let in every address and block of the list, not the first one alone.',
});

/** The checks of this topic, in the order in which they run and are listed. */
export const sourceChecks: readonly ReceiverCheck[] = [everyPublished, otherAddress, forwardingHeader, changedList];

/**
 * The delivery must be kept out, twice: refused, or its connection closed, while others are let in. Nor may it take effect.
 *
 * @throws Unproven where nobody was let in any more
 */
async function expectTurnedAway(
  kit: ReceiverKit,
  plain: Delivery,
  from: string,
  point: Point,
): Promise<Finding | undefined> {
  const delivery = { ...plain, from };
  const first = await kit.deliverFrom(from, delivery);
  const answer = kit.accepts(first) ? first : await secondAnswer(kit, delivery, first);
  if (kit.accepts(answer)) return acceptedForgery(kit, { delivery, answer }, point);
  if (answer.kind !== 'answered') await acceptedTwin(kit, kit.again(plain));
  return expectEffects(kit, { attempts: [attempt(delivery, answer)], claim: 'none', point });
}

/** Anyone who gives no answer may be dropping what comes from elsewhere: that is awaited once more, and not again and again. */
function secondAnswer(kit: ReceiverKit, delivery: Delivery, first: Answer): Promise<Answer> {
  return first.kind === 'timed-out' ? kit.deliver(delivery) : kit.deliverWithRetries(delivery);
}
