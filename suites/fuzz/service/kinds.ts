import fc, { type Arbitrary } from 'fast-check';

import {
  creationNeighbourKinds,
  placeholderUrl,
  type CreationFlaw,
} from '../../../generators/calls/creationNeighbour.ts';
import {
  customHeaderName,
  customHeaderValue,
  operationBody,
  webhookCreation,
} from '../../../generators/calls/requestBodies.ts';
import { valueAt, withPointer } from '../../../generators/json/jsonPointer.ts';
import { isTakenBy } from '../../../generators/calls/plainBody.ts';
import type { CatchStep } from '../../exchange.ts';
import type { ServiceDraw } from '../../draw.ts';
import type { FuzzMeans, StepKind } from '../fuzzing.ts';
import { shrinkingAs } from '../../../generators/arbitraries.ts';
import {
  type Answering,
  type AwaitStep,
  type CreateStep,
  type CustomHeader,
  type EmitStep,
  type EndStep,
  type InvalidStep,
  type ListStep,
  type PageStep,
  type PassStep,
  type RemoveStep,
  type Series,
  type ServiceStep,
  type Slot,
  type TrackStep,
  type TriggerStep,
  type UpdateStep,
  isOffered,
  isPossible,
} from './steps.ts';
import { schemasAt } from '../../../generators/schema/schemaReference.ts';
import { type ContractPart, partsOf } from '../../../spec/contractParts.ts';
import type { RequirementId } from '../../../spec/names.ts';
import { activeBy, memberPlace, stateOf } from '../../../spec/serviceTerms.ts';
import { itemOf } from '../../items.ts';

/** A secret that reads the same under every scheme: also where its base64 stands for the bytes of the key. */
const secrets = ['a key', 'another'].map((text) => `whsec_${Buffer.from(`24 bytes for ${text}`).toString('base64')}`);

/** The kinds of steps, and how they are drawn. What cannot be done with the means of a run, or by its contract, is left out. */
export function kindsOf(draw: ServiceDraw, { processControl, alone }: FuzzMeans): readonly StepKind<ServiceStep>[] {
  const parts = partsOf(draw.contract);
  const readable = (['notifications', 'webhooks'] as const).filter((what) => isPossible(parts, { do: 'list', what }));
  const kinds: readonly (StepKind<ServiceStep> | false)[] = [
    { kind: 'create', weight: 10, opens: true, steps: creation(draw) },
    ...invalidKinds(draw),
    { kind: 'update', weight: 10, steps: update(draw, parts) },
    draw.events.length > 0 && { kind: 'emit', weight: 10, steps: emission(draw) },
    { kind: 'trigger', weight: 2, steps: sample(draw, parts) },
    { kind: 'await', weight: 4, steps: awaited },
    readable.length > 0 && { kind: 'list', weight: 3, steps: listing(readable) },
    { kind: 'page', weight: 1, steps: paging },
    { kind: 'remove', weight: 1, steps: removal },
    { kind: 'pass', weight: 1, steps: passing },
    alone && draw.trackable.length > 0 && { kind: 'track', weight: 0.5, steps: tracking },
    processControl && { kind: 'kill', weight: 3, steps: ending('kill') },
    processControl && { kind: 'stop', weight: 1, steps: ending('stop') },
    processControl && { kind: 'pause', weight: 1, steps: ending('pause') },
  ];
  return kinds.filter((each) => each !== false).filter(({ kind }) => isOffered(parts, kind));
}

type Parts = ReadonlySet<ContractPart>;

/** The first ones are drawn most often: webhooks under other names are there to be beside these. */
const slot: Arbitrary<Slot> = fc.constantFrom<Slot>('a', 'a', 'a', 'a', 'a', 'b', 'b', 'c');

function creation(draw: ServiceDraw): Arbitrary<CreateStep> {
  const events = subscription(draw);
  const anyEvent = draw.contract.requirements.some(({ id }) => id === withoutEvents);
  const rest = {
    do: fc.constant('create' as const),
    events: anyEvent
      ? fc.oneof(
          { withCrossShrink: true },
          { weight: 20, arbitrary: events },
          { weight: 1, arbitrary: fc.constant(null) },
        )
      : events,
    active: isTakenBy(draw.contract, 'create', 'active') ? rarely(fc.constant(false), true, 4) : fc.constant(true),
    ...answering(draw),
  };
  const headers = isTakenBy(draw.contract, 'create', 'headers') ? customHeaders : fc.constant([]);
  // Headers come last, for they have the most smaller neighbours, and matter the least.
  const alone = fc.record({ ...rest, slot, at: fc.constant(null), headers });
  const neighbour = fc.record({
    ...rest,
    slot: fc.constantFrom<Slot>('b', 'c', 'd'),
    at: shrinkingAs<Slot | null>(fc.constantFrom('a', 'a', 'a', 'b'), fc.constantFrom(null, 'a', 'b')),
    headers,
  });
  return fc.oneof({ weight: 2, arbitrary: alone }, { weight: 1, arbitrary: neighbour });
}

