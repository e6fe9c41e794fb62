import fc, { type Arbitrary } from 'fast-check';

import { fromPointer, valueAt, withPointer } from '../../../generators/json/jsonPointer.ts';
import type { Notification } from '../../../generators/notification/notification.ts';
import { hasForm, placeOf } from '../../../spec/delivery.ts';
import { type CaseKind, receiverCheck, Unproven } from '../../check.ts';
import type { Attempt, Delivery, Header } from '../../delivery.ts';
import { type Draw, passing } from '../../draw.ts';
import { itemOf, pairs } from '../../items.ts';
import type { ReceiverKit } from '../../kit.ts';
import { finding } from '../../finding.ts';
import { acceptedTwin, attempt } from '../expectation.ts';
import { namesakes, resourcesFirst, type Change } from '../namesakes.ts';
import { unicodeEscape } from '../../../generators/spelling/edit.ts';
import { signatureSpellings, withSignatureValue } from '../signatureHeader.ts';

interface SiblingCase {
  readonly notification: Notification;
  readonly sibling: Sibling | Change;
  readonly together: boolean;
}

/** Section 6.3: the id alone distinguishes one notification from another. */
export const idAloneDecides = receiverCheck<SiblingCase>({
  id: 'receiver/idempotency/id-alone-decides',
  title: 'keeps notifications apart that differ in nothing but their id',
  requirements: ['IDM-4'],
  needs: ['probe'],
  cases: (draw) => [...siblings.map((sibling) => siblingCase(draw, sibling)), ...otherBodies(draw)],
  run: async (kit, { notification: drawn, sibling, together }) => {
    const notification = atAnotherTime(kit, drawn);
    const shared = sibling === sameTransport ? sharedHeaders(kit) : [];
    const first = sibling === behindResources ? resourcesFirst(notification, kit.contract) : notification;
    const one = withTransport(kit.compose(first), shared);
    const other = withTransport(siblingOf(kit, one, notification, sibling), shared);
    const attempts = await (together ? allAccepted(kit, [one, other]) : inTurn(kit, [one, other]));
    const effects = await kit.effects(new Map(attempts.map(({ delivery }) => [delivery.id, 1])));
    const lost = attempts.find(({ delivery }) => effects.get(delivery.id) === 0);
    if (!lost) return undefined;
    const kept = attempts.filter(({ delivery }) => (effects.get(delivery.id) ?? 0) > 0);
    if (kept.length === 0) throw new Unproven('neither of the two took effect');
    return finding(
      {
        requirement: 'IDM-4',
        twin: itemOf(kept, 0),
        difference: typeof sibling === 'string' ? sibling : sibling.words,
        concurrent: together,
        ...(typeof sibling === 'object' && { hint: sibling.hint }),
      },
      {
        attempts: [...kept, lost],
        expected: 'one effect for each of the two ids',
        actual: 'no effect for one of them',
        absence: true,
        effects: [{ id: lost.delivery.id, expected: 1, actual: 0 }],
      },
    );
  },
  hint: 'Deduplicate by the whole id of the notification. Event, time and content repeat in real life; a part of the id or a hash of the body is no key.',
});

/**
 * The notification as of a few minutes before. A receiver that drops what it knows by its event, time or content has dropped
 * both once the case is tried again, which would confirm nothing.
 */
function atAnotherTime(kit: ReceiverKit, { event, value }: Notification): Notification {
  const place = kit.contract.delivery.members.createdAt;
  const time = place === undefined ? undefined : valueAt(value, place);
  if (place === undefined || typeof time !== 'string' || !/T\d\d:\d\d:\d\dZ$/.test(time)) return { event, value };
  const seconds = Number.parseInt(kit.freshId().slice(0, 8), 16) % mostShifted;
  const shifted = Date.parse(time) - seconds * 1000;
  // A leap second is no number, and years before the first one are written otherwise.
  if (!(shifted >= 0)) return { event, value };
  const other = new Date(shifted).toISOString().replace('.000Z', 'Z');
  return { event, value: withPointer(value, place, other) };
}

/** Seconds: what was created within the hour stays as good as new. */
const mostShifted = 900;

const sameTransport = 'another id under the same transport headers';

const siblings = [
  'another id',
  'an id that differs in its last digit',
  'an id that differs in its first digit',
  sameTransport,
] as const;

const behindResources = 'another id, which stands behind the related resources';

type Sibling = (typeof siblings)[number] | typeof behindResources;

/** Bodies that name ids and events at other places, too: there are none where the body does not hold the id. */
function otherBodies(draw: Draw): readonly CaseKind<SiblingCase>[] {
  const { included } = draw.contract.delivery.members;
  const behind = included === undefined ? [] : [siblingCase(draw, behindResources)];
  const changes = Map.groupBy(namesakes(draw.contract), ({ sort }) => sort);
  const of = (sort: Change['sort']) => (changes.get(sort) ?? []).flatMap((change) => fitting(draw, change));
  return [[...behind, ...of('an id before')], of('an id elsewhere'), of('an event')].filter((kind) => kind.length > 0);
}

function fitting(draw: Draw, change: Change): readonly Arbitrary<SiblingCase>[] {
  return passing(siblingCase(draw, change), ({ notification }) => change.fits?.(notification) ?? true);
}

