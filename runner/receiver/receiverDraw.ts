import fc, { type Arbitrary } from 'fast-check';

import {
  notification,
  type Notification,
  type NotificationOptions,
} from '../../generators/notification/notification.ts';
import { assumptionValue } from '../../spec/assumptions.ts';
import { parseSize } from '../../spec/units.ts';
import type { CatalogueEvent, Contract } from '../../spec/contract.ts';
import { valuesAt } from '../../generators/schema/schemaReference.ts';
import type { Draw } from '../../suites/draw.ts';
import { usualConcurrency } from '../engine/plan.ts';
import { subscribedEvents } from './control.ts';
import { jsonMediaTypes } from './plainDeliveries.ts';
import { madeRecent } from './freshDelivery.ts';
import type { ControlResult, ReceiverContext } from './receiverContext.ts';
import { parentOf } from '../../spec/pointer.ts';

/**
 * What the checks of one run draw their cases from.
 *
 * @param judged - the events that cases may use: the accepted ones, or the effective ones for a check of effects
 */
export function receiverDraw(context: ReceiverContext, found: ControlResult, judged: 'accepted' | 'effective'): Draw {
  const { plan, scheme } = context;
  const { contract } = plan;
  const wanted = subscribedEvents(plan);
  const subscribed = wanted.filter(({ name }) => found.plain.has(name));
  const events = some(
    subscribed.filter(({ name }) => found[judged].has(name)),
    plan.seed,
  );
  // Where all are refused, checks that will not run are asked for their cases all the same.
  const drawable = events.length > 0 ? events : wanted;
  return {
    contract,
    subscribed,
    events,
    unsubscribed: contract.events.filter((event) => !wanted.includes(event)),
    scheme,
    secrets: plan.secrets,
    statuses: deliveryStatuses(contract),
    mediaTypes: jsonMediaTypes(contract),
    judgedSize: parseSize(assumptionValue(plan.assumptions, 'body.judged')),
    memberHolders: memberHolders(contract),
    published: plan.published,
    concurrency: plan.concurrency ?? usualConcurrency,
    intensity: plan.intensity,
    mayLackIncluded: !['always', undefined].includes(includedPresence(plan)),
    notification: ({ event, ...given } = {}) => {
      const options = given.included === 'none' ? { ...given, included: noResources(plan) } : given;
      return fc
        .constantFrom(...(event ? [event] : drawable))
        .chain((chosen) => recent(context, found, arbitraryOf(plan, chosen, options), options));
    },
  };
}

/**
 * Events that cases are drawn from at most, where a contract has many. Reading the schema of one takes tens of milliseconds, and a document may have
 * hundreds of them; each is delivered in the control and in the check of every event.
 */
const many = 64;
const mostDrawn = 24;

/** All of them, or so many, spread over the catalogue; which ones is the seed's matter. */
function some(events: readonly CatalogueEvent[], seed: number): readonly CatalogueEvent[] {
  if (events.length <= many) return events;
  const step = events.length / mostDrawn;
  const first = seed % Math.floor(step);
  return Array.from({ length: mostDrawn }, (_, place) => events[Math.floor(first + place * step)]).filter(
    (event) => event !== undefined,
  );
}

/**
 * Notifications that were created within the hour before the run: receivers may look at a notification's age. Checks
 * that choose the form of timestamps get those of any time.
 */
function recent(
  { plan, startedAt: now }: ReceiverContext,
  { fraction }: ControlResult,
  notifications: Arbitrary<Notification>,
  { timestamps }: NotificationOptions,
): Arbitrary<Notification> {
  if (timestamps !== undefined) return notifications;
  return notifications.map((notification) => madeRecent(plan.contract, notification, { now, fraction }));
}

type DrawnFor = Pick<ReceiverContext['plan'], 'contract' | 'assumptions'>;

/** Nothing where the contract has no related resources. */
function includedPresence({ contract, assumptions }: DrawnFor): string | undefined {
  if (contract.delivery.members.included === undefined) return undefined;
  return assumptionValue(assumptions, 'included.presence');
}

/** How a body without related resources is made: the list is left out only where the contract is known to allow it. */
function noResources(plan: DrawnFor): 'none' | 'empty' {
  return includedPresence(plan) === 'optional' ? 'none' : 'empty';
}

/** Building an arbitrary takes far longer than drawing from it, so each is built once, when it is first drawn from. */
const arbitraries = new WeakMap<CatalogueEvent, Map<string, Arbitrary<Notification>>>();

function arbitraryOf(plan: DrawnFor, event: CatalogueEvent, options: NotificationOptions): Arbitrary<Notification> {
  const ofEvent = arbitraries.get(event) ?? new Map<string, Arbitrary<Notification>>();
  arbitraries.set(event, ofEvent);
  const key = JSON.stringify([options, noResources(plan)]);
  const arbitrary = ofEvent.get(key) ?? shrinkingToNone(plan, event, options);
  ofEvent.set(key, arbitrary);
  return arbitrary;
}

/**
 * Where a check does not care about related resources, a case may shrink to a body without any: it is what a reader
 * wants to see. Such a body is hardly ever drawn.
 */
function shrinkingToNone(plan: DrawnFor, event: CatalogueEvent, options: NotificationOptions): Arbitrary<Notification> {
  const { contract } = plan;
  const drawn = notification(contract, event, options);
  if (options.included !== undefined) return drawn;
  const included = noResources(plan);
  const smallest = fc.constant(null).chain(() => notification(contract, event, { ...options, included }));
  return fc.oneof({ withCrossShrink: true }, { arbitrary: smallest, weight: 1 }, { arbitrary: drawn, weight: 500 });
}

/** The values that the schema allows for the delivery status. */
function deliveryStatuses({ events, delivery }: Contract): readonly string[] {
  const { status } = delivery.members;
  const [first] = events;
  const listed = status === undefined ? [] : (valuesAt(first.schema, status) ?? []);
  return listed.filter((value) => typeof value === 'string');
}

/** The objects that hold the members which the contract names, and the body itself. */
function memberHolders({ delivery }: Contract): readonly string[] {
  const pointers = Object.values(delivery.members);
  return [...new Set(['', ...pointers.map(parentOf)])];
}