/** That a creation without events is taken. */
const withoutEvents: RequirementId = 'CRW-3';

function update(draw: ServiceDraw, parts: Parts): Arbitrary<UpdateStep> {
  const whose = { do: fc.constant('update' as const), slot };
  const changes = {
    active: fc.constantFrom(true, true, true, false),
    events: subscription(draw),
    headers: customHeaders,
    url: fc.record(answering(draw)),
  };
  const { active, events, headers, url } = changes;
  const [hasActive, hasHeaders] = [parts.has('webhook:active'), parts.has('webhook:headers')];
  const all = { ...whose, ...(hasActive && { active }), events, ...(hasHeaders && { headers }), url };
  const required = ['do', 'slot', ...(hasActive ? (['active'] as const) : [])] as const;
  return fc.oneof(
    ...(hasActive ? [{ weight: 3, arbitrary: fc.record({ ...whose, active }) }] : []),
    { weight: 2, arbitrary: fc.record({ ...whose, url }) },
    ...(hasHeaders ? [{ weight: 2, arbitrary: fc.record({ ...whose, headers }) }] : []),
    { weight: 1, arbitrary: fc.record({ ...whose, events }) },
    { weight: 1, arbitrary: fc.record(all, { requiredKeys: [...required] }) },
  );
}

function emission(draw: ServiceDraw): Arbitrary<EmitStep> {
  return fc.record({
    do: fc.constant('emit'),
    events: fc.array(oneOf(draw.events), { minLength: 1, maxLength: 3 }),
  });
}

function sample(draw: ServiceDraw, parts: Parts): Arbitrary<TriggerStep> {
  // What no secret of its own distinguishes from other deliveries goes to a url of its own.
  const isTold = parts.has('sample:secret');
  return fc.record({
    do: fc.constant('trigger'),
    event: fc.constantFrom(...catalogue(draw)),
    secret: isTold ? fc.constantFrom(...secrets, null) : fc.constant(null),
    at: isTold ? rarely(slot, null, 2) : fc.constant(null),
  });
}

function invalidKinds(draw: ServiceDraw): readonly StepKind<ServiceStep>[] {
  const hasActive = isTakenBy(draw.contract, 'create', 'active');
  const flaws: readonly CreationFlaw[] = [
    'incomplete',
    ...(hasActive ? (['without active'] as const) : []),
    'wrong events',
    'malformed',
  ];
  const kinds = flaws.flatMap((flaw) =>
    creationNeighbourKinds(draw.contract, draw.terms, flaw).map((variants) =>
      fc
        .oneof(...variants)
        .map(({ invalid: body, change }): InvalidStep => ({ do: 'invalid', flaw, invalid: body, change })),
    ),
  );
  // What the schema allows is no flaw.
  const repeated = hasActive && refusesRepetition(draw) ? [{ weight: 4, arbitrary: repeatedEvent(draw) }] : [];
  if (kinds.length + repeated.length === 0) return [];
  return [{ kind: 'invalid', weight: 1.5, steps: fc.oneof(...kinds, ...repeated) }];
}

function refusesRepetition({ contract, terms }: ServiceDraw): boolean {
  const { wrapper, members } = terms.webhook;
  return schemasAt(operationBody(contract, 'create'), wrapper + members.events).some(
    ({ uniqueItems }) => uniqueItems === true,
  );
}

/** An event twice, in a list of any length. */
function repeatedEvent({ contract, terms }: ServiceDraw): Arbitrary<InvalidStep> {
  const { wrapper, members } = terms.webhook;
  const active = `${wrapper}${memberPlace(terms, 'active')}`;
  const list = fc.shuffledSubarray(
    contract.events.map(({ name }) => name),
    { minLength: 1 },
  );
  return fc
    .tuple(
      webhookCreation(contract, { members: { [active]: fc.constant(stateOf(terms, false)) } }),
      list,
      fc.nat({ max: 100 }),
    )
    .map(([valid, events, place]) => {
      const body = withPointer(valid, `${wrapper}${members.url}`, placeholderUrl);
      const twice = [...events, itemOf(events, place % events.length)];
      return {
        do: 'invalid',
        flaw: 'wrong events',
        invalid: withPointer(body, `${wrapper}${members.events}`, twice),
        change: `an event twice in a list of ${twice.length}`,
      } as const;
    })
    .filter(({ invalid: body }) => activeBy(terms, valueAt(body, active)) === false);
}

