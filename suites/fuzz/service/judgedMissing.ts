import { unlessUnobservable } from '../../check.ts';
import type { Call } from '../../exchange.ts';
import type { ServiceKit } from '../../serviceKit.ts';
import { sameButForId } from '../../service/redelivery.ts';
import { describeStep } from '../../service/steps.ts';
import { isTaken, sampleOf, trigger } from '../../service/sampling.ts';
import { type Found, wrong } from './found.ts';
import { hasFailed, isSwitchedOff, type ServiceModelState } from './serviceModelState.ts';
import { isListedAsFailed, measure, untilOverdue, untilRetryOverdue, type Yardstick } from './yardstick.ts';
import { longestPause, type WebhookDelivery, type Raised, type Registered, type Sampled } from './registered.ts';
import { dueOf, type Missing, missing } from './missing.ts';
import { perhapsTaken } from './judgedDeliveries.ts';
import type { RequirementId } from '../../../spec/names.ts';
import { itemOf, lastOf } from '../../items.ts';
import { offers, statusTerms } from '../../../spec/serviceTerms.ts';

/** Milliseconds that a sample is waited for at most. */
const sampleWait = 2000;

type First = Extract<Missing, { what: 'first' }>;
type Retry = Extract<Missing, { what: 'retry' }>;

/**
 * Looks into the first thing that is missing, and accuses the service once it is overdue without a doubt.
 *
 * @returns whether it came meanwhile: then other things may be missing still
 */
export async function judgeMissing(modelState: ServiceModelState): Promise<'came' | 'judged'> {
  const [first] = missing(modelState);
  if (first === undefined) return 'judged';
  const found = await lookedInto(modelState, first);
  if (found === undefined && !missing(modelState).some((each) => isSame(each, first))) return 'came';
  modelState.accuse(found);
  return 'judged';
}

async function lookedInto(modelState: ServiceModelState, first: Missing): Promise<Found | undefined> {
  if (first.what === 'sample') return lostSample(modelState, first.sample);
  const other = first.what === 'retry' ? underAnotherId(modelState, first) : undefined;
  if (other) return other;
  const isGivenUp = first.what === 'retry' && (await isListedAsFailed(modelState.kit, first.delivery.id));
  const attempts = first.what === 'retry' ? first.delivery.attempts : [];
  const yardstick = await measure(modelState, attempts.length + 1, attempts.length > 1 ? attempts : []);
  if (yardstick === undefined) return first.what === 'first' ? silent(modelState, first) : undefined;
  const isGone = (): boolean => !missing(modelState).some((each) => isSame(each, first));
  // What was listed as failed may have had its other attempts before the list was read.
  if (isGivenUp && isGone()) return undefined;
  if (isGivenUp && !yardstick.shared) return givenUp(modelState, first, yardstick);
  if (yardstick.refused.length <= attempts.length) return undefined;
  if (!(await untilDue(modelState, first, yardstick, isGone)) || isGone()) return undefined;
  if (await isOff(modelState, first.what === 'retry' ? first.delivery.owner : first.owner)) return undefined;
  return first.what === 'retry' ? notRetried(modelState, first, yardstick) : lost(modelState, first, yardstick);
}

/** @returns whether it is overdue without a doubt */
async function untilDue(
  modelState: ServiceModelState,
  each: First | Retry,
  yardstick: Yardstick,
  isGone: () => boolean,
): Promise<boolean> {
  const { kit } = modelState;
  const isFirst = each.what === 'first';
  const owner = isFirst ? each.owner : each.delivery.owner;
  const own = longestPause(modelState.deliveries.filter((delivery) => delivery.owner === owner));
  const since = isFirst ? each.raised.to : lastOf(each.delivery.attempts).at;
  const isDue = isFirst
    ? await untilOverdue(kit, yardstick, since, own)
    : await untilRetryOverdue(kit, yardstick, {
        last: lastOf(each.delivery.attempts),
        number: each.delivery.attempts.length,
        own,
      });
  const away = modelState.away.findLast(({ to }) => to >= since);
  if (!isDue || away === undefined) return isDue;
  const overdueTime = kit.overdueAfter({ took: yardstick.took, timeout: 0 });
  await kit.soon(() => undefined, Math.max(0, away.to + overdueTime - kit.elapsed()));
  await kit.stillHeld(() => isGone() || undefined);
  return true;
}

function isSame(one: Missing, other: Missing): boolean {
  if (one.what === 'first') return other.what === 'first' && one.owner === other.owner && one.raised === other.raised;
  if (one.what === 'sample') return other.what === 'sample' && one.sample === other.sample;
  return (
    other.what === 'retry' &&
    one.delivery.owner === other.delivery.owner &&
    one.delivery.id === other.delivery.id &&
    one.delivery.attempts.length === other.delivery.attempts.length
  );
}