function siblingCase(draw: Draw, sibling: Sibling | Change): Arbitrary<SiblingCase> {
  return fc.record({ sibling: fc.constant(sibling), together: fc.boolean(), notification: draw.notification() });
}

/** Another notification that is close to the first one in some way. */
function siblingOf(kit: ReceiverKit, one: Delivery, notification: Notification, sibling: Sibling | Change): Delivery {
  if (typeof sibling === 'object') return kit.compose(sibling.apply(notification, one.id));
  if (sibling === behindResources) return kit.compose(resourcesFirst(notification, kit.contract));
  return kit.compose(notification, { id: siblingId(kit, one.id, sibling) });
}

function siblingId(kit: ReceiverKit, id: string, sibling: Sibling): string {
  if (sibling.startsWith('another id')) return kit.freshId();
  const form = kit.contract.delivery.id?.form ?? 'uuid';
  const isOfForm = form === 'uuid' ? () => true : (text: string) => hasForm(text, form);
  const others = Array.from(
    id,
    (digit, place) => id.slice(0, place) + (digit === '0' ? '1' : '0') + id.slice(place + 1),
  );
  const ids = others.filter(isOfForm);
  return (sibling === 'an id that differs in its last digit' ? ids.at(-1) : ids[0]) ?? kit.freshId();
}

/** Those that a proxy may give to two requests. The others are said to be ids of a message. */
function sharedHeaders(kit: ReceiverKit): readonly Header[] {
  return transportHeaders(kit).filter(([name]) => !/^(?:idempotency-key|webhook-id)$/i.test(name));
}

async function inTurn(kit: ReceiverKit, [one, other]: readonly [Delivery, Delivery]): Promise<readonly Attempt[]> {
  return [await acceptedTwin(kit, one), await acceptedTwin(kit, other)];
}

async function allAccepted(kit: ReceiverKit, deliveries: readonly Delivery[]): Promise<readonly Attempt[]> {
  const answers = await kit.together(deliveries);
  return Promise.all(
    pairs(deliveries, answers).map(async ([delivery, answer]) =>
      kit.accepts(answer) ? attempt(delivery, answer) : acceptedTwin(kit, delivery),
    ),
  );
}

/** What can be spelt otherwise when the same notification is delivered again, though nothing of it tells two apart. */
export const otherwise = {
  'with its signature spelt otherwise': (kit, delivery) =>
    signatureSpellings(kit.scheme).map(({ spell }) => ({
      ...delivery,
      headers: withSignatureValue(kit, delivery, spell),
    })),
  'with other transport headers': (kit, delivery) => [1, 2].map(() => withTransport(delivery, transportHeaders(kit))),
  'with its id spelt otherwise': (kit, delivery) =>
    idSpellings(kit, delivery).map(([compact, other]) =>
      kit.withBody(delivery, Buffer.from(delivery.body.toString().replace(compact, () => other))),
    ),
} as const satisfies Readonly<Record<string, (kit: ReceiverKit, delivery: Delivery) => readonly Delivery[]>>;

/** Headers in which senders and proxies give each request a name of its own, and those that differ with each anyway. */
const names = [
  'X-Request-Id',
  'X-Correlation-Id',
  'X-Delivery-Id',
  'X-Event-Id',
  'X-Webhook-Id',
  'Webhook-Id',
  'X-GitHub-Delivery',
  'X-Amzn-Trace-Id',
  'Idempotency-Key',
];

/** Headers that another hop of a network would add: each request has a name and a time of its own. */
function transportHeaders(kit: ReceiverKit): readonly Header[] {
  const hex = kit.freshId().replaceAll('-', '');
  const number = Number.parseInt(hex.slice(0, 3), 16);
  return [
    ...names.map((name): Header => [name, kit.freshId()]),
    ['Traceparent', `00-${hex}-${hex.slice(16)}-01`],
    ['User-Agent', `sender/${number}`],
    ['Date', new Date((kit.now() - number) * 1000).toUTCString()],
  ];
}

/** The delivery with these headers, but for those of which it has its own. */
function withTransport(delivery: Delivery, headers: readonly Header[]): Delivery {
  const own = new Set(delivery.headers.map(([name]) => name.toLowerCase()));
  return { ...delivery, headers: [...delivery.headers, ...headers.filter(([name]) => !own.has(name.toLowerCase()))] };
}

/** The id's member in compact JSON, and the same member in other bytes. */
function idSpellings(
  { contract }: ReceiverKit,
  { id, body }: Delivery,
): readonly (readonly [compact: string, other: string])[] {
  const name = fromPointer(placeOf(contract, 'id')).at(-1) ?? '';
  const isNumber = !body.includes(`"${name}":"${id}"`);
  const value = isNumber ? id : `"${id}"`;
  const member = `"${name}":${value}`;
  const escaped = (text: string): string => `"${Array.from(text, (character) => unicodeEscape(character)).join('')}"`;
  return [
    ...(isNumber ? [] : [[member, `"${name}":${escaped(id)}`] as const]),
    [member, `${escaped(name.slice(0, 1)).slice(0, -1)}${name.slice(1)}":${value}`],
    [member, `"${name}" : ${value}`],
  ];
}
