import { hasStatusClass } from '../../suites/answer.ts';
import type { Finding, ReceiverCheck } from '../../suites/check.ts';
import type { Deadline } from '../engine/timeLimit.ts';
import type { Sent } from './effectiveEvents.ts';

/** Events that were refused of which copies are sent, and copies of each. */
const tried = { events: 3, copies: 24 } as const;

/**
 * Whether plain deliveries of one event, one at a time, are now refused and now accepted: then a refusal says nothing of what a
 * delivery holds.
 *
 * @param unaccepted - plain deliveries that were not accepted
 * @param sendAlone - sends a copy under another id; whether it was accepted
 */
export async function areRefusedByChance(
  unaccepted: readonly Sent[],
  sendAlone: (sent: Sent) => Promise<boolean>,
  until: Deadline,
): Promise<boolean> {
  const refused = unaccepted.filter(({ answer }) => hasStatusClass(answer, 4) || hasStatusClass(answer, 5));
  for (const sent of refused.slice(0, tried.events)) {
    const seen = new Set<boolean>();
    for (let copy = 0; copy < tried.copies && !until.over; copy++) {
      seen.add(await sendAlone(sent));
      if (seen.size > 1) return true;
    }
  }
  return false;
}

/** Whether plain deliveries that are refused by chance may have brought a finding about, and not what its case is about. */
export function mayBeChance(
  { judgesPlain = false, judgesChance = judgesPlain }: Pick<ReceiverCheck, 'judgesPlain' | 'judgesChance'>,
  { absence }: Finding,
): boolean {
  return absence && !judgesChance;
}

/** Why such a finding does not count. */
export const refusedByChance =
  'plain deliveries are refused now and then, so a refusal shows nothing here: fix that first (see RCV-1, VRF-1 and IDM-5), and run again';
