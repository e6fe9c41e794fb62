import { withPointer } from '../../generators/json/jsonPointer.ts';
import { offers, statusTerms } from '../../spec/serviceTerms.ts';
import { unlessUnobservable, Unobservable, Unproven, type ServiceFinding } from '../check.ts';
import type { Caught, CatchStep, DeliveryReader } from '../exchange.ts';
import type { ListedNotification, Notified, ServiceKit, Webhook } from '../serviceKit.ts';
import { finding } from '../finding.ts';
import { isInactive } from './isInactive.ts';
import { isListedOver } from './listItems.ts';
import { cameAfterPause } from './pausing.ts';
import { describeStep } from './steps.ts';
import { sameTime } from './utcTime.ts';
import type { RequirementId } from '../../spec/names.ts';

/** What a missing redelivery would break, and what had to bring it about. */
interface Point {
  readonly requirement: RequirementId;
  /** "an answer of 503" */
  readonly after: string;
}

/** What came of a notification to the webhook that it was made for. */
interface Delivered {
  readonly webhook: Webhook;
  readonly notified: Notified;
}

/**
 * The attempt with this number must come.
 *
 * @throws Unproven where the retry window ended first, where the service switched the webhook off, or where it seems to have
 *   come under another id, which is the matter of `service/retries/same-notification`
 */
export async function expectAttempt(
  kit: ServiceKit,
  delivery: Delivered,
  number: number,
  { requirement, after }: Point,
): Promise<ServiceFinding | undefined> {
  const { notified } = delivery;
  if (await kit.untilAttempt(notified, number)) return undefined;
  expectSameId(kit, delivery);
  const listed = await listedNow(kit, notified);
  const isOff = await isInactive(kit, delivery.webhook).catch(unlessUnobservable);
  // Only failures that repeat may switch a webhook off (section 3.2): after a single one, that is no reason to give up.
  if (isOff === true && delivery.webhook.endpoint.caught.length > 1) throw new Unproven(switchedOff);
  const isOver = isListedOver(kit.terms, listed);
  if (!isOver && isOff !== true && (await cameAfterPause(kit, delivery, number))) return undefined;
  const others = isOver || isOff === true ? '' : ', though others of that time were retried';
  const off = isOff === true ? ['the webhook was turned inactive'] : [];
  const shown = [...off, ...(listed ? [`the notification is listed as ${String(listed.status)}`] : [])].join(', and ');
  return finding(requirement, {
    expected: `attempt ${number} follows after ${after}`,
    actual: `attempt ${notified.attempts.length} ended with ${after}, and no other came${others}${shown && `: ${shown}`}`,
    ...(isOff === true ? { hint: offAtOnce } : hintOf(kit, listed, requirement)),
    absence: true,
    exchanges: notified.attempts.slice(-2),
  });
}

/** Why nothing is found missing of what came to a webhook that the service switched off (GAP-5, GAP-20). */
export const switchedOff =
  'the webhook was switched off meanwhile: what becomes of pending retries then is open (GAP-20)';

export const misjudgedHint =
  'Look at the code that judges the outcome of an attempt: only an answer whose head came whole and has an accepting status ' +
  'is an acceptance, and it accepts the notification that it answers.';

const offAtOnce =
  'One failure is no reason to switch a webhook off, 410 included: make all retries first, and count the failures of a webhook ' +
  'in a row, over several notifications.';

/** Which mistake the status in the list speaks of; nothing where it says no more than the check knows. */
function hintOf(kit: ServiceKit, listed: ListedNotification | undefined, requirement: RequirementId) {
  if (listed && !isListedOver(kit.terms, listed)) return { hint: leftPending };
  // No answer came: the check's own hint is about a retry that nobody makes.
  return requirement === 'DLV-4' && listed?.status === statusTerms(kit.terms).accepted ? { hint: misjudgedHint } : {};
}

const leftPending =
  'The list says that more is to come, and nothing does. The code that judges the attempt gives up without saying so, or the ' +
  'queue lost the notification: move it from one queue to another in one step, and keep it there until the outcome is stored.';

