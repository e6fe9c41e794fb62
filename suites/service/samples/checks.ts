import fc from 'fast-check';

import { memberOf, withPointer } from '../../../generators/json/jsonPointer.ts';
import { isJsonObject, type Json } from '../../../generators/json/json.ts';
import { describeAnswer } from '../../answer.ts';
import { serviceCheck, type ServiceFinding, Unobservable, Unproven, type ServiceCheck } from '../../check.ts';
import type { ServiceKit, Webhook } from '../../serviceKit.ts';
import { finding } from '../../finding.ts';
import { isInactive } from '../isInactive.ts';
import { isTaken, refusedSampleAt, sampleAt, sampleOf, trigger } from '../sampling.ts';
import { accept, refuse } from '../steps.ts';
import { eachEvent, eachSigned, signed, plainBody } from './deliveredSamples.ts';
import { recordMember } from '../listItems.ts';
import { sampleTerms } from '../../../spec/serviceTerms.ts';
import { counted } from '../../items.ts';

interface Spoilt {
  readonly member: 'url' | 'event';
  /** Left out: the member is removed. */
  readonly value?: Json;
  /** Given as well: a call with a secret may be read by other code. Default: none. */
  readonly secret?: string;
}

/** What code takes for an event that compares less than the whole text. */
const spellings: readonly ((name: string) => string)[] = [
  (name) => name.toUpperCase(),
  (name) => ` ${name}\n`,
  (name) => `${name}.`,
  (name) => `${name}s`,
  (name) => name.slice(0, -1),
  (name) => name.replaceAll('.', '_'),
];

const secret = 'a secret of a sample';

/** Section 4.2: what does not say where and what is refused, and nothing is sent. */
const refused = serviceCheck<Spoilt>({
  id: 'service/samples/incomplete',
  title: 'refuses a call for a sample without url or event, or with an unknown event, and sends nothing',
  requirements: ['TRG-3'],
  about: ['operation:sample'],
  needs: [],
  schedule: { kind: 'waiting' },
  weight: 0.25,
  cases: ({ contract }) => {
    const names = contract.events.map(({ name }) => name);
    const unknown = spellings.map((spell) =>
      fc
        .constantFrom(...names)
        .map(spell)
        .filter((name) => !names.includes(name)),
    );
    return [
      fc.constant<Spoilt>({ member: 'url' }),
      fc.constant<Spoilt>({ member: 'event' }),
      ...unknown.map((value) => fc.record({ member: fc.constant('event' as const), value })),
      [
        fc.constant<Spoilt>({ member: 'event', secret }),
        fc.record({ member: fc.constant('event' as const), value: fc.oneof(...unknown), secret: fc.constant(secret) }),
      ],
      [null, '', 7, names.slice(0, 1)].map((value) => fc.constant<Spoilt>({ member: 'event', value })),
      [null, '', 7].map((value) => fc.constant<Spoilt>({ member: 'url', value })),
    ];
  },
  run: async (kit, { member, value, ...signed }) => {
    const order = { event: kit.contract.events[0].name, ...signed };
    const { call: twin } = await sampleAt(kit, kit.endpoint(), order);
    const endpoint = kit.endpoint();
    const body = spoil(kit, sampleOf(kit, { url: endpoint.url, ...order }), {
      member,
      ...(value !== undefined && { value }),
    });
    const call = await kit.call(trigger, { body });
    const difference = value === undefined ? `${member} is missing` : `${member} is ${JSON.stringify(value)}`;
    if (!kit.refused(call)) {
      const actual = isTaken(kit, call) ? `it was taken: ${describeAnswer(call.answer)}` : describeAnswer(call.answer);
      return finding('TRG-3', { expected: 'the call is refused', actual, exchanges: [call], twin, difference });
    }
    await kit.settle();
    const [caught] = endpoint.caught;
    if (caught === undefined) return undefined;
    return finding('TRG-3', {
      expected: 'nothing is sent for a call that was refused',
      actual: 'something came to its url',
      exchanges: [call, caught],
      twin,
      difference,
    });
  },
  hint:
    'Validate the body before anything is sent: both members must be there and be text, and the event must be ' +
    'exactly one of the catalogue, with a secret and without.',
});

function spoil(kit: ServiceKit, body: Json, { member, value }: Spoilt): Json {
  const pointer = sampleTerms(kit.terms).members[member];
  if (value !== undefined) return withPointer(body, pointer, value);
  const name = pointer.slice(1);
  if (!isJsonObject(body) || memberOf(body, name) === undefined) throw new Unproven(`${pointer} could not be left out`);
  return Object.fromEntries(Object.entries(body).filter(([each]) => each !== name)) as Json;
}

/** How many events of a catalogue scenarios let happen, the first ones. */
const scenarioEvents = 8;

/** Events that no scenario lets happen, where the catalogue has so many. */
function uncommon({ events }: ServiceKit['contract']) {
  const first = Math.max(Math.floor(events.length / 2), Math.min(scenarioEvents, events.length - 1));
  return fc.constantFrom(...events.slice(first).map(({ name }) => name));
}

