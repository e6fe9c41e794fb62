import fc, { type Arbitrary } from 'fast-check';

import type { Notification } from '../../../generators/notification/notification.ts';
import { receiverCheck, type Finding, type ReceiverCheck, Unobservable, Unproven } from '../../check.ts';
import type { Answer, Delivery, Attempt } from '../../delivery.ts';
import type { ReceiverKit } from '../../kit.ts';
import { expectEffects } from '../effect.ts';
import { type Point, finding } from '../../finding.ts';
import { acceptedForgery, acceptedTwin, attempt, expectAccepted, acceptedStatuses } from '../expectation.ts';
import { type Claim, claimHeaders, senderHeaders, spellings, standard, standardSpellings } from '../senderClaim.ts';
import { itemOf } from '../../items.ts';
import { parseDuration } from '../../../spec/units.ts';
import { describeAnswer } from '../../answer.ts';

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

/** Milliseconds between two looks at whether the receiver has followed. */
const between = 100;

/** Section 5.2: the published list changes, and is read again every so often. */
const changedList = receiverCheck<null>({
  id: 'receiver/source/changed-list',
  title: 'follows a change of the published addresses',
  requirements: ['SRC-1'],
  needs: ['published', 'api'],
  schedule: { kind: 'alone' },
  weight: 0.01,
  cases: () => [fc.constant(null)],
  run: async (kit) => {
    const twin = await acceptedTwin(kit, kit.compose(kit.control));
    const added = await addressKeptOut(kit);
    kit.api.publish([added]);
    try {
      return await followed(kit, twin, added);
    } finally {
      kit.api.publish(kit.published);
      await lookUntil(kit, itemOf(kit.published, 0), true);
    }
  },
  hint: 'Read the list of sender addresses again every so often, and put it in the place of the old one; where it cannot be read, keep the old one. A receiver that reads it more rarely than is assumed here needs --assume senderAddresses.refresh=<duration>.',
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

/** An address from which nothing is taken so far. @throws Unproven where there is none */
async function addressKeptOut(kit: ReceiverKit): Promise<string> {
  const candidates = nearAddresses(kit.published).slice(0, 10);
  for (const address of candidates) {
    if (!kit.accepts((await sent(kit, address)).answer)) return address;
  }
  throw new Unproven(`deliveries from ${candidates.join(', ')} are accepted although none of them is published`);
}

async function followed(kit: ReceiverKit, twin: Attempt, added: string): Promise<Finding | undefined> {
  const usual = itemOf(kit.published, 0);
  const [isIn, isOut] = await Promise.all([lookUntil(kit, added, true), lookUntil(kit, usual, false)]);
  const senders = kit.contract.operation('senders').operationId;
  if (!kit.api.calls.some(({ operationId }) => operationId === senders)) {
    throw new Unobservable(
      'the receiver never asked the API that the kit plays for the sender addresses: give it the address of --api-listen',
    );
  }
  const within = `within ${assumed(kit) / 1000} s`;
  if (!kit.accepts(isIn.answer)) {
    const point = { requirement: 'SRC-1', twin, difference: `sent from ${added}, which is published now` } as const;
    return finding(point, {
      attempts: [isIn],
      expected: `a delivery from an address that was added to the list is accepted ${within}: status ${acceptedStatuses(kit)}`,
      actual: describeAnswer(isIn.answer),
      absence: true,
    });
  }
  if (!kit.accepts(isOut.answer)) return undefined;
  const point = { requirement: 'SRC-1', twin, difference: `sent from ${usual}, which is published no longer` } as const;
  return finding(point, {
    attempts: [isOut],
    expected: `a delivery from an address that was taken from the list is turned away ${within}`,
    actual: `${describeAnswer(isOut.answer)}, which says that it was accepted`,
    absence: true,
  });
}

/** Delivers from the address until that is accepted, or is not, or the list should long have been read again. */
async function lookUntil(kit: ReceiverKit, address: string, wanted: boolean): Promise<Attempt> {
  const until = kit.elapsed() + assumed(kit);
  for (;;) {
    const attempt = await sent(kit, address);
    if (kit.accepts(attempt.answer) === wanted || kit.elapsed() > until) return attempt;
    await kit.pause(between);
  }
}

async function sent(kit: ReceiverKit, from: string): Promise<Attempt> {
  const delivery = { ...kit.compose(kit.control), from };
  return { delivery, answer: await kit.deliverFrom(from, delivery) };
}

/** Milliseconds after which a receiver has followed a change. */
function assumed(kit: ReceiverKit): number {
  return parseDuration(kit.assumed('senderAddresses.refresh'));
}

/**
 * Loopback addresses (127.0.0.0/8) that are not among the published ones, by kind: near ones, such as differ in the last
 * number alone or begin with the same digits, and far ones. They shrink to the smallest of their kind.
 */
function foreignAddresses(published: readonly string[]): readonly Arbitrary<string>[] {
  const last = fc.integer({ min: 2, max: 254 });
  const number = fc.integer({ min: 0, max: 255 });
  const kinds = [
    last.map((d) => `127.0.0.${d}`),
    fc.tuple(number, last).map(([c, d]) => `127.0.${c}.${d}`),
    fc.tuple(number, number, last).map(([b, c, d]) => `127.${b}.${c}.${d}`),
  ];
  const longer = published.flatMap((address) => longerBy(address));
  const all = longer.length === 0 ? kinds : [...kinds, fc.constantFrom(...longer)];
  return all.map((kind) => kind.filter((address) => !published.includes(address)));
}

/** The loopback addresses of the smallest network that are not among the published ones, in order. */
function nearAddresses(published: readonly string[]): readonly string[] {
  return Array.from({ length: 253 }, (_, index) => `127.0.0.${index + 2}`).filter((each) => !published.includes(each));
}

/** Loopback addresses whose text begins with this address. */
function longerBy(address: string): readonly string[] {
  const last = Number(/^127\.\d+\.\d+\.(\d{1,2})$/.exec(address)?.[1] ?? 0);
  if (last === 0) return [];
  return Array.from({ length: 10 }, (_, digit) => `${address}${digit}`).filter(
    (each) => Number(each.split('.')[3]) < 256,
  );
}
