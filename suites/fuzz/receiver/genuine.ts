import type { Delivery } from '../../delivery.ts';
import type { ReceiverKit } from '../../kit.ts';
import { refusalTime } from '../../receiver/taken.ts';
import type { Entry, Ledger } from './ledger.ts';
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
  ledger: Ledger,
  entry: Entry,
  { delivery, writing }: { readonly delivery: Delivery; readonly writing: Writing },
): Promise<void> {
  const [acknowledged, from] = [entry.accepted > 0, kit.attempts.length];
  const sending = acknowledged ? overOneConnection(delivery) : delivery;
  const answer = await kit.deliverPatiently(sending, timeToRecover(ledger, entry));
  const silent = kit.attempts.slice(from).filter((attempt) => attempt.answer.kind !== 'answered');
  if (acknowledged && silent[0] && ledger.blows.length === 0) ledger.unanswered.push({ entry, attempt: silent[0] });
  entry.unheard += silent.length;
  judgedByAnswer(ledger, entry, writing);
  const sent = { delivery: sending, answer };
  if (!kit.accepts(answer)) await judgeRefusal(kit, ledger, { entry, writing, sent });
  ledger.note(kit, entry, sent);
}

/** On a connection of its own: on a kept one that breaks it would be sent once more unseen, as if it had been closed before. */
function overOneConnection(delivery: Delivery): Delivery {
  const steps = [{ send: 'head' }, { send: 'body', from: 0, to: 1 }] as const;
  return { ...delivery, wire: { framing: 'length', steps } };
}

/** Whatever is not acknowledged is still owed, and so it is delivered again. */
export async function deliverWhatIsOwed(kit: ReceiverKit, ledger: Ledger): Promise<void> {
  for (const entry of ledger.entries) {
    if (!entry.begun || entry.accepted > 0 || !entry.expected) continue;
    await deliverGenuine(kit, ledger, entry, { delivery: entry.genuine, writing: entry.writing });
  }
}

/** Milliseconds in which any refusal may pass: the receiver comes up, lets go of what it had begun, or is still at it. */
function timeToRecover({ blows }: Ledger, { unheard }: Entry): number {
  if (blows.length > 0) return refusalTime;
  return unheard > 0 ? timeToFinish : 0;
}

/**
 * Notes what the first acceptance of a notification showed that came among others at the same time: all that a refusal
 * there could have been blamed on.
 */
export function judgedByFirst(ledger: Ledger, entry: Entry): void {
  judgedByAnswer(ledger, { ...entry, accepted: 0 }, entry.writing);
  ledger.judge('RTY-1');
}

function judgedByAnswer(ledger: Ledger, { accepted, failed, forged, near }: Entry, writing: Writing): void {
  if (accepted > 0) ledger.judge('IDM-1');
  else ledger.judge('RCV-1');
  if (!writing.plain || writing.padding || writing.status) ledger.judge('RCV-2');
  if (writing.form || writing.secret) ledger.judge('VRF-1');
  if (writing.mediaType) ledger.judge('RCV-7');
  if (accepted === 0 && failed > 0) ledger.judge('RTY-1');
  if (accepted === 0 && forged > 0) ledger.judge('VRF-2');
  if (accepted === 0 && near) ledger.judge('IDM-4');
}
