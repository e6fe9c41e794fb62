import fc, { type Arbitrary } from 'fast-check';

import {
  creationNeighbourKinds,
  placeholderUrl,
  type CreationFlaw,
} from '../../../generators/calls/creationNeighbour.ts';
import { customHeaderName, customHeaderValue } from '../../../generators/calls/customHeader.ts';
import { valueAt } from '../../../generators/json/jsonPointer.ts';
import { webhookCreation } from '../../../generators/calls/webhookCreation.ts';
import { withPointer } from '../../../generators/json/withPointer.ts';
import type { CatchStep } from '../../exchange.ts';
import type { ServiceDraw } from '../../serviceDraw.ts';
import type { FuzzMeans, StepKind } from '../fuzzing.ts';
import type {
  Answering,
  AwaitStep,
  CreateStep,
  CustomHeader,
  EmitStep,
  EndStep,
  InvalidStep,
  ListStep,
  PageStep,
  PassStep,
  RemoveStep,
  Series,
  ServiceStep,
  Slot,
  TrackStep,
  TriggerStep,
  UpdateStep,
} from './steps.ts';
import { memberPlace } from '../../../spec/serviceTerms.ts';
import { itemOf } from '../../items.ts';

/** A secret that reads the same under every scheme: also where its base64 stands for the bytes of the key. */
const secrets = ['a key', 'another'].map((text) => `whsec_${Buffer.from(`24 bytes for ${text}`).toString('base64')}`);

/** The kinds of steps, and how they are drawn. What cannot be done with the means of a run is left out. */
export function kindsOf(draw: ServiceDraw, { processControl, alone }: FuzzMeans): readonly StepKind<ServiceStep>[] {
  const kinds: readonly (StepKind<ServiceStep> | false)[] = [
    { kind: 'create', weight: 10, opens: true, steps: creation(draw) },
    { kind: 'invalid', weight: 1.5, steps: invalid(draw) },
    { kind: 'update', weight: 10, steps: update(draw) },
    draw.events.length > 0 && { kind: 'emit', weight: 10, steps: emission(draw) },
    { kind: 'trigger', weight: 2, steps: sample(draw) },
    { kind: 'await', weight: 4, steps: awaited },
    { kind: 'list', weight: 3, steps: listing },
    { kind: 'page', weight: 1, steps: paging },
    { kind: 'remove', weight: 1, steps: removal },
    { kind: 'pass', weight: 1, steps: passing },
    alone && draw.trackable.length > 0 && { kind: 'track', weight: 0.5, steps: tracking },
    processControl && { kind: 'kill', weight: 3, steps: ending('kill') },
    processControl && { kind: 'stop', weight: 1, steps: ending('stop') },
    processControl && { kind: 'pause', weight: 1, steps: ending('pause') },
  ];
  return kinds.filter((each) => each !== false);
}

/** The first ones are drawn most often: webhooks under other names are there to be beside these. */
const slot: Arbitrary<Slot> = fc.constantFrom<Slot>('a', 'a', 'a', 'a', 'a', 'b', 'b', 'c');

function creation(draw: ServiceDraw): Arbitrary<CreateStep> {
  const rest = {
    do: fc.constant('create' as const),
    events: fc.oneof(
      { withCrossShrink: true },
      { weight: 20, arbitrary: subscription(draw) },
      { weight: 1, arbitrary: fc.constant(null) },
    ),
    active: rarely(fc.constant(false), true, 4),
    ...answering(draw),
  };
  // Headers come last, for they have the most smaller neighbours, and matter the least.
  const alone = fc.record({ ...rest, slot, at: fc.constant(null), headers: customHeaders });
  const neighbour = fc.record({
    ...rest,
    slot: fc.constantFrom<Slot>('b', 'c', 'd'),
    at: shrinkingAs<Slot | null>(fc.constantFrom('a', 'a', 'a', 'b'), fc.constantFrom(null, 'a', 'b')),
    headers: customHeaders,
  });
  return fc.oneof({ weight: 2, arbitrary: alone }, { weight: 1, arbitrary: neighbour });
}

