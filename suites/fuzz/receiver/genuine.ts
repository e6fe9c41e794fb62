import type { Delivery, Attempt } from '../../delivery.ts';
import type { ReceiverKit } from '../../kit.ts';
import { refusalTime } from '../../receiver/aftermath.ts';
import type { Entry, ReceiverModelState } from './receiverModelState.ts';
import { type Writing, without, written, type Feature } from './making.ts';
import { describeAnswer } from '../../answer.ts';
import { finding, type Point } from '../../finding.ts';
import { acceptedStatuses } from '../../receiver/expectation.ts';
import { overOwnConnection } from '../../receiver/onWire.ts';
import { historyOf, Mistake, type Cause } from './mistake.ts';
import type { RequirementId } from '../../../spec/names.ts';
import { itemOf } from '../../items.ts';
import { parseSize } from '../../../spec/units.ts';

/** Milliseconds that a receiver may still be at work on a copy whose sender is gone. */
const timeToFinish = 2000;

/**
 * Delivers a notification as a service would, and judges the answer: it must be accepted, if need be after a passing
 * refusal. Where the receiver may still be at work on an earlier copy, any refusal may pass.
 *
 * @param writing - how it is written this time. Default: as it was at first
 * @throws Mistake where it stays refused, and should not
 */
export async function deliverGenuine(
  kit: ReceiverKit,
  modelState: ReceiverModelState,
  entry: Entry,
  { delivery, writing }: { readonly delivery: Delivery; readonly writing: Writing },
): Promise<void> {
  const [acknowledged, from] = [entry.accepted > 0, kit.attempts.length];
  // On a kept one that breaks it would be sent once more unseen, as if it had been closed before.
  const sending = acknowledged ? overOwnConnection(delivery) : delivery;
  const answer = await kit.deliverWithRetries(sending, timeToRecover(modelState, entry));
  const silent = kit.attempts.slice(from).filter((attempt) => attempt.answer.kind !== 'answered');
  if (acknowledged && silent[0] && modelState.interruptions.length === 0)
    modelState.unanswered.push({ entry, attempt: silent[0] });
  entry.unheard += silent.length;
  judgedByAnswer(modelState, entry, writing);
  const sent = { delivery: sending, answer };
  if (!kit.accepts(answer)) await judgeRefusal(kit, modelState, { entry, writing, sent });
  modelState.note(kit, entry, sent);
}

/** Whatever is not acknowledged is still owed, and so it is delivered again. */
export async function deliverWhatIsOwed(kit: ReceiverKit, modelState: ReceiverModelState): Promise<void> {
  for (const entry of modelState.entries) {
    if (!entry.begun || entry.accepted > 0 || !entry.expected) continue;
    await deliverGenuine(kit, modelState, entry, { delivery: entry.genuine, writing: entry.writing });
  }
}

/** Milliseconds in which any refusal may pass: the receiver comes up, lets go of what it had begun, or is still at it. */
function timeToRecover({ interruptions }: ReceiverModelState, { unheard }: Entry): number {
  if (interruptions.length > 0) return refusalTime;
  return unheard > 0 ? timeToFinish : 0;
}

/**
 * Notes what the first acceptance of a notification showed that came among others at the same time: all that a refusal
 * there could have been blamed on.
 */
export function judgedByFirst(modelState: ReceiverModelState, entry: Entry): void {
  judgedByAnswer(modelState, { ...entry, accepted: 0 }, entry.writing);
  modelState.judge('RTY-1');
}

function judgedByAnswer(
  modelState: ReceiverModelState,
  { accepted, failed, forged, near }: Entry,
  writing: Writing,
): void {
  if (accepted > 0) modelState.judge('IDM-1');
  else modelState.judge('RCV-1');
  if (!writing.plain || writing.padding || writing.status) modelState.judge('RCV-2');
  if (writing.form || writing.secret) modelState.judge('VRF-1');
  if (writing.mediaType) modelState.judge('RCV-7');
  if (accepted === 0 && failed > 0) modelState.judge('RTY-1');
  if (accepted === 0 && forged > 0) modelState.judge('VRF-2');
  if (accepted === 0 && near) modelState.judge('IDM-4');
}

/** A genuine delivery that was not accepted. */
interface Refused {
  readonly entry: Entry;
  readonly writing: Writing;
  readonly sent: Attempt;
}

const tooLarge = 413;

/**
 * Finds out why a genuine delivery was refused, by neighbours that differ in one thing: the same under another id, the
 * same without what is special about its content, the plain one.
 *
 * @throws Mistake unless the receiver may refuse it: a body that is too large, or a duplicate of what it may have taken
 */
async function judgeRefusal(kit: ReceiverKit, modelState: ReceiverModelState, refused: Refused): Promise<void> {
  if (isTooLarge(kit, refused.sent)) return excuse(refused.entry);
  const same = await tried(kit, refused.writing);
  if (kit.accepts(same.answer)) return byHistory(kit, modelState, refused, same);
  for (const feature of features(kit, refused.writing)) await byFeature(kit, refused, feature);
  await byContent(kit, modelState, refused);
}

