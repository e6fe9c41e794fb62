import fc from 'fast-check';

import { describeAnswer } from '../../answer.ts';
import { serviceCheck, Unproven } from '../../check.ts';
import type { Call } from '../../exchange.ts';
import type { ServiceDraw, TrackedNumber } from '../../serviceDraw.ts';
import type { ServiceKit } from '../../serviceKit.ts';
import { broken } from '../broken.ts';
import { trackingBody } from '../trackingBody.ts';
import {
  fewMinutes,
  isListed,
  isTaken,
  itemsOf,
  track,
  trackAndHear,
  untilThere,
  type Outcome,
} from './trackingRun.ts';

/** Sections 2.3 and 4.3: a request with a number and a SCAC is taken. */
export const taken = serviceCheck<TrackedNumber>({
  id: 'service/tracking/taken',
  title: 'takes a tracking request by bill of lading',
  requirements: ['TRQ-1', 'TRQ-2'],
  needs: ['trackable'],
  schedule: { kind: 'singly' },
  weight: 0.01,
  cases: (draw) => numbers(draw, 3),
  run: async (kit, tracked) => {
    const webhook = await kit.register({ events: [kit.terms.tracking.found] });
    const call = await trackAndHear(kit, webhook, tracked);
    if (isTaken(kit, call) || (await isListed(kit, 'listTrackingRequests', tracked))) return undefined;
    const actual = describeAnswer(call.answer);
    const twin = await takenOtherwise(kit, tracked);
    if (twin === undefined) return broken('TRQ-1', { expected: 'the request is taken', actual, exchanges: [call] });
    const difference = `the request type is ${kit.terms.tracking.requestType}`;
    return broken('TRQ-2', { expected: 'the request type is known', actual, exchanges: [call], twin, difference });
  },
  hint: 'Take {"data": {"type": "tracking_request", "attributes": {...}}} with the request type bill_of_lading.',
});

/** Sections 1 and 2.3: shipment and container records come of a request. */
export const records = serviceCheck<TrackedNumber>({
  id: 'service/tracking/records',
  title: 'creates shipment and container records for a number that it finds',
  requirements: ['SVC-1'],
  needs: ['trackable'],
  schedule: { kind: 'singly' },
  weight: 0.01,
  cases: (draw) => numbers(draw, 1),
  run: async (kit, tracked) => {
    const webhook = await kit.register({ events: [kit.terms.tracking.found] });
    const known = await isListed(kit, 'listTrackingRequests', tracked);
    const before = await counts(kit);
    const call = await track(kit, tracked);
    if (!isTaken(kit, call) && !known) {
      return broken('SVC-1', {
        expected: 'the request is taken',
        actual: describeAnswer(call.answer),
        exchanges: [call],
      });
    }
    // Who tracks a number twice may be given the records of the first time.
    const isThere = async (): Promise<boolean> =>
      (await counts(kit)).every((count, index) => count > before[index]! || (known && count > 0));
    const outcome = await untilThere(kit, webhook, isThere);
    return judge(kit, outcome, call, {
      requirement: 'SVC-1',
      expected: 'a new shipment and a new container are listed',
    });
  },
  hint: 'Store the shipment and its containers as soon as the line has answered, and list them at once.',
});

/** Sections 3.3 and 8: what a new request finds can be seen within a few minutes. */
export const visible = serviceCheck<TrackedNumber>({
  id: 'service/tracking/visible',
  title: 'shows what a new tracking request finds within a few minutes',
  requirements: ['TRQ-5'],
  needs: ['trackable'],
  schedule: { kind: 'singly' },
  weight: 0.01,
  cases: (draw) => numbers(draw, 1),
  run: async (kit, tracked) => {
    const webhook = await kit.register({ events: [kit.terms.tracking.found] });
    const call = await track(kit, tracked);
    // Whether all of it is there is for the check of the records to say.
    const isThere = async (): Promise<boolean> => (await counts(kit)).some((count) => count > 0);
    if (!isTaken(kit, call) && !(await isThere())) throw new Unproven('the tracking request was not taken');
    const outcome = await untilThere(kit, webhook, isThere);
    await kit.untilCaught(webhook.endpoint);
    return judge(kit, outcome, call, { requirement: 'TRQ-5', expected: 'a shipment or a container is listed' });
  },
  hint: 'List a shipment from the moment at which it was found; do not wait for a nightly run.',
});

