import { type Found, wrong } from './found.ts';
import type { WebhookDelivery, Raised, Registered, Sampled } from './registered.ts';
import type { ServiceModelState } from './serviceModelState.ts';

/** Tests what came against what a webhook wanted: other events, and what happened while it rested. */
export function judgeSurplus(modelState: ServiceModelState): void {
  if (modelState.deliveries.length > 0 || modelState.raised.length > 0) modelState.judge('DLV-5', 'NTF-5');
  for (const delivery of modelState.deliveries) modelState.accuse(neverWanted(modelState, delivery));
  for (const owner of modelState.registered) {
    for (const event of new Set(modelState.raised.map((each) => each.event)))
      modelState.accuse(beyond(modelState, owner, event));
  }
}

/** An event that the webhook did not take at any time since it was there. */
function neverWanted(modelState: ServiceModelState, { owner, event, attempts }: WebhookDelivery): Found | undefined {
  const first = attempts[0];
  const states = owner.between(0, first.at).filter(({ from }) => from <= first.at);
  if (
    event === '' ||
    modelState.isSampled(first, event) ||
    states.some(({ events }) => events === null || events.includes(event))
  )
    return undefined;
  const isKnown = modelState.kit.contract.events.some(({ name }) => name === event);
  return wrong('not-subscribed', isKnown ? 'DLV-5' : 'NTF-5', {
    expected: 'only events in the list of the webhook are sent',
    actual: `a notification came that names ${event}`,
    exchanges: [owner.webhook.creation, first],
  });
}

/**
 * More notifications of an event than there were triggered events that the webhook may have been notified of, where there were
 * others that it must not be notified of.
 */
function beyond(modelState: ServiceModelState, owner: Registered, event: string): Found | undefined {
  if (owner.states.some(({ events }) => events === null)) return undefined;
  const raised = modelState.raised.filter((each) => each.event === event);
  const isAllowed = (each: Raised) => owner.tookPerhaps(event, each.from, each.to + grace(owner, each));
  const unwanted = raised.find((each) => !isAllowed(each));
  if (unwanted === undefined) return undefined;
  const resting = owner.between(unwanted.from, unwanted.to).some(({ active }) => !active);
  modelState.judge(resting ? 'WHK-6' : 'ACT-3');
  const allowed = raised.filter((each) => isAllowed(each));
  const deliveries = modelState.deliveries.filter((each) => each.owner === owner && each.event === event);
  const late = deliveries.toSorted((one, other) => at(one) - at(other)).at(-1);
  if (late === undefined || deliveries.length <= allowed.length || at(late) < unwanted.from) return undefined;
  return wrong(resting ? 'sent-while-inactive' : 'not-subscribed', resting ? 'WHK-6' : 'ACT-3', {
    expected: resting
      ? `what happens while the webhook is inactive is not sent to it`
      : 'an event that an update took out of the list is not sent',
    actual: `${deliveries.length} notifications of ${event} came, and ${allowed.length} may have`,
    exchanges: [owner.webhook.creation, late.attempts[0]],
    absence: true,
  });
}

/** A call that was on its way when something happened may have come first or last. */
function grace(owner: Registered, { to }: Raised): number {
  return owner.states.some(({ from }) => from > to && from - to < 50) ? 50 : 0;
}

function at({ attempts }: WebhookDelivery): number {
  return attempts[0].at;
}

/** Tests the samples that came against what was asked for. That one came at all is judged elsewhere. */
export function judgeSamples(modelState: ServiceModelState): void {
  for (const sample of modelState.sampled) {
    modelState.judge('TRG-4');
    modelState.accuse(strayed(modelState, sample));
  }
}

/** A sample goes only to the url that it was asked for. */
function strayed(modelState: ServiceModelState, { event, place, call, at }: Sampled): Found | undefined {
  const sent = place.caught.find((caught) => caught.at >= at && modelState.isSample(caught, place));
  const notified = modelState.deliveries.find(
    (delivery) => delivery.event === event && delivery.attempts[0].at >= at && !delivery.owner.places.has(place),
  );
  if (notified === undefined || modelState.raised.some((each) => each.event === event)) return undefined;
  const isSame = sent?.key === notified.id;
  return wrong('sample-strayed', 'TRG-4', {
    expected: `a webhook that subscribes to ${event} gets nothing when a sample is sent`,
    actual: isSame ? 'the sample was sent to it as well' : 'a notification came to it after it',
    exchanges: [call, notified.attempts[0]],
    // It might have happened for real just then, where others use the service as well.
    absence: !isSame,
  });
}