function update(draw: ServiceDraw): Arbitrary<UpdateStep> {
  const whose = { do: fc.constant('update' as const), slot };
  const changes = {
    active: fc.constantFrom(true, true, true, false),
    events: subscription(draw),
    headers: customHeaders,
    url: fc.record(answering(draw)),
  };
  const { active, events, headers, url } = changes;
  return fc.oneof(
    { weight: 3, arbitrary: fc.record({ ...whose, active }) },
    { weight: 2, arbitrary: fc.record({ ...whose, url }) },
    { weight: 2, arbitrary: fc.record({ ...whose, headers }) },
    { weight: 1, arbitrary: fc.record({ ...whose, events }) },
    { weight: 1, arbitrary: fc.record({ ...whose, ...changes }, { requiredKeys: ['do', 'slot', 'active'] }) },
  );
}

function emission(draw: ServiceDraw): Arbitrary<EmitStep> {
  return fc.record({
    do: fc.constant('emit'),
    events: fc.array(oneOf(draw.events), { minLength: 1, maxLength: 3 }),
  });
}

function sample(draw: ServiceDraw): Arbitrary<TriggerStep> {
  return fc.record({
    do: fc.constant('trigger'),
    event: fc.constantFrom(...catalogue(draw)),
    secret: fc.constantFrom(...secrets, null),
    at: rarely(slot, null, 2),
  });
}

function invalid(draw: ServiceDraw): Arbitrary<InvalidStep> {
  const flaws: readonly CreationFlaw[] = ['incomplete', 'without active', 'wrong events', 'malformed'];
  const kinds = flaws.flatMap((flaw) =>
    creationNeighbourKinds(draw.contract, draw.terms, flaw).map((neighbour) =>
      neighbour.map(({ invalid: body, change }): InvalidStep => ({ do: 'invalid', flaw, invalid: body, change })),
    ),
  );
  return fc.oneof(...kinds, { weight: 4, arbitrary: repeatedEvent(draw) });
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
    .tuple(webhookCreation(contract, { members: { [active]: fc.constant(false) } }), list, fc.nat({ max: 100 }))
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
    .filter(({ invalid: body }) => valueAt(body, active) === false);
}

const awaited: Arbitrary<AwaitStep> = fc.record({
  do: fc.constant('await'),
  slot,
  attempt: fc.integer({ min: 1, max: 4 }),
});

const listing: Arbitrary<ListStep> = fc.record({
  do: fc.constant('list'),
  what: fc.constantFrom('notifications', 'webhooks'),
});

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

/**
 * Draws as one arbitrary does, and shrinks as another one that could have drawn the value, too: for what is drawn as one
 * of a few odd values, and should be shown as the smallest of all.
 *
 * @param drawn - what values are drawn from
 * @param shrunk - can shrink each of these values without knowing how it was drawn
 * @example shrinkingAs(fc.constantFrom(13, 12), fc.integer({ min: 1, max: 14 })) // 13, which shrinks to 1, 7, 10, 12
 */
function shrinkingAs<T>(drawn: Arbitrary<T>, shrunk: Arbitrary<T>): Arbitrary<T> {
  return new ShrinkingAs(drawn, shrunk);
}

class ShrinkingAs<T> extends fc.Arbitrary<T> {
  readonly #drawn: Arbitrary<T>;
  readonly #shrunk: Arbitrary<T>;

  constructor(drawn: Arbitrary<T>, shrunk: Arbitrary<T>) {
    super();
    this.#drawn = drawn;
    this.#shrunk = shrunk;
  }

  generate(random: fc.Random, bias: number | undefined): fc.Value<T> {
    return new fc.Value(this.#drawn.generate(random, bias).value, undefined);
  }

  canShrinkWithoutContext(value: unknown): value is T {
    return this.#shrunk.canShrinkWithoutContext(value);
  }

  shrink(value: T, context: unknown): fc.Stream<fc.Value<T>> {
    return this.#shrunk.shrink(value, context);
  }
}
