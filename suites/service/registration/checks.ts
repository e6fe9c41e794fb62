import fc from 'fast-check';

import { isJsonObject, type Json } from '../../../generators/json/json.ts';
import { valueAt, withPlace, withoutPointer } from '../../../generators/json/jsonPointer.ts';
import { describeAnswer } from '../../answer.ts';
import { Unobservable, type ServiceCheck, type ServiceFinding } from '../../check.ts';
import type { ServiceKit } from '../../serviceKit.ts';
import { finding } from '../../finding.ts';
import {
  accepted,
  atAnotherUrl,
  create,
  expectRefusedAgain,
  listed,
  notAccepted,
  type Created,
  sameUrl,
} from '../creation.ts';
import { created, noHeaders, refusedInactive, differences, isSameSet, isSubset } from './created.ts';
import {
  expectMember,
  listedOtherwise,
  registration,
  requireDescribed,
  shown,
  type Shown,
} from './registrationCheck.ts';
import { activeBy, memberPlace } from '../../../spec/serviceTerms.ts';
import { misreadTime, utcTime } from '../utcTime.ts';

/** Section 2.1: a webhook is a resource object. */
const resourceObject = registration({
  id: 'service/registration/resource-object',
  title: 'shows a webhook as a resource object with its type',
  requirements: ['WHK-1', 'WHK-3'],
  run: async (kit, body) => {
    const made = await shown(kit, body);
    const { members, type } = kit.terms.webhook;
    for (const name of ['id', 'type'] as const) {
      const found = expectMember(
        kit,
        made,
        name,
        'WHK-1',
        (value) => typeof value === 'string' && value !== '',
        'a text',
      );
      if (found) return found;
    }
    const attributes = members.url.replace(/\/[^/]*$/, '');
    if (!isJsonObject(valueAt(made.resource, attributes))) {
      return finding('WHK-1', {
        expected: `an object at ${attributes}`,
        actual: 'there is none',
        exchanges: [made.call],
      });
    }
    const isRight = (value: unknown): boolean => value === type;
    const words = JSON.stringify(type);
    return (
      expectMember(kit, made, 'type', 'WHK-3', isRight, words) ??
      listedOtherwise(kit, made, 'type', 'WHK-3', isRight, `type ${words}`)
    );
  },
  hint: 'Answer with id and type at the top of the resource and everything else in attributes; the type is a constant.',
});

/** Section 2.1: the url comes back as given. */
const url = registration({
  id: 'service/registration/url',
  title: 'gives the url back as it was given',
  requirements: ['WHK-4'],
  weight: 0.6,
  suffixes: [
    '',
    '/orders/',
    '?team=sea&tag=a%20b',
    '/caf%C3%A9?x=%5B1%5D',
    '?q=a+b&empty=',
    '/A/b_c-d.e~f',
    '#orders',
    ...[300, 1000].map((length) => `?token=${'0123456789'.repeat(length / 10)}`),
  ],
  run: async (kit, body) => {
    const given = valueAt(body, kit.terms.webhook.wrapper + kit.terms.webhook.members.url) as string;
    const isLong = given.length > usualLength;
    const made = await (isLong || given.includes('#') ? shownRare(kit, body) : shown(kit, body));
    const isRight = (value: unknown): boolean => sameUrl(value, given);
    const changed = expectMember(kit, made, 'url', 'WHK-4', isRight, given);
    if (changed || !isLong) return changed;
    return listedOtherwise(kit, made, 'url', 'WHK-4', isRight, `its url of ${given.length} characters`);
  },
  hint: 'Store the url as it came, query, fragment and escapes included; do not trim, decode, shorten or complete it. Refuse one that is too long for you.',
});

/** Characters of a url that any service takes. */
const usualLength = 255;

/** @throws Unobservable where a url of that length, or one with a fragment, is refused, as the contract does not forbid */
async function shownRare(kit: ServiceKit, body: Json): Promise<Shown> {
  const { resource, ...made } = await create(kit, body);
  if (kit.succeeded(made.call) && isJsonObject(resource)) return { ...made, resource };
  throw new Unobservable(
    `the service takes no url of such a length, or with a fragment: ${describeAnswer(made.call.answer)}`,
  );
}

