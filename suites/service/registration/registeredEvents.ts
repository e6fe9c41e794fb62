import fc from 'fast-check';

import type { Json } from '../../../generators/json/json.ts';
import { valueAt } from '../../../generators/json/jsonPointer.ts';
import { withoutPointer } from '../../../generators/json/withoutPointer.ts';
import { describeAnswer } from '../../answer.ts';
import type { ServiceFinding } from '../../check.ts';
import type { ServiceKit } from '../../serviceKit.ts';
import { broken } from '../broken.ts';
import { accepted, create, inactive, notAccepted, type Created } from '../creation.ts';
import { registration } from './registrationCheck.ts';

/** Section 2.1: the events come back as given. */
export const events = registration({
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
    if (!kit.succeeded(made.call)) return refusedEvents(kit, made, given);
    const seen = kit.member(made.resource ?? null, 'events');
    if (isSameSet(seen, given)) return undefined;
    return broken('WHK-7', {
      expected: `these ${given.length} event(s), each once`,
      actual: differences(seen, given),
      exchanges: [made.call],
    });
  },
  hint: "Keep one list of all events, the one of the contract, and store a webhook's events as they were given.",
});

/** Section 4.1: events may be left out. */
export const withoutEvents = registration({
  id: 'service/registration/without-events',
  title: 'creates a webhook without events being named',
  requirements: ['CRW-3', 'WHK-7'],
  weight: 0.2,
  run: async (kit, body) => {
    const pointer = kit.terms.webhook.wrapper + kit.terms.webhook.members.events;
    const bare = valueAt(body, pointer) === undefined ? body : withoutPointer(body, pointer);
    const twin = await accepted(kit, inactive(kit, kit.endpoint().url));
    const { call, resource } = await create(kit, bare);
    const point = { exchanges: [call], twin: twin.call, difference: 'events left out' };
    if (!kit.succeeded(call)) {
      return broken('CRW-3', { expected: 'the webhook is created', actual: describeAnswer(call.answer), ...point });
    }
    const seen = kit.member(resource ?? null, 'events');
    const catalogue = kit.contract.events.map(({ name }) => name);
    if (isSubset(seen, catalogue)) {
      learnDefault(kit, seen, catalogue);
      return undefined;
    }
    const expected = 'the answer names at least one event, none twice, all from the catalogue';
    return broken('WHK-7', { expected, actual: differences(seen, catalogue), ...point });
  },
  hint: 'Where a client names no events, choose for it (all of them, usually), and say in the answer what was chosen.',
});

/** A valid creation was refused: because of its events, where one that differs in these alone is accepted. */
async function refusedEvents(
  kit: ServiceKit,
  { call }: Created,
  given: readonly string[],
): Promise<ServiceFinding | undefined> {
  const twin = await acceptedWithOther(kit, given);
  if (twin === undefined) throw notAccepted(call);
  return broken('WHK-7', {
    expected: `a webhook for ${given.length === 1 ? given[0]! : `these ${given.length} events of the catalogue`} is created`,
    actual: describeAnswer(call.answer),
    exchanges: [call],
    twin: twin.call,
    difference: 'the events',
  });
}

async function acceptedWithOther(kit: ServiceKit, given: readonly string[]): Promise<Created | undefined> {
  const others = kit.contract.events
    .map(({ name }) => name)
    .filter((name) => given.length > 1 || !given.includes(name));
  for (const name of others.slice(0, 3)) {
    const { url } = kit.endpoint();
    const made = await create(kit, kit.creation(kit.plainAttributes(url, { active: false, events: [name] })));
    if (kit.succeeded(made.call)) return made;
  }
  return undefined;
}

function isSubset(seen: unknown, names: readonly string[]): seen is readonly string[] {
  if (!Array.isArray(seen) || seen.length === 0 || new Set(seen).size < seen.length) return false;
  return seen.every((name) => typeof name === 'string' && names.includes(name));
}

function isSameSet(seen: unknown, names: readonly string[]): boolean {
  return isSubset(seen, names) && seen.length === names.length;
}

/** What a list of events has too much or too little, in words. */
function differences(seen: unknown, names: readonly string[]): string {
  if (!Array.isArray(seen)) return seen === undefined ? 'it names none' : `it holds ${JSON.stringify(seen)}`;
  const missing = names.filter((name) => !seen.includes(name));
  const strange = (seen as readonly Json[]).filter((name) => typeof name !== 'string' || !names.includes(name));
  const twice = seen.length - new Set(seen).size;
  return `it names ${seen.length}: ${missing.length} missing (${few(missing)}), ${strange.length} others (${few(strange)}), ${twice} repeated`;
}

function few(names: readonly Json[]): string {
  return names.length === 0
    ? 'none'
    : names
        .slice(0, 3)
        .map((name) => JSON.stringify(name))
        .join(', ');
}

function learnDefault(kit: ServiceKit, seen: readonly string[], catalogue: readonly string[]): void {
  const evidence = `a webhook that was created without events was answered with ${seen.length} of ${catalogue.length}`;
  kit.learn('webhook.defaultEvents', seen.length === catalogue.length ? 'all' : 'any', evidence);
}
