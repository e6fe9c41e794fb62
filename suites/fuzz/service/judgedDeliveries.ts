import type { Caught } from '../../exchange.ts';
import { judgeSignature } from '../../service/signing.ts';
import { sameTime } from '../../service/utcTime.ts';
import { type Found, wrong } from './found.ts';
import { outcomeOf, type ServiceModelState } from './serviceModelState.ts';
import type { WebhookDelivery, State, Raised, Registered, Sampled } from './registered.ts';
import type { CustomHeader } from './steps.ts';
import { mayBeSample } from './missing.ts';
import { counted, itemOf } from '../../items.ts';
import { statusTerms } from '../../../spec/serviceTerms.ts';
import { isSameName } from '../../../spec/headerText.ts';

/** Milliseconds before a kill within which an acceptance may not have been written down. */
const unwritten = 1000;

/** Compares every notification that came, attempt by attempt, with what it must be. */
export function judgeDeliveries(modelState: ServiceModelState): void {
  for (const delivery of modelState.deliveries) {
    modelState.judge('NTF-2', 'NTF-7', 'DLV-2', 'STA-2', 'SIG-1', 'SIG-2', 'WHK-9', 'STA-1');
    modelState.accuse(
      sameId(modelState, delivery) ??
        datedAnew(modelState, delivery) ??
        afterAcceptance(modelState, delivery) ??
        tooMany(modelState, delivery) ??
        saysOtherwise(modelState, delivery),
    );
    for (const index of delivery.attempts.keys()) modelState.accuse(judgeState(modelState, delivery, index));
    for (const caught of delivery.attempts) modelState.accuse(unsigned(modelState, delivery, caught));
  }
  for (const caught of modelState.orphans) modelState.accuse(signedForNobody(caught));
}

/** One id for notifications that are different: of other events, or created at another time and accepted before. */
function sameId(modelState: ServiceModelState, { owner, id, event, attempts }: WebhookDelivery): Found | undefined {
  const other = modelState.deliveries.find((each) => each.owner === owner && each.id === id && each.event !== event);
  const [first] = attempts;
  const again = other?.attempts[0] ?? attempts.find((each, index) => isAnew(modelState, attempts, each, index));
  if (again === undefined) return undefined;
  return wrong('same-id', 'NTF-2', {
    expected: 'notifications of a webhook have ids of their own',
    actual: other ? 'one id names two events' : 'what was created later has the id of one that was accepted',
    exchanges: [first, again],
  });
}

function isAnew(modelState: ServiceModelState, attempts: readonly Caught[], caught: Caught, index: number): boolean {
  const before = attempts[index - 1];
  if (before === undefined || outcomeOf(before, modelState.kit.contract) !== 'accepted') return false;
  return !sameTime(modelState.read(before).createdAt, modelState.read(caught).createdAt);
}

function datedAnew(modelState: ServiceModelState, { attempts }: WebhookDelivery): Found | undefined {
  const created = (caught: Caught) => modelState.read(caught).createdAt;
  const [first] = attempts;
  const changed = attempts.find((each) => !sameTime(created(each), created(first)));
  if (changed === undefined) return undefined;
  return wrong('dated-anew', 'NTF-7', {
    expected: `every attempt says that it was created at ${String(created(first))}`,
    actual: `a later one says ${String(created(changed))}`,
    exchanges: [first, changed],
  });
}

/** What was accepted is done, but where the service ended before it could write that down. */
function afterAcceptance(modelState: ServiceModelState, { attempts }: WebhookDelivery): Found | undefined {
  const index = attempts.findIndex((caught, place) => {
    const next = attempts[place + 1];
    if (next === undefined || outcomeOf(caught, modelState.kit.contract) !== 'accepted') return false;
    const at = endOf(caught);
    return next.at >= at && !modelState.away.some((each) => each.from <= at + unwritten && each.to >= caught.at);
  });
  if (index < 0) return undefined;
  return wrong('sent-after-acceptance', 'DLV-2', {
    expected: `attempt ${index + 1} is accepted and the last`,
    actual: `attempt ${index + 2} came after it`,
    exchanges: attempts.slice(index, index + 2),
    // On a busy machine the service's time-out may have come before the answer: it has to recur.
    absence: true,
  });
}

function tooMany({ kit }: ServiceModelState, { attempts }: WebhookDelivery): Found | undefined {
  const most = kit.contract.delivery.retries + 1;
  if (attempts.length <= most) return undefined;
  return wrong('too-many-attempts', 'STA-2', {
    expected: `a notification has ${most} attempts at most`,
    actual: `attempt ${most + 1} came`,
    exchanges: attempts.slice(most - 1, most + 1),
  });
}

/** The status in what is delivered: a new notification is under way. */
function saysOtherwise(modelState: ServiceModelState, { attempts }: WebhookDelivery): Found | undefined {
  const { status } = modelState.read(attempts[0]);
  if (status === undefined || modelState.kit.terms.notification === undefined) return undefined;
  const { underway } = statusTerms(modelState.kit.terms);
  if (status === underway) return undefined;
  return wrong('wrong-status', 'STA-1', {
    expected: `a new notification is ${underway}`,
    actual: `the first attempt says ${JSON.stringify(status)}`,
    exchanges: attempts.slice(0, 1),
  });
}

function unsigned(modelState: ServiceModelState, { owner, event }: WebhookDelivery, caught: Caught): Found | undefined {
  const { secret } = owner.webhook;
  if (modelState.isSampled(caught, event)) return undefined;
  if (typeof secret !== 'string' || secret === '' || modelState.isSigned(caught, secret)) return undefined;
  const others = modelState.registered.filter((each) => each !== owner && typeof each.webhook.secret === 'string');
  const found = judgeSignature(modelState.kit, caught, {
    webhook: owner.webhook,
    others: others.map(({ webhook }) => webhook),
  });
  return found && { ...found, cause: 'wrong-signature' };
}