/** Section 4.2: a test of one receiver is nobody else's business. */
const nobodyElse = serviceCheck<{ readonly event: string; readonly toItsUrl?: true }>({
  id: 'service/samples/nobody-else',
  title: 'sends a sample to no registered webhook, and judges none by what comes of it',
  requirements: ['TRG-4'],
  about: ['operation:sample'],
  needs: [],
  schedule: { kind: 'singly', waitsFor: 'absence' },
  weight: 0.03,
  cases: ({ contract }) => [
    fc.record({ event: uncommon(contract) }),
    fc.record({ event: uncommon(contract), toItsUrl: fc.constant(true as const) }),
  ],
  run: async (kit, { event, toItsUrl }) => {
    if (toItsUrl) return refusedAtItsUrl(kit, event);
    const webhook = await kit.register({ events: [event] });
    const { call, caught } = await sampleAt(kit, kit.endpoint(), { event });
    await kit.settle();
    const notified = webhook.endpoint.caught.find((each) => kit.delivered(each, 'event') === event);
    if (notified === undefined) return undefined;
    if (notified.key !== caught.key) await expectOneForEach(kit, webhook, event);
    return finding('TRG-4', {
      expected: `a webhook that subscribes to ${event} gets nothing when a sample is sent`,
      actual:
        notified.key === caught.key
          ? 'the sample was sent to it as well'
          : 'a notification came to it at the same time',
      exchanges: [call, notified],
      // It might have happened for real just then, where others use the service as well.
      absence: notified.key !== caught.key,
    });
  },
  hint: 'Send the sample past the queue that fans events out; an event that is raised to make a sample reaches everybody.',
});

/** A receiver that is still being written refuses a sample: that says nothing of the deliveries of the webhook with its url. */
async function refusedAtItsUrl(kit: ServiceKit, event: string): Promise<ServiceFinding | undefined> {
  const webhook = await kit.register({ events: [event], script: [refuse(), accept(kit.contract)] });
  const { call, caught } = await refusedSampleAt(kit, webhook.endpoint, { event });
  await kit.settle();
  if (kit.delivered(caught, 'event') !== event) throw new Unproven('what came was no sample');
  if (!(await isInactive(kit, webhook))) return undefined;
  return finding('TRG-4', {
    expected: 'the webhook stays active: a sample is a test only',
    actual: 'after a sample that was refused at its url, the webhook is inactive',
    exchanges: [webhook.creation, call, caught, ...kit.exchanges.slice(-1)],
    // What another webhook refuses at the same time may have turned off this one.
    absence: true,
    hint: 'Count the failures of deliveries alone. A sample is a test: find no webhook by its url to write down what came of it.',
  });
}

/**
 * What is tracked meanwhile may raise the event for real, several times at once. A sample that reaches a registered
 * webhook does so each time.
 *
 * @throws Unproven where no notification came after one of the samples
 */
async function expectOneForEach(kit: ServiceKit, { endpoint }: Webhook, event: string): Promise<void> {
  const came = () => kit.notifications(endpoint).filter((each) => each.event === event).length;
  for (let time = 0; time < again; time += 1) {
    const before = came();
    await sampleAt(kit, kit.endpoint(), { event });
    await kit.settle();
    if (came() === before) throw new Unproven(`${event} happened for real at the same time`);
  }
}

/** Samples that follow the first one where a webhook was notified beside it. */
const again = 2;

/** Section 4.2: a sample leaves no trace, and is signed only where a secret was given. */
const noTrace = serviceCheck<{ readonly event: string; readonly secret?: string; readonly isRefused?: true }>({
  id: 'service/samples/no-trace',
  title: 'lists no notification for a sample, and signs none without a secret',
  requirements: ['TRG-6'],
  about: ['operation:sample', 'operation:notifications'],
  needs: [],
  schedule: { kind: 'singly', waitsFor: 'absence' },
  weight: 0.03,
  cases: ({ contract }) => [
    fc.record({ event: uncommon(contract) }),
    // What is signed, has failed, or goes to the url of a webhook may be kept where another sample is not.
    fc.record({ event: uncommon(contract), secret: fc.constant(secret), isRefused: fc.constant(true as const) }),
  ],
  run: async (kit, { event, isRefused, ...signed }) => {
    const heard = kit.monitored(event).length;
    const before = await listedOf(kit, event);
    const endpoint = isRefused
      ? (await kit.register({ events: [event], script: [refuse(), accept(kit.contract)] })).endpoint
      : kit.endpoint();
    const { call, caught } = await (isRefused ? refusedSampleAt : sampleAt)(kit, endpoint, { event, ...signed });
    if (signed.secret === undefined && kit.header(caught, kit.assumption('signature.header'))) {
      return finding('TRG-6', {
        expected: 'a sample without a secret carries no signature',
        actual: 'it carries one',
        exchanges: [call, caught],
      });
    }
    await kit.settle();
    const more = (await listedOf(kit, event)) - before;
    if (more <= 0) return undefined;
    await kit.settle();
    if (kit.monitored(event).length !== heard) throw new Unproven(`${event} happened for real at the same time`);
    return finding('TRG-6', {
      expected: `a sample${isRefused ? ' with a secret, which a webhook refused that has its url,' : ''} is not listed among the notifications`,
      actual: `the list holds ${counted(more, 'notification')} of ${event} more than before`,
      exchanges: [call, caught],
      // It might have happened for real just then, where others use the service as well.
      absence: true,
    });
  },
  hint:
    'Store no record for a sample, whether it is signed, whatever comes of it, also where a webhook has its url. A client that looks for failed notifications would find it, and read ' +
    'everything again for nothing.',
});

/** The checks of this topic, in the order in which they run and are listed. */
export const samplesChecks: readonly ServiceCheck[] = [
  eachEvent,
  signed,
  eachSigned,
  plainBody,
  refused,
  noTrace,
  nobodyElse,
];

/** How many notifications of an event are listed. @throws Unobservable where that cannot be read to its end */
async function listedOf(kit: ServiceKit, event: string): Promise<number> {
  const { items, complete } = await kit.list('notifications');
  if (!complete) throw new Unobservable('the list of notifications could not be read to its end');
  const own = items.filter((item) => recordMember(kit.contract, item, 'event') === event);
  // What is listed anew while the pages are read pushes others to the next page, where they come again.
  return new Set(own.map((item) => recordMember(kit.contract, item, 'id') ?? item)).size;
}
