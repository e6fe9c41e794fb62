import type { Notification } from '../../generators/notification/notification.ts';
import type { DeliveryFinished } from '../../reports/model/events.ts';
import type { SignatureScheme } from '../../spec/signature.ts';
import type { Activity } from '../engine/activity.ts';
import type { HangWatch } from '../engine/hangWatch.ts';
import type { Lateness } from '../engine/lateness.ts';
import type { RunContext } from '../engine/runContext.ts';
import { AnswerTimes } from '../http/answerTimes.ts';
import type { Deliverer } from '../http/deliverer.ts';
import type { ReceiverCheck } from '../../suites/check.ts';
import type { Answer } from '../../suites/delivery.ts';
import { isFailure, isRetried, retryPauses } from '../http/retryAfter.ts';
import type { Beginning, BodySpelling, PlayedApi } from '../../suites/kit.ts';
import type { RetriedProbe } from './probe.ts';
import type { Settler } from './settler.ts';
import type { ReceiverPlan } from './plan.ts';

/** Milliseconds for which a receiver may have what it accepted in memory alone. */
const unstoredFor = 10_000;

/** Repetitions without an answer, where none ever got one: a handler may end without an answer, each time that an event comes. */
const mostInVain = 30;

/** As how many of them one counts that took as long as a time-out. */
const timeOut = 10;

/** Whether the target took the delivery, and no answer came. */
function isUnanswered(answer: Answer): boolean {
  return answer.kind === 'timed-out' || (answer.kind === 'broken' && answer.code !== 'ECONNREFUSED');
}

/** When each id was delivered last, and for which event. */
export class SentDeliveries {
  /** What was delivered so shortly before the target ended that it may have been in its memory alone. */
  readonly unstored = new Set<string>();
  readonly #deliveries = new Map<string, { readonly event: string; readonly at: number }>();
  last = 0;
  /** When the target last came up again, or went on after a pause; 0 where it is not under process control. */
  upSince = 0;
  count = 0;
  /** Whether a refusal after an interruption was waited out in vain. */
  refusedInVain = false;
  /** Whether the target failed when it was last asked, and whether it did so for longer than a restart takes. */
  fails = false;
  failsForGood = false;
  readonly #repeated = { inVain: 0, helped: false };
  readonly answers = new AnswerTimes();
  /** Milliseconds of the slowest accepted delivery that was sent in the plain way, and of the quickest. */
  slowest = 0;
  quickest = Infinity;

  record(id: string, event: string, accepted?: { readonly ms: number; readonly isFirst?: boolean }): void {
    this.last = performance.now();
    this.count += 1;
    this.slowest = Math.max(this.slowest, accepted?.ms ?? 0);
    // A redelivery takes no work.
    if (accepted?.isFirst !== false) this.quickest = Math.min(this.quickest, accepted?.ms ?? Infinity);
    if (id !== '') this.#deliveries.set(id, { event, at: this.last });
  }

  /** Whether a delivery is repeated: what is not answered only as long as that may help. @param tried - how often it was sent */
  repeats(answer: Answer, tried: number): boolean {
    // Another one shows more then: the first may be what it does not answer.
    if (answer.kind === 'timed-out' && this.answers.areNone) return false;
    const mayHelp = this.#repeated.helped || this.#repeated.inVain < mostInVain;
    return tried < retryPauses.attempts && isRetried(answer, tried) && (mayHelp || !isUnanswered(answer));
  }

  /** Notes how a delivery was answered that was repeated. @param before - how it was answered the time before */
  repeated(before: Answer, answer: Answer): Answer {
    if (isUnanswered(before) && answer.kind === 'answered') this.#repeated.helped = true;
    else if (isUnanswered(before) && isUnanswered(answer))
      this.#repeated.inVain += answer.kind === 'timed-out' ? timeOut : 1;
    return answer;
  }

  /** Notes how a delivery was answered whose answer was awaited as long as may be, and beside which nothing was done to the target. */
  answered(answer: Answer): void {
    this.fails = isFailure(answer);
    this.answers.note(answer);
  }

  /** The target ended, or is about to. */
  ended(): void {
    const since = performance.now() - unstoredFor;
    for (const [id, { at }] of this.#deliveries) if (at > since) this.unstored.add(id);
  }

  /** Milliseconds (monotonic) of the id's last delivery. */
  of(id: string): number | undefined {
    return this.#deliveries.get(id)?.at;
  }

  eventOf(id: string): string | undefined {
    return this.#deliveries.get(id)?.event;
  }

  /** The latest of the ids that it knows, so many at most. */
  latest(most: number): readonly string[] {
    return [...this.#deliveries.keys()].slice(-most);
  }

  /** How many ids it knows. */
  get size(): number {
    return this.#deliveries.size;
  }

  /** Forgets every id. To be called where nobody is at work whose ids count. */
  forget(): void {
    this.#deliveries.clear();
  }
}

/** How plain deliveries are made so that this receiver takes them, and by which answers that is seen. */
export interface Taken {
  /** What follows the whole seconds of plain creation times: nothing, unless only a fraction such as `.000` is accepted. */
  readonly fraction: string;
  /** Where the assumed media type is refused: another, which is accepted. */
  readonly mediaType?: string;
  /** Where right signatures are refused: what deliveries are signed with that are accepted; null for no signature. */
  readonly secret?: string | null;
  /** Where bodies are refused as they are: how those are written that are accepted. */
  readonly spelling?: BodySpelling;
  /** Where plain deliveries are answered with a status that is no acceptance, and no refusal either: that status. */
  readonly status?: number;
  /** Where no plain delivery is seen to be accepted: why, and what can be tested all the same. */
  readonly unseen?: { readonly why: string; readonly judges: NonNullable<ReceiverCheck['judges']> };
}

/** What is known of the target's events after the positive control. */
export interface ControlResult extends Taken {
  /** The smallest plain notification of each subscribed event. */
  readonly plain: ReadonlyMap<string, Notification>;
  /** Subscribed events whose plain delivery was accepted. */
  readonly accepted: ReadonlySet<string>;
  /** Accepted events whose plain delivery showed exactly one effect. Shrinks where a second one shows up later. */
  readonly effective: Set<string>;
  /** True where plain deliveries are now refused and now accepted: then a refusal shows nothing of what was sent. */
  readonly byChance?: true;
  /** Why effects cannot be seen although a probe was given. */
  readonly probeTrouble?: string;
  /** Milliseconds that each of the plain deliveries took, those that were on their way together counted as one after the other. */
  readonly msOfOne: number;
  /** The plain notification that is sent to see whether the target still serves. */
  readonly control: Notification;
  /** The plain deliveries that showed these events effective. */
  readonly beginning: Beginning;
}

/** What the parts of one run of the receiver suite share. */
export interface ReceiverContext extends RunContext {
  readonly plan: ReceiverPlan;
  readonly scheme: SignatureScheme;
  readonly signatureHeader: string;
  readonly deliverer: Deliverer;
  /** Nothing without a probe. */
  readonly settler: Settler | undefined;
  /** Nothing without `--probe`. */
  readonly probe: RetriedProbe | undefined;
  readonly activity: Activity;
  readonly log: SentDeliveries;
  readonly hangWatch: HangWatch;
  /** By `performance.now`. */
  readonly lateness: Lateness;
  /** The service's API, played for the receiver; nothing where it is not. */
  readonly api: (PlayedApi & { close(): Promise<void> }) | undefined;
  /** When the run began, in milliseconds since the epoch. */
  readonly startedAt: number;
  emitDelivery(event: Omit<DeliveryFinished, 'ms' | 'type'>): void;
}