/** Listed as failed before all attempts were made; nothing where the service has switched the webhook off. */
async function givenUp(
  modelState: ServiceModelState,
  { delivery }: Retry,
  yardstick: Yardstick,
): Promise<Found | undefined> {
  const { attempts, owner } = delivery;
  if (await isOff(modelState, owner)) return undefined;
  const elsewhere = yardstick.stopsAlike
    ? `, while one that was answered 500 each time had ${attempts.length + 1}`
    : '';
  return wrong('not-retried', retryRequirement(modelState, delivery, yardstick), {
    expected: `attempt ${attempts.length + 1} follows after ${describeStep(lastOf(attempts).step)}`,
    actual: `the notification is listed as ${statusTerms(modelState.kit.terms).exhausted} after attempt ${attempts.length}${elsewhere}`,
    exchanges: [owner.webhook.creation, ...attempts.slice(-2)],
    absence: true,
  });
}

/** Whether the service has switched it off. One that lists no webhooks leaves them on, as far as a sequence can see. */
async function isOff(modelState: ServiceModelState, { webhook }: Registered): Promise<boolean> {
  // Nothing is asked for what is known.
  if (!hasFailed(modelState)) return false;
  const listed = await modelState.kit.current(webhook).then((item) => ({ item }), unlessUnobservable);
  return listed !== undefined && isSwitchedOff(modelState, listed.item);
}

function lost(modelState: ServiceModelState, { owner, raised }: First, { monitored }: Yardstick): Found {
  const came = modelState.deliveries.filter((each) => each.owner === owner && each.event === raised.event).length;
  return wrong('lost', requirementOf(modelState, owner, raised), {
    expected: `webhook ${owner.slot} hears of ${raised.event}${timesOf(modelState, owner, raised)}`,
    actual: `${came} notification${came === 1 ? '' : 's'} of it came, while a newer webhook was notified of what happened later`,
    exchanges: [owner.webhook.creation, ...owner.now.place.caught.slice(-1)],
    twin: monitored,
    difference: 'what the sequence did before',
    absence: true,
  });
}

function timesOf(modelState: ServiceModelState, owner: Registered, { event }: Raised): string {
  const due = dueOf(modelState, owner, event).length;
  return due === 1 ? '' : ` ${due} times`;
}

/** What a webhook had been set to before decides which requirement a missing delivery breaks. */
function requirementOf(modelState: ServiceModelState, owner: Registered, { from, event }: Raised): RequirementId {
  if (modelState.endedBetween(from, modelState.kit.elapsed())) return 'DLV-7';
  const before = owner.states.filter((state) => state.to <= from);
  const last = before.at(-1);
  if (last?.active && before.some(({ active }) => !active)) return 'ACT-2';
  const first = owner.states[0];
  if (last && (last.place !== first.place || !(first.events?.includes(event) ?? true))) return 'ACT-3';
  return 'DLV-6';
}

function notRetried(modelState: ServiceModelState, { delivery }: Retry, yardstick: Yardstick): Found {
  const { attempts, owner } = delivery;
  return wrong('not-retried', retryRequirement(modelState, delivery, yardstick), {
    expected: `attempt ${attempts.length + 1} follows after ${describeStep(lastOf(attempts).step)}`,
    actual: `no attempt came after attempt ${attempts.length}, while attempt ${yardstick.refused.length} of another notification did`,
    exchanges: [owner.webhook.creation, ...attempts.slice(-2)],
    absence: true,
  });
}

/** Each kind of failure must be followed by another attempt; that twelve of them are made is only asked for. */
function retryRequirement(
  modelState: ServiceModelState,
  { attempts, owner }: WebhookDelivery,
  { stopsAlike }: Yardstick,
): RequirementId {
  const last = lastOf(attempts);
  if (modelState.endedBetween(attempts[0].at, modelState.kit.elapsed())) return 'DLV-7';
  const hasMoved = owner.places.size > 1 && !owner.now.place.caught.includes(last);
  // What the yardstick retries is an answer of 500: after another failure, that one may be why nothing follows.
  if (hasMoved && last.step.do === 'respond' && last.step.status === 500) return 'ACT-3';
  if (attempts.length > 1 && !stopsAlike) return 'STA-5';
  return last.step.do === 'respond' ? 'DLV-3' : 'DLV-4';
}

