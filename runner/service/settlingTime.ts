import { parseDuration } from '../../spec/units.ts';
import type { CaughtDelivery } from './deliveryLog.ts';
import { type RunState, assumption } from './runState.ts';
import { RunEnded } from '../engine/ending.ts';

/** Milliseconds that an absence is awaited at least, where the user gave no time. */
const least = 1000;

/** The same at most: a first delivery that took this long was waiting for something else. */
const most = 10_000;

/** How many times the slowest of its kind something may take before it counts as absent. */
const factor = 5;

/** An absence is awaited no longer than this part of the longest series of attempts beyond its end. */
const beyond = 1.05;

/** Milliseconds that an absence is awaited: `--settle`, else the larger of 1 s and 5 times the slowest arrival. */
export function settlingTime({ plan, slowestArrival }: RunState): number {
  return plan.settle ?? Math.max(least, longerThan(slowestArrival ?? 0));
}

/** Milliseconds after which what usually takes so long counts as absent. */
export function longerThan(took: number): number {
  return Math.min(factor * took, most);
}

/**
 * When a further attempt of this notification is overdue, in milliseconds of the run. It is once a refused notification
 * of the same cause has had its own attempt of that number, and several times that pause is over; after the last
 * attempt that the contract allows, once the settling time is over, and the pause that would come next.
 *
 * @returns nothing while no refused notification shows it yet
 */
export function overdue(context: RunState, delivery: CaughtDelivery): number | undefined {
  const { deliveryLog, plan } = context;
  const number = delivery.attempts.length;
  if (number > plan.contract.delivery.retries) return spent(context, delivery);
  const from = endOf(context, delivery);
  if (from === undefined) return undefined;
  const floor = from + settlingTime(context);
  const cause = deliveryLog.causeOf(delivery);
  const gap = deliveryLog.gap(cause, number) ?? (cause === undefined ? deliveryLog.longestGap(number) : undefined);
  if (gap === undefined) return undefined;
  const span = deliveryLog.span(cause);
  const whole = span !== undefined && span.attempts > plan.contract.delivery.retries;
  const cap = whole && cause ? Math.max(from + gap, cause.at + span.ms * beyond) : Infinity;
  return context.lateness.extended(from, Math.max(floor, Math.min(from + factor * gap, cap)));
}

/** When it is seen that no attempt follows the last one: where the service goes on, the next pause is as long as the one before. */
function spent(context: RunState, delivery: CaughtDelivery): number | undefined {
  const from = endOfLast(context, delivery);
  if (from === undefined) return undefined;
  const [before, last] = delivery.attempts.slice(-2);
  const pause = (last?.at ?? 0) - (before?.end?.at ?? Infinity);
  return context.lateness.extended(from, from + Math.max(settlingTime(context), Math.min(1.5 * pause, most)));
}

/**
 * When no further attempt of this notification is expected any more: it is {@link overdue}, or the list says that refused
 * ones of the same cause were given up after as many attempts, and several times their longest pause is over. The list may
 * speak of their webhooks alone, so that nothing is found missing by this.
 */
export function quietBy(context: RunState, delivery: CaughtDelivery): number | undefined {
  const due = overdue(context, delivery);
  const from = due === undefined ? endOf(context, delivery) : undefined;
  if (from === undefined) return due;
  const { deliveryLog, lateness } = context;
  const gap = deliveryLog.gapBeforeEnd(deliveryLog.causeOf(delivery), delivery.attempts.length);
  return gap === undefined ? undefined : lateness.extended(from, from + Math.max(settlingTime(context), factor * gap));
}

/**
 * Milliseconds after which something is overdue that a restart may have delayed. What a worker had claimed may be waited
 * for as long as an attempt may take, several times.
 *
 * @param measured - how long the same took for something that no restart delayed, and how long an attempt may take
 */
export function overdueAfter(
  context: RunState,
  { took, timeout }: { readonly took: number; readonly timeout: number },
): number {
  return Math.max(settlingTime(context), factor * took, 3 * timeout);
}

/**
 * When its last attempt ended, and that of each other notification at the same endpoint: a service may send one after the
 * other to a webhook, and a retry then waits for what hangs there.
 *
 * @returns nothing while one of them has no end that is known
 */
function endOf(context: RunState, delivery: CaughtDelivery): number | undefined {
  const ends = [delivery, ...context.deliveryLog.beside(delivery)].map((each) => endOfLast(context, each));
  return ends.reduce((one, other) => (one === undefined || other === undefined ? undefined : Math.max(one, other)));
}

/** Where it did not end, when it should have, if the user said how long the service waits. */
function endOfLast(context: RunState, { attempts, since }: CaughtDelivery): number | undefined {
  const last = attempts.at(-1);
  if (last === undefined) return since;
  if (last.end) return last.end.at;
  const timeout = deliveryTimeout(context);
  return timeout === undefined ? undefined : last.at + 3 * timeout;
}

/** Milliseconds that the service waits for an answer; nothing where neither the user nor an earlier run says so. */
export function deliveryTimeout(context: Pick<RunState, 'plan'>): number | undefined {
  const timeout = assumption(context, 'delivery.timeout');
  return timeout && timeout.source !== 'default' ? parseDuration(timeout.value) : undefined;
}

/** When the retry window of a notification is over, in milliseconds of the run. */
export function windowEnd({ plan }: RunState, delivery: Pick<CaughtDelivery, 'since'>): number {
  return delivery.since + plan.retryWindow;
}

/** Milliseconds after which anyone who waits looks again, even where nothing changed. */
const glance = 50;

/**
 * Waits until there is something, or until a time that may still change. Where the kit itself is late meanwhile, it waits
 * longer ({@link Lateness.extended}).
 *
 * @param look - what is waited for; nothing while it is not there
 * @param due - when to give up, in milliseconds of the run; nothing while that is not known
 * @returns nothing where the time came first
 * @throws RunEnded
 */
export async function waitFor<T>(
  context: Pick<RunState, 'ended' | 'elapsed' | 'changeSignal' | 'lateness'>,
  look: () => T | undefined,
  due: () => number | undefined,
): Promise<T | undefined> {
  const from = context.elapsed();
  const left = (): number => {
    const before = (due() ?? Infinity) - context.elapsed();
    return before > 0 ? before : context.lateness.extended(from, -Infinity) - context.elapsed();
  };
  for (;;) {
    const found = look();
    if (found !== undefined) return found;
    if (context.ended.aborted) throw new RunEnded('The run has ended.');
    const rest = left();
    if (rest <= 0) return undefined;
    await context.changeSignal.next(Math.min(rest, glance));
  }
}
