import { describeAnswer } from '../../answer.ts';
import type { Attempt, Delivery } from '../../delivery.ts';
import type { ReceiverKit } from '../../kit.ts';
import { acceptedStatuses, finding } from '../../receiver/expectation.ts';
import { historyOf, Mistake, type Cause } from './mistake.ts';
import type { Entry, ReceiverModelState } from './receiverModelState.ts';
import { without, written, type Feature, type Writing } from './writing.ts';
import type { RequirementId } from '../../../spec/names.ts';
import { itemOf } from '../../items.ts';
import { parseSize } from '../../../spec/size.ts';

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
export async function judgeRefusal(kit: ReceiverKit, modelState: ReceiverModelState, refused: Refused): Promise<void> {
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

function mistake(
  kit: ReceiverKit,
  attempts: readonly Attempt[],
  point: Parameters<typeof finding>[1],
  cause: Cause,
): Mistake {
  const seen = {
    expected: `the delivery is accepted: status ${acceptedStatuses(kit)}`,
    actual: describeAnswer(itemOf(attempts, attempts.length - 1).answer),
    absence: true,
  };
  return new Mistake(finding(attempts, point, seen), cause);
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
