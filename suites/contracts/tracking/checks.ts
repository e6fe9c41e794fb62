import fc from 'fast-check';

import { describeAnswer, hasStatusClass } from '../../answer.ts';
import { serviceCheck, Unproven, Unobservable, type ServiceFinding, type ServiceCheck } from '../../check.ts';
import type { Call, Caught } from '../../exchange.ts';
import type { ServiceDraw } from '../../draw.ts';
import type { ServiceKit } from '../../serviceKit.ts';
import { finding } from '../../finding.ts';
import { type TrackedNumber, trackingBody } from '../../service/trackingBody.ts';
import {
  isListed,
  isTaken,
  track,
  trackAndHear,
  untilThere,
  withinWindow,
  counts,
  judgeOutcome,
  includedIds,
  itemsOf,
  refusedList,
} from './trackingRun.ts';
import type { Json } from '../../../generators/json/json.ts';
import { valueAt } from '../../../generators/json/jsonPointer.ts';
import { operationCases } from '../../service/operationCases.ts';
import { itemOf } from '../../items.ts';
import { trackingTerms } from '../../../spec/serviceTerms.ts';

/** Sections 2.3 and 4.3: a request with a number and a SCAC is taken. */
const taken = serviceCheck<TrackedNumber>({
  id: 'service/tracking/taken',
  title: 'takes a tracking request by bill of lading, and does not fail on the same once more',
  requirements: ['TRQ-1', 'TRQ-2'],
  about: ['tracking'],
  needs: ['trackable'],
  schedule: { kind: 'singly' },
  weight: 0.01,
  cases: (draw) => numbers(draw, 3),
  run: async (kit, tracked) => {
    const webhook = await kit.register({ events: [trackingTerms(kit.terms).found] });
    const call = await trackAndHear(kit, webhook, tracked);
    if (isTaken(kit, call)) return failedAgain(await trackAndHear(kit, webhook, tracked));
    if (await isListed(kit, 'tracked', tracked)) return failedAgain(call);
    const actual = describeAnswer(call.answer);
    const twin = await takenOtherwise(kit, tracked);
    if (twin === undefined) return finding('TRQ-1', { expected: 'the request is taken', actual, exchanges: [call] });
    const difference = `the request type is ${trackingTerms(kit.terms).requestType}`;
    return finding('TRQ-2', { expected: 'the request type is known', actual, exchanges: [call], twin, difference });
  },
  hint: 'Take a tracking request as the contract writes it, with the one request type that every service knows.',
});

/** Sections 1 and 2.3: shipment and container records come of a request. */
const records = serviceCheck<TrackedNumber>({
  id: 'service/tracking/records',
  title: 'creates shipment and container records for a number that it finds',
  requirements: ['SVC-1'],
  about: ['tracking'],
  needs: ['trackable'],
  schedule: { kind: 'singly' },
  weight: 0.01,
  cases: (draw) => numbers(draw, 1),
  run: async (kit, tracked) => {
    const webhook = await kit.register({ events: [trackingTerms(kit.terms).found] });
    const known = await isListed(kit, 'tracked', tracked);
    const before = await counts(kit);
    const call = await track(kit, tracked);
    if (!isTaken(kit, call) && !known) {
      return finding('SVC-1', {
        expected: 'the request is taken',
        actual: describeAnswer(call.answer),
        exchanges: [call],
      });
    }
    // Who tracks a number twice may be given the records of the first time.
    const isThere = async (): Promise<boolean> =>
      (await counts(kit)).every((count, index) => count > itemOf(before, index) || (known && count > 0));
    const outcome = await untilThere(kit, webhook, isThere);
    return judgeOutcome(kit, outcome, call, {
      requirement: 'SVC-1',
      expected: 'a new shipment and a new container are listed',
    });
  },
  hint: 'Store the records as soon as the carrier has answered, and list them at once.',
});

/** Sections 3.3 and 8: what a new request finds can be seen within a few minutes. */
const visible = serviceCheck<TrackedNumber>({
  id: 'service/tracking/visible',
  title: 'shows what a new tracking request finds within a few minutes',
  requirements: ['TRQ-5'],
  about: ['tracking'],
  needs: ['trackable'],
  schedule: { kind: 'singly' },
  weight: 0.01,
  cases: (draw) => numbers(draw, 1),
  run: async (kit, tracked) => {
    const webhook = await kit.register({ events: [trackingTerms(kit.terms).found] });
    const call = await track(kit, tracked);
    // Whether all of it is there is for the check of the records to say.
    const isThere = async (): Promise<boolean> => (await counts(kit)).some((count) => count > 0);
    if (!isTaken(kit, call) && !(await isThere())) throw new Unproven('the tracking request was not taken');
    const outcome = await untilThere(kit, webhook, isThere);
    await kit.untilCaught(webhook.endpoint);
    return judgeOutcome(kit, outcome, call, { requirement: 'TRQ-5', expected: 'a shipment or a container is listed' });
  },
  hint: 'List a record from the moment at which it was found; do not wait for a nightly run.',
});