function signedForNobody(caught: Caught): Found {
  return wrong('wrong-signature', ['SIG-2', 'WHK-9'], {
    expected: 'what comes to a url that webhooks share is signed with the secret of one of them',
    actual: `attempt ${caught.number} is signed with none of their secrets`,
    exchanges: [caught],
  });
}

/** Milliseconds before an attempt comes within which the service may have read what the webhook is like. */
const reading = 1000;

/**
 * Whether an attempt follows what the webhook had been set to when it was made: its url, its headers. The one before it
 * had ended by then, so whatever an update had changed before that end holds.
 */
function judgeState(modelState: ServiceModelState, delivery: WebhookDelivery, index: number): Found | undefined {
  const { owner, attempts, event } = delivery;
  const caught = itemOf(attempts, index);
  const before = attempts[index - 1];
  // What came before the sequence raised it was raised by somebody else.
  const raised = modelState.raised.find((each) => each.event === event && each.from <= caught.at)?.from ?? 0;
  const frozen = modelState.away.some(({ from, to }) => from <= caught.at && to >= caught.at - reading);
  const begun = Math.max(before ? endOf(before) : raised, frozen ? 0 : caught.at - reading);
  const states = owner.between(begun, caught.at);
  if (modelState.isSampled(caught, event)) return undefined;
  modelState.judge('WHK-10');
  if (owner.states.length > 1) modelState.judge('ACT-3');
  return elsewhere(delivery, index, states) ?? otherHeaders(modelState, delivery, index, states);
}

/** When the service knew how an attempt had ended: where it left by itself, that was before the kit saw it. */
function endOf({ at, end }: Caught): number {
  return end === undefined || end.kind === 'abandoned' ? at : end.at;
}

function elsewhere({ owner, attempts }: WebhookDelivery, index: number, states: readonly State[]) {
  const caught = itemOf(attempts, index);
  if (states.some(({ place }) => place.caught.includes(caught))) return undefined;
  return wrong('old-url', 'ACT-3', {
    expected: 'after an update of url deliveries go to the new one',
    actual: `attempt ${index + 1} went to the old one`,
    // On a busy machine an attempt may have been on its way for long when the kit saw it: it has to recur.
    absence: true,
    exchanges: [owner.webhook.creation, ...attempts.slice(Math.max(0, index - 1), index + 1)],
  });
}

function otherHeaders(
  modelState: ServiceModelState,
  delivery: WebhookDelivery,
  index: number,
  states: readonly State[],
): Found | undefined {
  const caught = itemOf(delivery.attempts, index);
  const lists = states.map(({ headers }) => headers);
  const ever = modelState.registered.flatMap((each) => each.states.flatMap(({ headers }) => headers));
  const received = (name: string) => modelState.kit.header(caught, name);
  const isSent = (list: readonly CustomHeader[]) =>
    list.every(({ name, value }) => received(name) === value) &&
    ever.every(({ name }) => received(name) === undefined || list.some((each) => isSameName(each.name, name)));
  const list = lists.at(-1);
  if (list === undefined || lists.some(isSent)) return undefined;
  const lacking = list.find(({ name, value }) => received(name) !== value);
  const differing = lacking ?? ever.find((each) => received(each.name) !== undefined);
  if (differing === undefined) return undefined;
  const { name } = differing;
  const isUpdated = delivery.owner.states.some(({ from, gone }, place) => place > 0 && !gone && from < caught.at);
  return wrong('wrong-headers', isUpdated ? 'ACT-3' : 'WHK-10', {
    expected: lacking ? `attempt ${index + 1} carries ${name}: ${lacking.value}` : `${name} is no longer sent`,
    actual: received(name) === undefined ? `it has no header ${name}` : `it carries ${JSON.stringify(received(name))}`,
    exchanges: [delivery.owner.webhook.creation, caught],
    absence: isUpdated,
  });
}

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
  const allowed = perhapsTaken(modelState, owner, event);
  const unwanted = modelState.raised.find((each) => each.event === event && !allowed.includes(each));
  if (unwanted === undefined) return undefined;
  const resting = owner.between(unwanted.from, unwanted.to).some(({ active }) => !active);
  modelState.judge(resting ? 'WHK-6' : 'ACT-3');
  const deliveries = modelState.deliveries.filter((each) => each.owner === owner && each.event === event);
  const late = deliveries.toSorted((one, other) => at(one) - at(other)).at(-1);
  if (late === undefined || deliveries.length <= allowed.length || at(late) < unwanted.from) return undefined;
  if (mayBeSample(modelState, late)) return undefined;
  return wrong(resting ? 'sent-while-inactive' : 'not-subscribed', resting ? 'WHK-6' : 'ACT-3', {
    expected: resting
      ? `what happens while the webhook is inactive is not sent to it`
      : 'an event that an update took out of the list is not sent',
    actual: `${counted(deliveries.length, 'notification')} of ${event} came, and ${allowed.length} may have`,
    exchanges: [owner.webhook.creation, late.attempts[0]],
    absence: true,
  });
}

/** What happened of an event that the webhook took then, perhaps. */
export function perhapsTaken(modelState: ServiceModelState, owner: Registered, event: string): readonly Raised[] {
  const isTaken = (each: Raised) => owner.tookPerhaps(event, each.from, each.to + grace(owner, each));
  return modelState.raised.filter((each) => each.event === event && isTaken(each));
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
