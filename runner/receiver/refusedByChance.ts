import { hasStatusClass, isOverloaded } from '../../suites/answer.ts';
import type { Finding, ReceiverCheck } from '../../suites/check.ts';
import type { Answer } from '../../suites/delivery.ts';
import type { Deadline } from '../engine/ending.ts';
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

/** Plain deliveries of one look at most, milliseconds that it takes at most, and looks for each check. */
const look = { deliveries: 20, ms: 1000, times: 3 } as const;

/**
 * Whether plain deliveries are now refused and now accepted, as far as it shows while a run goes on: it is looked at where a
 * check finds a refusal, for what refuses one in fifty seldom does so at the beginning.
 */
export class ChanceRefusals {
  readonly #sendPlain: () => Promise<Answer>;
  readonly #accepts: (answer: Answer) => boolean;
  readonly #looks = new Map<string, number>();
  #seen: boolean;

  /**
   * @param seen - whether that is known already
   * @param sendPlain - sends a plain delivery under an id of its own
   */
  constructor(seen: boolean, sendPlain: () => Promise<Answer>, accepts: (answer: Answer) => boolean) {
    this.#seen = seen;
    this.#sendPlain = sendPlain;
    this.#accepts = accepts;
  }

  /** Whether they, and not what its case is about, may have brought a finding of this check about. */
  async mayExplain(check: ReceiverCheck, found: Finding): Promise<boolean> {
    if (!mayBeChance(check, found)) return false;
    // A receiver that has just come up refuses for another reason.
    const isAsked = !this.#seen && !check.needs.includes('process-control');
    if (isAsked && isRefusal(found.attempts.at(-1)?.answer)) await this.#look(check.id);
    return this.#seen;
  }

  async #look(check: string): Promise<void> {
    const looks = this.#looks.get(check) ?? 0;
    if (looks === look.times) return;
    this.#looks.set(check, looks + 1);
    const began = performance.now();
    // What is refused until it is accepted, or from some moment on, is not refused by chance.
    const sequence = [true, false, true];
    for (let sent = 0; sent < look.deliveries && performance.now() - began < look.ms; sent++) {
      const answer = await this.#sendPlain();
      if (this.#accepts(answer) ? sequence[0] === true : sequence[0] === false && isRefusal(answer)) sequence.shift();
      this.#seen ||= sequence.length === 0;
      if (this.#seen) return;
    }
  }
}

/** Whether an answer is a refusal that does not say that there is too much to do. */
function isRefusal(answer: Answer | undefined): boolean {
  return answer !== undefined && (hasStatusClass(answer, 4) || hasStatusClass(answer, 5)) && !isOverloaded(answer);
}

/** Whether plain deliveries that are refused by chance may have brought a finding about, and not what its case is about. */
function mayBeChance(
  { judges, judgesChance = judges === 'plain' }: Pick<ReceiverCheck, 'judges' | 'judgesChance'>,
  { absence }: Finding,
): boolean {
  return absence && !judgesChance;
}

/** Why such a finding does not count. */
export const refusedByChance =
  'plain deliveries are refused now and then, so a refusal shows nothing here: fix that first (if it breaks a requirement, that is RCV-1, VRF-1 or IDM-5), and run again';
