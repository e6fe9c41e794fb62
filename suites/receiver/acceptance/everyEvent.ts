import type { Json } from '../../../generators/json/json.ts';
import { valueAt, withPointer } from '../../../generators/json/jsonPointer.ts';
import type { Notification } from '../../../generators/notification/notification.ts';
import { describeAnswer, endTheAnswer, hasStatusClass } from '../../answer.ts';
import { type Finding, receiverCheck, Unproven } from '../../check.ts';
import type { Answer, Attempt } from '../../delivery.ts';
import { finding, type Point } from '../../finding.ts';
import { counted } from '../../items.ts';
import type { ReceiverKit } from '../../kit.ts';
import { countOf, oneOfEach } from '../counting.ts';
import { acceptedStatuses, deliveredWithRetries, demandRead, isRefusedAsForged } from '../expectation.ts';
import { redeliveredUntilAccepted } from '../redelivered.ts';
import { createdRecently, creationTime } from '../creationTime.ts';
import { acceptedBeside } from './acceptedBeside.ts';

/** Bytes of a body with more related resources than most have. */
const several = 6 * 1024;

/** Section 4.4: every event of the catalogue is answered with an accepting status, whatever else stands in its body. */
export const everyEvent = receiverCheck<Notification>({
  id: 'receiver/acceptance/every-event',
  title: 'accepts a notification of every event that it subscribes to',
  requirements: ['RCV-1', 'RCV-2', 'RCV-4'],
  needs: [],
  judges: 'plain',
  weight: 4,
  cases: (draw) =>
    draw.subscribed.map((event) => [
      draw.notification({ event }),
      draw.notification({ event, included: 'empty' }),
      ...(draw.contract.delivery.members.included === undefined
        ? []
        : [draw.notification({ event, included: { bytes: several } })]),
    ]),
  run: async (kit, notification) => {
    if (kit.takesForged)
      throw new Unproven('right signatures are refused (VRF-1), so no event is accepted as it should');
    const sent = await deliveredAsDeclared(kit, notification);
    if (isAccepted(kit, sent))
      return (await lateFor(kit, notification, sent)) ?? (await droppedFor(kit, notification, sent));
    // What fails now and then is delivered again.
    if (hasStatusClass(sent.answer, 5) && isAccepted(kit, await redeliveredUntilAccepted(kit, sent.delivery)))
      return undefined;
    const point = await refusedFor(kit, notification, sent);
    return finding(point, {
      attempts: [sent],
      expected: `the delivery is accepted: status ${acceptedStatuses(kit, kit.contract.delivery.acceptedStatuses)}`,
      actual: describeAnswer(sent.answer),
      // Refused among copies that are accepted, and once more: that need not recur in the next few.
      absence:
        ![byChance, forgedByChance, forgedByTime].includes(point.hint ?? '') ||
        !(await isRefusedAgain(kit, notification)),
    });
  },
  hint:
    'Store the notification and answer first; decide about the event afterwards. Many receivers know only the ' +
    'events that existed when they were written. If your webhook has only some events, name them with --events.',
});

/** In the media type of the contract, whatever a plain delivery had to be sent in. */
async function deliveredAsDeclared(kit: ReceiverKit, notification: Notification): Promise<Attempt> {
  const delivery = kit.compose(notification, { contentType: kit.assumed('body.mediaType') });
  return deliveredWithRetries(kit, delivery);
}

/** With a status of the contract, whatever a plain delivery is answered with. */
function isAccepted({ contract }: ReceiverKit, { answer }: Attempt): boolean {
  return answer.kind === 'answered' && contract.delivery.acceptedStatuses.includes(answer.status);
}

/** What was acknowledged takes effect where a plain delivery of its event does, whatever else it says. */
async function droppedFor(kit: ReceiverKit, notification: Notification, sent: Attempt): Promise<Finding | undefined> {
  const { event } = notification;
  if (!kit.probed || !kit.isEffective(event)) return undefined;
  if (countOf(await kit.effects(oneOfEach(sent)), sent) > 0) return undefined;
  return acceptedBeside(kit, kit.plain(notification), notification, otherOf(kit, notification));
}