/** Section 2.1: whether it is active comes back as given, and is stored so. */
const active = registration({
  id: 'service/registration/active',
  title: 'gives back whether it is active as it was given',
  requirements: ['WHK-5'],
  about: ['webhook:active'],
  weight: 0.3,
  active: [false, true],
  run: async (kit, body) => {
    const place = kit.terms.webhook.wrapper + memberPlace(kit.terms, 'active');
    const given = activeBy(kit.terms, valueAt(body, place));
    if (typeof given !== 'boolean') throw new Unobservable('a creation takes no active here: updates set it');
    const tried = await create(kit, body);
    if (!kit.succeeded(tried.call) && !given) return refusedInactive(kit, tried, { body, place });
    if (!kit.succeeded(tried.call) || !isJsonObject(tried.resource)) throw notAccepted(tried.call);
    const made = { ...tried, resource: tried.resource };
    const changed = expectMember(kit, made, 'active', 'WHK-5', (value) => value === given, String(given));
    if (changed) return changed;
    const stored = made.webhook && (await listed(kit, made.webhook));
    if (stored === undefined || kit.member(stored, 'active') === given) return undefined;
    return finding('WHK-5', {
      expected: `the list shows it with active ${String(given)} as well`,
      actual: `it shows ${JSON.stringify(kit.member(stored, 'active')) ?? 'none'}`,
      exchanges: [made.call, ...kit.exchanges.slice(-1)],
    });
  },
  hint:
    'Store what the client says of active, and answer with what was stored, as true or false: many a database gives 1 or 0. ' +
    'A false is not missing: ask whether the member is there, and not whether its value is true (`!active`, `empty()`).',
});

/** Section 2.1: the answer says when the webhook was created. */
const createdAt = registration({
  id: 'service/registration/created-at',
  title: 'states when the webhook was created, in ISO 8601 and UTC',
  requirements: ['WHK-12'],
  about: ['webhook:createdAt'],
  weight: 0.3,
  run: async (kit, body) => {
    const made = await shown(kit, body);
    const words = 'a timestamp in ISO 8601, in UTC';
    const otherwise = expectMember(kit, made, 'createdAt', 'WHK-12', (value) => utcTime(value) !== undefined, words);
    const value = kit.member(made.resource, 'createdAt');
    const distance = misreadTime(kit, value, made.call);
    if (otherwise !== undefined || distance === undefined) return otherwise;
    const actual = `it holds ${JSON.stringify(value)}: ${distance}`;
    return finding('WHK-12', { expected: `the answer holds ${words}`, actual, exchanges: [made.call] });
  },
  hint:
    'Write times as 2026-01-31T09:30:00Z: a date, a T, a time, and the Z that says UTC. The Z alone makes no UTC of a local ' +
    'time: convert it. Months count from 0 in some languages, and times in seconds in others.',
});

/** Section 2.1: the events come back as given. */
const events = registration({
  id: 'service/registration/events',
  title: 'takes every event of the catalogue, and gives the events back as they were given',
  requirements: ['WHK-7'],
  weight: 1.4,
  events: (catalogue) => [
    fc.constant(catalogue),
    fc.shuffledSubarray([...catalogue], { minLength: 1 }),
    ...catalogue.map((name) => fc.constant([name])),
  ],
  run: async (kit, body) => {
    const made = await create(kit, body);
    const { wrapper, members } = kit.terms.webhook;
    const given = (valueAt(body, wrapper + members.events) ?? []) as readonly string[];
    if (!kit.succeeded(made.call)) return refusedEvents(kit, made, { body, given });
    const seen = kit.member(made.resource ?? null, 'events');
    if (seen === undefined) requireDescribed(kit, 'events');
    if (isSameSet(seen, given)) {
      const { resource } = made;
      if (given.length < kit.contract.events.length || resource === undefined) return undefined;
      const isRight = (value: unknown): boolean => isSameSet(value, given);
      return listedOtherwise(kit, { ...made, resource }, 'events', 'WHK-7', isRight, `these ${given.length} events`);
    }
    return finding('WHK-7', {
      expected: given.length === 1 ? 'this event, once' : `these ${given.length} events, each once`,
      actual: differences(seen, given),
      exchanges: [made.call],
    });
  },
  hint: "Keep one list of all events, the one of the contract, and store a webhook's events as they were given.",
});

