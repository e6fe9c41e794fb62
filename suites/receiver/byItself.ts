import type { Finding } from '../check.ts';
import type { ReceiverKit } from '../kit.ts';
import { countOf, effectsInWords, idsOf } from './counting.ts';

/** Notifications that are looked at: a probe may be asked for each by itself. */
const looked = 5;

/** Deduplication alone cannot bring these about. */
export const moreThanSent =
  'It took effect more often than it was delivered. Either its work is done again by itself (by a timer, or by a job that is tried ' +
  'again), or that of others is done under its id: keep the notification of a request in variables of that request, not in a ' +
  'global one or in a member of an object that all requests share.';

const alsoOnce =
  'What was delivered once takes effect again as well, so redeliveries are not what brings it about: a job is tried again though its work ' +
  'is done, for a later step of it fails, or a timer or a lease takes up what is finished. Mark a notification as done in the ' +
  'transaction that does its work, and put an end to what fails again and again.';

/** The finding that something took effect too often, in words that fit where what nobody delivered again did so as well. */
export async function perhapsByItself(kit: ReceiverKit, found: Finding): Promise<Finding> {
  if (found.hint === moreThanSent) return found;
  const redelivered = kit.beginning.redelivered();
  const once = kit.beginning.attempts.filter(({ delivery }) => !redelivered.has(delivery.id)).slice(0, looked);
  if (once.length === 0) return found;
  const effects = await kit.effectsSoFar(idsOf(once));
  const again = once.find((sent) => countOf(effects, sent) > 1);
  if (again === undefined) return found;
  const also = `what was delivered once, at the beginning of the run, has had ${effectsInWords(countOf(effects, again))} as well`;
  return { ...found, actual: `${found.actual}; ${also}`, hint: alsoOnce };
}
