import type { Delivery } from '../../delivery.ts';
import type { ReceiverKit } from '../../kit.ts';
import { refusalTime } from '../../receiver/taken.ts';
import type { Entry, ReceiverModelState } from './receiverModelState.ts';
import { judgeRefusal } from './refusal.ts';
import type { Writing } from './writing.ts';

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
  const sending = acknowledged ? overOneConnection(delivery) : delivery;
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

/** On a connection of its own: on a kept one that breaks it would be sent once more unseen, as if it had been closed before. */
function overOneConnection(delivery: Delivery): Delivery {
  const steps = [{ send: 'head' }, { send: 'body', from: 0, to: 1 }] as const;
  return { ...delivery, wire: { framing: 'length', steps } };
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