/** What is accepted only when it is delivered again is answered too late, where that is so once more beside one that is not. */
async function lateFor(kit: ReceiverKit, notification: Notification, sent: Attempt): Promise<Finding | undefined> {
  const late = firstInVain(kit, sent);
  if (late === undefined) return undefined;
  const twin = await deliveredWithRetries(kit, kit.compose(kit.control));
  if (!isAccepted(kit, twin) || firstInVain(kit, twin) !== undefined) return undefined;
  const again = await deliveredAsDeclared(kit, notification);
  if (!isAccepted(kit, again) || firstInVain(kit, again) === undefined) return undefined;
  return finding(
    { requirement: 'RCV-4', twin, difference: `another notification, of ${notification.event}`, hint: unanswered },
    {
      attempts: [late],
      expected: 'an answer within the time-out of a delivery',
      actual: `${describeAnswer(late.answer)}; it was accepted when it was delivered again`,
      absence: true,
    },
  );
}

/** The first delivery of the same, where it got no answer in time. */
function firstInVain(kit: ReceiverKit, { delivery }: Attempt): Attempt | undefined {
  const first = kit.attempts.find((one) => one.delivery.id === delivery.id);
  return first?.answer.kind === 'timed-out' ? first : undefined;
}

/** How it may differ from the plain one, in words. */
function otherOf(kit: ReceiverKit, notification: Notification): string {
  const related = relatedOf(kit, notification)?.length;
  const many = related === 0 ? 'no related resources' : counted(related ?? 0, 'related resource');
  return `another notification of ${notification.event}${related === undefined ? '' : `, with ${many}`}`;
}

/** Copies of a refused notification at most, until one is accepted (each that gets no answer takes its time), and then until one is refused again. */
const copies = { first: 6, unanswered: 2, again: 40 } as const;

const nowAndThen = (event: string): string => `a notification of ${event}, which is accepted under another id`;

const byChance =
  'A limit that counts requests, one process of several, or a fault that comes and goes refuses what is right. Where it is too ' +
  'much at once, answer 429 or 503 with Retry-After; any other refusal says that the delivery itself is wrong.';

const forgedByChance =
  'A right signature is taken for a wrong one now and then. Make a new HMAC object for each delivery: one that several threads share mixes ' +
  'their bodies. Give every process the same secret, and compare the digest with all its zeros.';

const forgedByTime = `${forgedByChance} A timestamp is right within the tolerance of the contract: one of a second refuses what took a second.`;

/**
 * Whether it is the event that is refused, or what else the body says: then the plain body of that event is accepted, or the
 * same one without the related resources that the plain one has too.
 */
async function refusedFor(kit: ReceiverKit, notification: Notification, refused: Attempt): Promise<Point> {
  const { event } = notification;
  const twin = await acceptedOf(kit, [kit.plain(notification), ...withoutRelated(kit, notification)]);
  if (twin === undefined)
    return (
      (await refusedForItsType(kit, notification)) ?? {
        requirement: 'RCV-1',
        difference: `the event is ${event}`,
        hint: hintOf(refused.answer),
      }
    );
  const many = refused.answer.kind === 'timed-out' ? copies.unanswered : copies.first;
  const same = await acceptedOf(kit, Array<Notification>(many).fill(notification));
  if (same !== undefined) {
    const forged = kit.scheme.tolerance === undefined ? forgedByChance : forgedByTime;
    const hint = (await isRefusedAsForged(kit, refused.answer)) ? forged : byChance;
    return { requirement: 'RCV-1', twin: same, difference: nowAndThen(event), hint };
  }
  const aged = await refusedForItsAge(kit, notification);
  if (aged !== undefined) return aged;
  await demandRead(kit, { attempts: [refused] });
  return {
    requirement: 'RCV-2',
    twin,
    difference: otherOf(kit, notification),
    hint:
      'What is done with it expects more of the body than the contract promises: a value that may be null or missing, a number ' +
      'that may have a fraction, a value that is larger than its column, or related resources where there may be none. Look ' +
      'whether what you read is there, and store the notification before you interpret it.',
  };
}