/** What was asked for again. A number that is tracked already may be refused. An error of the service's own is no refusal; 503 may pass. */
function failedAgain(call: Call): ServiceFinding | undefined {
  const { answer } = call;
  if (answer.kind !== 'answered' || !hasStatusClass(answer, 5) || answer.status === 503) return undefined;
  return finding('TRQ-1', {
    expected: 'the request is taken, or refused with a 4xx',
    actual: `${describeAnswer(answer)}, to a request for a number that is tracked already`,
    exchanges: [call],
    absence: true,
    hint: 'Expect that a number is tracked again, by another customer too: answer as before, or refuse it, and let no constraint of a table end in an error.',
  });
}

function numbers({ trackable }: ServiceDraw, most: number): readonly fc.Arbitrary<TrackedNumber>[] {
  return trackable.slice(0, most).map((tracked) => fc.constant(tracked));
}

/** The same number as another type of request, taken; nothing where none is. */
async function takenOtherwise(kit: ServiceKit, tracked: TrackedNumber): Promise<Call | undefined> {
  const others = kit.assumption('requestTypes').split(',');
  for (const requestType of others.filter((type) => type.trim() !== trackingTerms(kit.terms).requestType)) {
    const call = await track(kit, tracked, trackingBody(kit.terms, tracked, requestType.trim()));
    if (isTaken(kit, call)) return call;
  }
  return undefined;
}

/** Section 3.3: once it is said that the number was found, its records are there. */
const atOnce = serviceCheck<string>({
  id: 'service/tracking/found-means-records',
  title: 'lists the records of a number before it says that the number was found',
  requirements: ['TRQ-6'],
  about: ['tracking'],
  needs: ['trackable'],
  // Beside others the list would be read too late to know.
  schedule: { kind: 'singly' },
  weight: 0.01,
  cases: ({ contract }) => operationCases(contract, ['records', 'units']),
  run: async (kit, operationId) => {
    const { found } = trackingTerms(kit.terms);
    const webhook = await kit.register({ events: [found] });
    const before = await idsOf(kit, operationId);
    const triggered = await kit.trigger(found);
    if (triggered.by === 'emit')
      throw new Unobservable('the event was not caused by a tracking request: give --trackable');
    const first = await kit.arrival(webhook, triggered);
    if (first === undefined) throw new Unproven('the news that the number was found did not come');
    const now = await idsOf(kit, operationId);
    const read = kit.exchanges.slice(-1);
    const spoken = includedIds(kit, first.attempts[0]);
    const isThere = spoken.some((id) => now.has(id));
    // What is new there may be another number's, unless the news does not say what it is about.
    if (isThere || (spoken.length === 0 && now.size > before.size)) return undefined;
    const isNew = now.size > before.size;
    await kit.settle();
    const added = async () => [...(await idsOf(kit, operationId))].filter((id) => !now.has(id));
    const later = isNew ? await added() : await withinWindow(kit, webhook, async () => someOf(await added()));
    return judgeListed(kit, first.attempts[0], { now, later: later ?? [], read, isNew });
  },
  hint: 'Commit all the records first, and raise the event after that (or in the same transaction).',
});

/** The checks of this topic that wait for what comes of a request. */
export const trackingChecks: readonly ServiceCheck[] = [atOnce, taken, records, visible];

interface Read {
  readonly now: ReadonlySet<unknown>;
  /** What was listed only later. */
  readonly later: readonly unknown[];
  /** Whether something had been added by then. */
  readonly isNew: boolean;
  readonly read: ServiceFinding['exchanges'];
}

/**
 * What comes later counts if the delivery spoke of it: other numbers may have been found in the meantime. Where it speaks of
 * nothing that is listed, it counts that nothing had been added by then; that has to recur.
 */
function judgeListed(kit: ServiceKit, notified: Caught, { now, later, isNew, read }: Read): ServiceFinding | undefined {
  const included = includedIds(kit, notified);
  const late = later.filter((id) => included.includes(String(id)));
  const expected = 'the records are listed when the news arrives that the number was found';
  const exchanges = [notified, ...read];
  if (late.length > 0) {
    const actual = `${late.length} of them came into the list only after the news`;
    return finding('TRQ-6', { expected, actual, exchanges });
  }
  const isLate = !isNew && later.length > 0;
  if (now.size > 0 && !isLate) return undefined;
  const before = now.size > 0 ? 'nothing had been added to the list then' : 'the list was empty then';
  const nothing = refusedList(kit, read) ?? 'the list is empty';
  const actual = isLate ? `${before}, and ${later.length} came later` : nothing;
  return finding('TRQ-6', { expected, actual, exchanges, absence: now.size > 0 || !isLate });
}

function someOf<T>(values: readonly T[]): readonly T[] | undefined {
  return values.length > 0 ? values : undefined;
}

async function idsOf(kit: ServiceKit, operationId: string): Promise<ReadonlySet<unknown>> {
  const items = await itemsOf(kit, { operationId });
  return new Set(items.map((item: Json) => valueAt(item, kit.terms.webhook.members.id) ?? JSON.stringify(item)));
}