const awaited: Arbitrary<AwaitStep> = fc.record({
  do: fc.constant('await'),
  slot,
  attempt: fc.integer({ min: 1, max: 4 }),
});

function listing(readable: readonly ListStep['what'][]): Arbitrary<ListStep> {
  return fc.record({ do: fc.constant('list'), what: fc.constantFrom(...readable) });
}

const paging: Arbitrary<PageStep> = fc.record({ do: fc.constant('page'), size: fc.integer({ min: 1, max: 6 }) });

const removal: Arbitrary<RemoveStep> = fc.record({ do: fc.constant('remove'), slot });

const passing: Arbitrary<PassStep> = fc.record({ do: fc.constant('pass'), ms: fc.integer({ min: 1, max: 120 }) });

const tracking: Arbitrary<TrackStep> = fc.record({ do: fc.constant('track'), known: fc.boolean() });

function ending(how: EndStep['do']): Arbitrary<EndStep> {
  return fc.record({ do: fc.constant(how), ms: fc.nat({ max: 100 }) });
}

/** One event most often, else several, or every one that can happen. */
function subscription({ events, contract }: ServiceDraw): Arbitrary<readonly string[]> {
  const own = events.length > 0 ? events : contract.events.slice(0, 3).map(({ name }) => name);
  return fc.oneof(
    { withCrossShrink: true },
    { weight: 6, arbitrary: oneOf(own).map((event) => [event]) },
    { weight: 2, arbitrary: fc.subarray([...own], { minLength: 1 }) },
  );
}

/** The first one most often: so that what happens is what somebody waits for. */
function oneOf(events: readonly string[]): Arbitrary<string> {
  const [first = '', ...others] = events;
  return fc.oneof(
    { weight: 5, arbitrary: fc.constant(first) },
    { weight: 1, arbitrary: fc.constantFrom(first, ...others) },
  );
}

/** None half of the time: a list that is drawn empty counts, too, for every list can shrink to that. */
const customHeaders: Arbitrary<readonly CustomHeader[]> = fc.oneof(
  { weight: 1, arbitrary: fc.constant([]) },
  {
    weight: 3,
    arbitrary: fc.uniqueArray(fc.record({ name: customHeaderName(), value: customHeaderValue() }), {
      maxLength: 2,
      selector: ({ name }) => name.toLowerCase(),
    }),
  },
);

/** Accepts at once, or refuses a few times first; now and then more often than the contract lets a service try. */
function answering({ contract: { delivery } }: ServiceDraw) {
  const few = fc.array(series(delivery, fc.integer({ min: 1, max: 2 })), { maxLength: 3 });
  const { retries } = delivery;
  const most = fc.constantFrom(retries + 1, retries + 1, retries, retries + 2);
  const many = series(delivery, most).map((each) => [each]);
  const all = fc.array(series(delivery, fc.integer({ min: 1, max: retries + 2 })), { maxLength: 3 });
  const some = fc.oneof({ weight: 3, arbitrary: few }, { weight: 1, arbitrary: many });
  return {
    refusals: shrinkingAs<Answering['refusals']>(some, all as Arbitrary<Answering['refusals']>),
    status: fc.constantFrom(...delivery.acceptedStatuses),
  };
}

function series(delivery: ServiceDraw['contract']['delivery'], times: Arbitrary<number>): Arbitrary<Series> {
  const statuses = [503, 500, 400, 404, 409, 410, 429, 301, 302, 307, 203, 205, 206, 304];
  const status = fc.constantFrom(...statuses.filter((each) => !delivery.acceptedStatuses.includes(each)));
  const by = fc.oneof(
    { weight: 8, arbitrary: fc.record({ do: fc.constant('respond'), status }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('respond'), status, delay: fc.constantFrom(40, 120) }) },
    {
      weight: 2,
      arbitrary: fc.record({ do: fc.constant('reset'), when: fc.constantFrom('before', 'during', 'after') }),
    },
    { weight: 1, arbitrary: fc.constant({ do: 'hang' }) },
  ) as Arbitrary<CatchStep>;
  return fc.record({ times, by });
}

/** A value most often, and one of the others in one of so many, which shrink to it. */
function rarely<T, U>(others: Arbitrary<T>, usual: U, in_: number): Arbitrary<T | U> {
  return fc.oneof(
    { withCrossShrink: true },
    { weight: in_ - 1, arbitrary: fc.constant(usual) },
    { weight: 1, arbitrary: others },
  );
}

function catalogue({ events, contract }: ServiceDraw): readonly string[] {
  return events.length > 0 ? events : contract.events.map(({ name }) => name);
}