/** The same is accepted in the media type that plain deliveries of this run have, where that is another. */
async function refusedForItsType(kit: ReceiverKit, notification: Notification): Promise<Point | undefined> {
  const declared = kit.assumed('body.mediaType');
  const usual = kit.compose(kit.plain(notification));
  if (usual.headers.some(([, value]) => value === declared)) return undefined;
  const twin = await deliveredWithRetries(kit, usual);
  const difference = `the header Content-Type: ${declared}`;
  return isAccepted(kit, twin) ? { requirement: 'RCV-1', twin, difference, hint: ofOneType } : undefined;
}

const ofOneType =
  'This is the media type of every delivery. Let your body parser take it: many parse application/json alone, and refuse or skip ' +
  'all other types. What verifies a signature reads the raw body, whatever its type.';

/** The same is accepted where it says that it was created when the plain one was. */
async function refusedForItsAge(kit: ReceiverKit, notification: Notification): Promise<Point | undefined> {
  const recent = createdRecently(kit, notification);
  const [time, later] = [notification, recent].map((each) => creationTime(kit.contract, each));
  if (time === undefined || later === undefined || time >= later) return undefined;
  const twin = await acceptedOf(kit, [recent]);
  return twin && { requirement: 'RCV-2', twin, difference: `created ${later - time} s earlier`, hint: whenItHappened };
}

const whenItHappened =
  'The creation time in the body was compared with the clock, or with that of another notification. It says when the event ' +
  'happened, and a delivery that is tried again comes much later: accept it, however old. What shows that somebody sends a ' +
  'recorded delivery again is the timestamp that was signed, where there is one, and the id.';

async function isRefusedAgain(kit: ReceiverKit, notification: Notification): Promise<boolean> {
  for (let sent = 0; sent < copies.again; sent++)
    if (hasStatusClass((await deliveredAsDeclared(kit, notification)).answer, 4)) return true;
  return false;
}

async function acceptedOf(kit: ReceiverKit, notifications: readonly Notification[]): Promise<Attempt | undefined> {
  for (const notification of notifications) {
    const sent = await deliveredAsDeclared(kit, notification);
    if (isAccepted(kit, sent)) return sent;
  }
  return undefined;
}

/** The same with an empty list of related resources, where it has one that is not empty. */
function withoutRelated(kit: ReceiverKit, notification: Notification): readonly Notification[] {
  const place = kit.contract.delivery.members.included;
  if (place === undefined || (relatedOf(kit, notification) ?? []).length === 0) return [];
  return [{ ...notification, value: withPointer(notification.value, place, []) }];
}

function relatedOf({ contract }: ReceiverKit, { value }: Notification): readonly Json[] | undefined {
  const place = contract.delivery.members.included;
  const related = place === undefined ? undefined : valueAt(value, place);
  return Array.isArray(related) ? related : undefined;
}

const unanswered =
  'What this event causes is done before the answer, and takes longer than the sender waits; or the handler ended without an answer, as ' +
  'after an exception that nobody catches. Store the notification, answer, and do the work afterwards.';

function hintOf(answer: Answer): string | undefined {
  if (answer.kind !== 'answered' && answer.status !== undefined) return endTheAnswer;
  if (answer.kind === 'timed-out') return unanswered;
  if (answer.kind === 'broken') return undefined;
  const status = describeAnswer(answer);
  if (hasStatusClass(answer, 2))
    return `Answer with a status that ends the delivery: the sender takes ${status} for a failure.`;
  if (!hasStatusClass(answer, 3)) return undefined;
  return (
    `Answer at this address, and with a status that ends the delivery: a sender does not follow a redirect, and takes ` +
    `${status} for a failure. If the receiver is at the address that the Location header names, give that address.`
  );
}