const lists = { listTrackingRequests: 'LST-3', listShipments: 'LST-4', listContainers: 'LST-5' } as const;

/** Section 4.3: what is tracked is listed. */
export const listed = serviceCheck<{ operationId: keyof typeof lists; tracked: TrackedNumber }>({
  id: 'service/lists/tracked',
  title: 'lists tracking requests, shipments and containers',
  requirements: ['LST-3', 'LST-4', 'LST-5'],
  needs: ['trackable'],
  schedule: { kind: 'singly' },
  weight: 0.01,
  cases: ({ trackable }) =>
    Object.keys(lists).map((operationId) =>
      fc.constant({ operationId: operationId as keyof typeof lists, tracked: trackable[0]! }),
    ),
  run: async (kit, { operationId, tracked }) => {
    // The request itself shows its number; the records that came of it may go by others.
    const isThere = async (): Promise<boolean> =>
      operationId === 'listTrackingRequests'
        ? isListed(kit, operationId, tracked)
        : (await itemsOf(kit, operationId)).length > 0;
    if (await isThere()) return undefined;
    const webhook = await kit.register({ events: [kit.terms.tracking.found] });
    const call = await track(kit, tracked);
    if (!isTaken(kit, call)) throw new Unproven(`the tracking request was not taken: ${describeAnswer(call.answer)}`);
    const outcome = await untilThere(kit, webhook, isThere);
    // Where there are no records at all, it is not the list that is to blame.
    if (operationId !== 'listTrackingRequests' && (await counts(kit)).every((count) => count === 0)) {
      throw new Unproven('neither a shipment nor a container came of the tracking request');
    }
    return judge(kit, outcome, call, { requirement: lists[operationId], expected: 'what is tracked is listed' });
  },
  hint: 'List everything that the account tracks, and leave nothing out that was just created.',
});

function numbers({ trackable }: ServiceDraw, most: number): readonly fc.Arbitrary<TrackedNumber>[] {
  return trackable.slice(0, most).map((tracked) => fc.constant(tracked));
}

/** How many shipments and containers are listed. */
async function counts(kit: ServiceKit): Promise<readonly number[]> {
  const all = await Promise.all(['listShipments', 'listContainers'].map((operationId) => itemsOf(kit, operationId)));
  return all.map(({ length }) => length);
}

/** The same number as another type of request, taken; nothing where none is. */
async function takenOtherwise(kit: ServiceKit, tracked: TrackedNumber): Promise<Call | undefined> {
  const others = kit.assumption('requestTypes').split(',');
  for (const requestType of others.filter((type) => type.trim() !== kit.terms.tracking.requestType)) {
    const call = await track(kit, tracked, trackingBody(kit.terms, tracked, requestType.trim()));
    if (isTaken(kit, call)) return call;
  }
  return undefined;
}

/** @throws Unproven where time ran out before the few minutes that the contract grants */
function judge(kit: ServiceKit, outcome: Outcome, call: Call, point: { requirement: string; expected: string }) {
  if (outcome.kind === 'there') return undefined;
  if (outcome.kind === 'open' && kit.window < fewMinutes) {
    throw new Unproven(
      `nothing came of the tracking request yet; --retry-window 5m waits for the few minutes that it may take`,
    );
  }
  const notified = outcome.notification;
  return broken(point.requirement, {
    expected: point.expected,
    actual: notified === undefined ? 'it is not, after five minutes' : 'it is not, although the number was found',
    exchanges: [
      call,
      ...(notified === undefined ? [] : [notified]),
      ...kit.exchanges.filter(({ kind }) => kind === 'call').slice(-1),
    ],
    absence: true,
  });
}
