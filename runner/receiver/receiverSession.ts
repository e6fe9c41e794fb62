import { describeAnswer } from '../../suites/answer.ts';
import type { Attempt } from '../../suites/delivery.ts';
import { controlOnceListed } from './controlOnceListed.ts';
import { reportedAttempt } from './counterexample.ts';
import { createReceiverContext } from './createReceiverContext.ts';
import { described } from '../engine/described.ts';
import { UsageError } from '../errors.ts';
import { startedLife } from '../process/guardedLife.ts';
import { openPlayedApi } from './openPlayedApi.ts';
import type { ReceiverPlan } from '../engine/plan.ts';
import type { ControlResult, ReceiverContext } from './receiverContext.ts';
import { refusalAdvice } from './refusalAdvice.ts';
import { resetTarget } from '../process/resetTarget.ts';
import { RunEnded } from '../engine/runEnded.ts';
import { secretsOf } from '../secrets/secretsOf.ts';
import { hiddenEvent } from '../secrets/hiddenEvent.ts';
import type { UntimedEvent } from '../engine/runEvents.ts';

/** What is done with a receiver while the kit is connected to it. */
export interface SessionParts {
  /** Milliseconds since the session began. */
  elapsed(): number;
  emit(event: UntimedEvent): void;
  /** Called before anything is started or sent, once the target was reset. */
  begin?(): void;
  /** Called once the target runs and the positive control was passed. */
  work(context: ReceiverContext, found: ControlResult): Promise<void>;
  /** Called once everything is closed. */
  end?(context: ReceiverContext): void;
}

/**
 * Starts the receiver where that is the kit's task, passes the positive control, does the work, and closes everything
 * again, whatever happens. Why the work was not done is told by events.
 *
 * @throws UsageError where the target cannot be started as the user asked for
 * @throws TargetError where it cannot be reset
 */
export async function inSession(plan: ReceiverPlan, parts: SessionParts): Promise<void> {
  const elapsed = (): number => parts.elapsed();
  let context: ReceiverContext | undefined;
  const reaching: ReceiverPlan = { ...plan, onRefused: ({ end }) => context?.end(end) };
  const api = await openPlayedApi(reaching, elapsed);
  try {
    const secrets = secretsOf(plan);
    const emit = (event: UntimedEvent): void => parts.emit(hiddenEvent(event, secrets));
    context = await createReceiverContext(reaching, { api, secrets, elapsed, emit });
    try {
      await resetTarget(plan, context.life);
    } catch (error) {
      await close(context);
      throw error;
    }
    parts.begin?.();
    try {
      await attempted(context, parts);
    } finally {
      await close(context);
      parts.end?.(context);
    }
  } finally {
    await api?.close();
  }
}

async function attempted(context: ReceiverContext, parts: SessionParts): Promise<void> {
  try {
    if (!(await startedLife(context.life, context))) return;
    const control = await controlOnceListed(context);
    const attempt = reportedAttempt(context, control.attempt, '');
    context.emit({ type: 'control.finished', accepted: control.accepted, attempt });
    if (control.accepted) await parts.work(context, control.found);
    else lose(context, control.attempt);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    if (context.ended.aborted || error instanceof RunEnded) return;
    context.emit({ type: 'kit.errored', where: 'engine', ...described(error) });
  }
}

/** Closes all that the run has opened, the target last, and tells what the target has said. */
async function close(context: ReceiverContext): Promise<void> {
  const { deliverer, probe, life } = context;
  await Promise.allSettled([deliverer.close(), probe?.close()]);
  try {
    await life?.target.close();
  } catch (error) {
    context.emit({ type: 'kit.errored', where: 'engine', ...described(error) });
  }
  life?.target.say();
}

function lose(context: ReceiverContext, attempt: Attempt): void {
  const { plan } = context;
  const { answer } = attempt;
  if (answer.kind === 'timed-out') {
    return context.end({
      reason: `the receiver at ${plan.url.href} cannot be tested: ${describeAnswer(answer)}`,
      advice: 'See what it waits for, check the address, or give it longer with --timeout, and run again.',
    });
  }
  if (answer.kind !== 'answered') {
    const reason = `the receiver at ${plan.url.href} cannot be reached: ${describeAnswer(answer)}`;
    return context.end({ reason, advice: 'Start the receiver, check the address and the port, and run again.' });
  }
  context.end({
    reason: `a plain valid delivery was not accepted: the receiver answered ${describeAnswer(answer)}`,
    advice: refusalAdvice(plan, attempt),
  });
}