/** How it is listed; nothing where the list cannot be read. */
async function listedNow(kit: ServiceKit, { id }: Notified): Promise<ListedNotification | undefined> {
  if (!offers(kit.contract, 'notifications')) return undefined;
  try {
    return (await kit.listed([id])).get(id);
  } catch (error) {
    if (error instanceof Unobservable) return undefined;
    throw error;
  }
}

/**
 * An attempt must follow after each of these steps. How many there are at most is for others to say: where no notification
 * gets so many, or the retry window has no room for them, only those that came are judged.
 *
 * @throws Unproven as {@link expectAttempt} does, of the first retry
 */
export async function expectAttempts(
  kit: ServiceKit,
  delivery: Delivered,
  steps: readonly CatchStep[],
  requirement: RequirementId,
): Promise<ServiceFinding | undefined> {
  for (const [place, step] of steps.entries()) {
    try {
      const missing = await expectAttempt(kit, delivery, place + 2, { requirement, after: describeStep(step) });
      // Where nothing is sent so often, it may be over because of that, and not because of this step.
      if (missing) return place === 0 || kit.attemptSeen(place + 2) ? missing : undefined;
    } catch (error) {
      if (place > 0 && error instanceof Unproven) return undefined;
      throw error;
    }
  }
  return undefined;
}

/**
 * What came before the retry was due is no retry: something may have happened twice in the second that times are written in.
 *
 * @throws Unproven where a missing retry seems to have come under another id, or as another event: that says nothing about
 *   their number
 */
export function expectSameId(
  kit: DeliveryReader & Pick<ServiceKit, 'notifications'>,
  { webhook, notified }: Delivered,
): void {
  const [first] = notified.attempts;
  const last = notified.attempts.at(-1) ?? first;
  const later = kit.notifications(webhook.endpoint).filter(({ attempts }) => attempts[0].at > last.at);
  if (later.some(({ attempts }) => sameButForId(kit, first, attempts[0])))
    throw new Unproven('what came instead of the retry has another id and is otherwise the same');
  if (notified.id !== '' && later.some(({ id }) => id === notified.id))
    throw new Unproven('what came instead of the retry has the same id, and names another event or none');
}

/** What each of these attempts ended with, to follow what is said of their number; empty where that differs. */
export function eachAfter(attempts: readonly Caught[]): string {
  const [end, other] = new Set(attempts.map(({ step }) => describeStep(step)));
  return end === undefined || other !== undefined ? '' : `, where each attempt ended with ${end}`;
}

/** Whether a notification has had all of its attempts. */
export function isSpent({ contract }: Pick<ServiceKit, 'contract'>, { attempts }: Notified): boolean {
  return attempts.length > contract.delivery.retries;
}

/** @throws Unproven where what the webhook refused is still being retried: a service may send to a webhook in order */
export function expectNoneWaiting(kit: ServiceKit, { endpoint }: Webhook): void {
  const { acceptedStatuses } = kit.contract.delivery;
  const isRefused = ({ step }: Caught) => step.do !== 'respond' || !acceptedStatuses.includes(step.status);
  const waiting = kit
    .notifications(endpoint)
    .find((each) => !isSpent(kit, each) && each.attempts.slice(-1).every(isRefused) && !kit.isOverdue(each));
  if (waiting !== undefined)
    throw new Unproven(`what the webhook had refused of ${String(waiting.event)} was still being retried`);
}

/** Whether two deliveries are different notifications by their ids alone. */
export function sameButForId(kit: DeliveryReader, one: Caught, other: Caught): boolean {
  return sameBut(kit, ['id'], one, other);
}

/** Whether two deliveries with different ids name the same event and time of creation, whatever else they hold. */
export function sameMoment(kit: DeliveryReader, one: Caught, other: Caught): boolean {
  const [created, event] = [kit.delivered(one, 'createdAt'), kit.delivered(one, 'event')];
  const isDated = created !== undefined && sameTime(created, kit.delivered(other, 'createdAt'));
  return one.key !== other.key && isDated && event === kit.delivered(other, 'event');
}