/** The same notification under another id, instead of the retry. */
function underAnotherId(modelState: ServiceModelState, { delivery }: Retry): Found | undefined {
  const other = renamed(modelState, delivery);
  return (
    other &&
    wrong('another-id', 'NTF-3', {
      expected: 'the redelivery carries the id of the first delivery',
      actual: 'the same notification came again under another id',
      exchanges: [lastOf(delivery.attempts), other.attempts[0]],
      absence: true,
    })
  );
}

/** A notification beyond what happened that differs from this one in its id alone. */
function renamed(modelState: ServiceModelState, delivery: WebhookDelivery): WebhookDelivery | undefined {
  const [first] = delivery.attempts;
  const own = modelState.deliveries.filter((each) => each.owner === delivery.owner && each.event === delivery.event);
  const raised = modelState.raised.filter((each) => each.event === delivery.event);
  // A webhook that takes everything hears of what others made to happen as well.
  if (raised.length === 0 || own.length <= raised.length) return undefined;
  return own.find((each) => each !== delivery && sameButForId(modelState.kit, first, each.attempts[0]));
}

/** Nothing came of anything: that counts where a sample shows that the service reaches the kit. */
async function silent(modelState: ServiceModelState, { owner, raised }: First): Promise<Found | undefined> {
  const { kit } = modelState;
  if (!offers(kit.contract, trigger)) return undefined;
  const endpoint = kit.endpoint();
  const call = await kit.attempt(trigger, { body: sampleOf(kit, { url: endpoint.url, event: raised.event }) });
  const caught = isTaken(kit, call) ? await kit.soon(() => endpoint.caught[0], 5000) : undefined;
  if (caught === undefined) return undefined;
  return wrong('lost', requirementOf(modelState, owner, raised), {
    expected: `webhook ${owner.slot} hears of ${raised.event}`,
    actual: 'nothing came any more of whatever happened, while a sample did come',
    exchanges: [owner.webhook.creation, call, caught],
    absence: true,
  });
}

/** A sample that did not come, or not as it was asked for. */
async function lostSample(modelState: ServiceModelState, sample: Sampled): Promise<Found | undefined> {
  const { kit } = modelState;
  const others = [...sample.place.caught].filter(
    (caught) => caught.at >= sample.at && modelState.read(caught).event === sample.event,
  );
  const stray = modelState.ownersOf(sample.place).length === 0 ? others[0] : unexplained(modelState, sample);
  if (stray) {
    return wrong('wrong-signature', sample.secret === null ? 'TRG-6' : 'TRG-2', {
      expected: sample.secret === null ? 'a sample without a secret is not signed' : 'the secret of the call signs it',
      actual: sample.secret === null ? 'it carries a signature' : 'it is not signed with that secret',
      exchanges: [sample.call, stray],
    });
  }
  const twin = (await sampled(kit, sample.event)) ?? (await sampled(kit, otherThan(kit, sample.event)));
  if (twin === undefined) return undefined;
  await kit.settle();
  if (!missing(modelState).some((each) => each.what === 'sample' && each.sample === sample)) return undefined;
  return wrong('sample-lost', 'TRG-1', {
    expected: `a sample of ${sample.event} comes to the given url`,
    actual: 'nothing came, while a later sample did',
    exchanges: [sample.call],
    twin,
    difference: 'url, event or secret',
    absence: true,
  });
}

/** A plain sample. @returns nothing where it does not come */
async function sampled(kit: ServiceKit, event: string): Promise<Call | undefined> {
  const endpoint = kit.endpoint();
  const call = await kit.attempt(trigger, { body: sampleOf(kit, { url: endpoint.url, event }) });
  return isTaken(kit, call) && (await kit.soon(() => endpoint.caught[0], sampleWait)) ? call : undefined;
}

/** An event of another kind: the one that is furthest away in the catalogue. */
function otherThan({ contract: { events } }: ServiceKit, event: string): string {
  return events.findIndex(({ name }) => name === event) < events.length / 2 ? lastOf(events).name : events[0].name;
}

/** What came to the url of a webhook since a sample was asked for there, beyond what had happened. */
function unexplained(modelState: ServiceModelState, { place, event, at }: Sampled) {
  const owners = modelState.ownersOf(place);
  const deliveries = modelState.deliveries.filter(
    (each) => owners.includes(each.owner) && each.event === event && each.attempts[0].at >= at,
  );
  const taken = owners.flatMap((owner) => perhapsTaken(modelState, owner, event)).length;
  const orphan = modelState.orphans.find((caught) => caught.at >= at && place.caught.includes(caught));
  return orphan ?? (deliveries.length > taken ? itemOf(deliveries, 0).attempts[0] : undefined);
}