/** The same under another id is accepted: what is wrong is what the receiver made of earlier deliveries. */
function byHistory(kit: ReceiverKit, modelState: ReceiverModelState, { entry, sent }: Refused, twin: Attempt): void {
  // A copy may have been taken, or may still be worked on, though its sender never heard of it.
  if (entry.accepted === 0 && entry.unheard > 0 && sent.answer.kind === 'answered') return excuse(entry);
  const [requirement, difference] = reason(entry);
  const attempts = historyOf(kit, modelState, entry, sent);
  throw mistake(kit, attempts, { requirement, difference, twin }, 'refused');
}

function reason({ accepted, forged, failed, near }: Entry): readonly [requirement: RequirementId, difference: string] {
  if (accepted > 0) return ['IDM-1', 'a redelivery of the same notification'];
  if (forged > 0) return ['VRF-2', 'a forged delivery of the same id came before'];
  if (failed > 0) return ['RTY-1', 'an earlier delivery of the same notification failed'];
  if (near) return ['IDM-4', 'its id is near to that of another notification'];
  return ['RCV-1', 'another id, a moment later'];
}

/** Features that can be to blame, in the order in which they are tried. Without a secret no spelling is judged. */
function features({ secrets }: ReceiverKit, writing: Writing): readonly Feature[] {
  const all: readonly Feature[] = ['mediaType', 'secret', 'form', 'status', 'padding'];
  return all.filter((name) => writing[name] !== undefined && (name !== 'form' || secrets.length > 0));
}

const blamed: Readonly<Record<Feature, readonly [requirement: RequirementId, difference: string]>> = {
  mediaType: ['RCV-7', 'another media type'],
  secret: ['VRF-1', 'signed with another of the secrets that the receiver was given'],
  form: ['VRF-1', 'another spelling of the same body'],
  status: ['RCV-2', 'the delivery status in the body'],
  padding: ['RCV-2', 'the text in its related resources'],
};

/** Accepted without that feature: so it is to blame. */
async function byFeature(kit: ReceiverKit, { writing, sent }: Refused, feature: Feature): Promise<void> {
  const large = isLarge(kit, sent.delivery);
  const neighbour = feature === 'padding' && large ? plainPadding(writing) : without(writing, feature);
  if (neighbour === undefined) return;
  const twin = await tried(kit, neighbour);
  if (!kit.accepts(twin.answer)) return;
  const [requirement, difference] = blamed[feature];
  throw mistake(kit, [sent], { requirement, difference, twin }, 'refused');
}

/** A body of the same size without an unusual character: where that is refused too, it is too large. */
function plainPadding(writing: Writing): Writing | undefined {
  const { padding } = writing;
  return padding && padding.character !== '.' ? { ...writing, padding: { ...padding, character: '.' } } : undefined;
}

async function byContent(kit: ReceiverKit, modelState: ReceiverModelState, refused: Refused): Promise<void> {
  const { entry, writing, sent } = refused;
  if (isLarge(kit, sent.delivery)) return excuse(entry);
  const plain = await tried(kit, { notification: kit.plain(writing.notification), plain: true });
  if (kit.accepts(plain.answer)) {
    if (writing.plain) return excuse(entry);
    throw mistake(kit, [sent], { requirement: 'RCV-2', difference: 'the content of the body', twin: plain }, 'refused');
  }
  const control = await tried(kit, { notification: kit.control, plain: true });
  if (kit.accepts(control.answer))
    throw mistake(kit, [sent], { requirement: 'RCV-1', difference: 'the event', twin: control }, 'refused');
  const attempts = [...historyOf(kit, modelState, entry, sent), control];
  throw mistake(
    kit,
    attempts,
    { requirement: modelState.interruptions.length > 0 ? 'RTY-1' : 'ROB-1', difference: 'the deliveries before it' },
    'gone',
  );
}

async function tried(kit: ReceiverKit, writing: Writing): Promise<Attempt> {
  const delivery = written(kit, writing);
  return { delivery, answer: await kit.deliverWithRetries(delivery) };
}

function mistake(kit: ReceiverKit, attempts: readonly Attempt[], point: Point, cause: Cause): Mistake {
  const seen = {
    expected: `the delivery is accepted: status ${acceptedStatuses(kit)}`,
    actual: describeAnswer(itemOf(attempts, attempts.length - 1).answer),
    absence: true,
  };
  return new Mistake(finding(point, { attempts, ...seen }), cause);
}

function isTooLarge(kit: ReceiverKit, { delivery, answer }: Attempt): boolean {
  if (!isLarge(kit, delivery)) return false;
  return answer.kind !== 'answered' || answer.status === tooLarge;
}

function excuse(entry: Entry): void {
  entry.expected = false;
}

/** Whether a receiver may say that a body is too large (GAP-23). */
function isLarge(kit: ReceiverKit, { body }: Delivery): boolean {
  return body.length > parseSize(kit.assumed('body.judged'));
}