/** Section 4.1: events may be left out. */
const withoutEvents = registration({
  id: 'service/registration/without-events',
  title: 'creates a webhook without events being named',
  requirements: ['CRW-3', 'WHK-7'],
  weight: 0.2,
  run: async (kit, body) => {
    const pointer = kit.terms.webhook.wrapper + kit.terms.webhook.members.events;
    const bare = valueAt(body, pointer) === undefined ? body : withoutPointer(body, pointer);
    const named = withPlace(bare, pointer, [kit.contract.events[0].name]);
    const twin = await accepted(kit, atAnotherUrl(kit, named));
    const { call, resource } = await create(kit, bare);
    const point = { exchanges: [call], twin: twin.call, difference: 'events left out' };
    if (!kit.succeeded(call)) {
      await expectRefusedAgain(kit, bare, named);
      const actual = describeAnswer(call.answer);
      return finding('CRW-3', { expected: 'the webhook is created', actual, ...point, absence: true });
    }
    const seen = kit.member(resource ?? null, 'events');
    if (seen === undefined) requireDescribed(kit, 'events');
    const catalogue = kit.contract.events.map(({ name }) => name);
    if (isSubset(seen, catalogue)) {
      learnDefault(kit, seen, catalogue);
      return undefined;
    }
    const expected = 'the answer names at least one event, none twice, all from the catalogue';
    return finding('WHK-7', { expected, actual: differences(seen, catalogue), ...point });
  },
  hint: 'Where a client names no events, choose for it (all of them, usually), and say in the answer what was chosen.',
});

/** The checks of this topic, in the order in which they run and are listed. */
export const registrationChecks: readonly ServiceCheck[] = [
  resourceObject,
  url,
  active,
  events,
  createdAt,
  noHeaders,
  created,
  withoutEvents,
];

/** A valid creation was refused: because of its events, where one that differs in these alone is accepted. */
async function refusedEvents(
  kit: ServiceKit,
  { call }: Created,
  { body, given }: { readonly body: Json; readonly given: readonly string[] },
): Promise<ServiceFinding | undefined> {
  const twin = await acceptedWithOther(kit, body, given);
  if (twin === undefined) throw notAccepted(call);
  await expectRefusedAgain(kit, body, twin.body);
  return finding('WHK-7', {
    expected: `a webhook for ${given.length === 1 ? given.join() : `these ${given.length} events of the catalogue`} is created`,
    actual: describeAnswer(call.answer),
    exchanges: [call],
    twin: twin.call,
    difference: 'the events',
    absence: true,
  });
}

async function acceptedWithOther(
  kit: ServiceKit,
  body: Json,
  given: readonly string[],
): Promise<(Created & { readonly body: Json }) | undefined> {
  const { wrapper, members } = kit.terms.webhook;
  const others = kit.contract.events
    .map(({ name }) => name)
    .filter((name) => given.length > 1 || !given.includes(name));
  for (const name of others.slice(0, 3)) {
    const other = withPlace(body, wrapper + members.events, [name]);
    const made = await create(kit, atAnotherUrl(kit, other));
    if (kit.succeeded(made.call)) return { ...made, body: other };
  }
  return undefined;
}

function learnDefault(kit: ServiceKit, seen: readonly string[], catalogue: readonly string[]): void {
  const evidence = `a webhook that was created without events was answered with ${seen.length} of ${catalogue.length}`;
  kit.learn('webhook.defaultEvents', seen.length === catalogue.length ? 'all' : 'any', evidence);
}