/** Whether two deliveries with different ids differ in these members alone. */
export function sameBut(
  kit: DeliveryReader,
  members: readonly ('id' | 'createdAt')[],
  one: Caught,
  other: Caught,
): boolean {
  const texts = [one, other].map((caught) => without(kit, members, caught));
  return one.key !== other.key && texts[0] !== undefined && texts[0] === texts[1];
}

function without(kit: DeliveryReader, members: readonly ('id' | 'createdAt')[], caught: Caught): string | undefined {
  const body = kit.deliveredJson(caught);
  if (body === undefined || members.some((member) => kit.delivered(caught, member) === undefined)) return undefined;
  // What stands in a header stands in no body.
  const pointers = members.flatMap((member) => kit.contract.delivery.members[member] ?? []);
  return JSON.stringify(pointers.reduce((rest, pointer) => withPointer(rest, pointer, ''), body));
}

/** Waits as {@link attemptsSeen} does. @throws Unproven where no retry came */
export async function retriesSeen(kit: ServiceKit, notified: Notified, retries: number): Promise<readonly Caught[]> {
  const attempts = await attemptsSeen(kit, notified, retries);
  if (attempts.length < 2) throw new Unproven('no retry came, so none could be looked at');
  return attempts;
}

/**
 * Waits for so many retries, or until a tenth of the retry window has passed without one: those that came are enough to
 * be looked at.
 *
 * @returns all attempts
 */
export async function attemptsSeen(kit: ServiceKit, notified: Notified, retries: number): Promise<readonly Caught[]> {
  await kit.until(async () => notified.attempts.length > retries || isOver(kit, notified) || undefined);
  return notified.attempts;
}

function isOver(kit: ServiceKit, { attempts }: Notified): boolean {
  const ended = attempts.at(-1)?.end?.at;
  return ended !== undefined && kit.elapsed() - ended > kit.window / 10;
}

/** What was waited for. */
interface Awaited {
  /** Default 1. */
  readonly notifications?: number;
  readonly attempts: number;
}

/**
 * Why the retries of a refused notification were not seen to their end, and what would change that. A service that gives each
 * retry an id of its own would be waited for in vain.
 *
 * @param came - all that came of these events to the endpoint, by id
 * @param awaited - how many notifications there are to be, and how many attempts of all of them
 */
export function openRetries(came: readonly Notified[], { notifications = 1, attempts: most }: Awaited): string {
  const attempts = came.reduce((sum, notified) => sum + notified.attempts.length, 0);
  if (areApart(came, notifications)) {
    return `${attempts} refused deliveries came, each under an id of its own, so that none shows as the retry of another: a longer --retry-window changes nothing`;
  }
  const more = 'give a longer --retry-window';
  if (attempts < most) return `${attempts} of ${most} attempts came within the retry window: ${more}`;
  return `${attempts} attempts came within the retry window, and not all that were waited for: ${more}`;
}

/**
 * The same where an event may have happened again since, for other cases: each time is a notification of its own.
 *
 * @param since - when the first of them was caused
 * @param least - how many the case itself has caused
 */
export function openSince(
  { monitored, contract }: Pick<ServiceKit, 'monitored' | 'contract'>,
  came: readonly Notified[],
  { since, least }: { readonly since: number; readonly least: number },
): string {
  const events = new Set(came.map(({ event }) => event));
  const happened = monitored().filter(({ event, attempts }) => events.has(event) && attempts[0].at >= since);
  const notifications = Math.max(least, happened.length);
  return openRetries(came, { notifications, attempts: notifications * (contract.delivery.retries + 1) });
}

/** Whether more came than there are notifications, and none a second time: retries look like that where each has an id of its own. */
export function areApart(came: readonly Notified[], notifications = 1): boolean {
  return came.length > notifications && came.every(({ attempts }) => attempts.length === 1);
}
