import { setTimeout as sleep } from 'node:timers/promises';

import { describeAnswer } from '../../suites/answer.ts';
import type { Attempt } from '../../suites/delivery.ts';
import { reportedAttempt } from './counterexample.ts';
import { createReceiverContext } from './createReceiverContext.ts';
import { described } from '../engine/described.ts';
import { UsageError } from '../errors.ts';
import { startedProcess } from '../process/guardedProcess.ts';
import type { ReceiverPlan } from '../engine/plan.ts';
import type { ControlResult, ReceiverContext } from './receiverContext.ts';
import { refusalAdvice } from './refusalAdvice.ts';
import { resetTarget } from '../process/resetTarget.ts';
import { RunEnded } from '../engine/runEnded.ts';
import { secretsOf } from '../secrets/secretsOf.ts';
import { hiddenEvent } from '../secrets/hiddenEvent.ts';
import type { UntimedEvent } from '../engine/runEvents.ts';
import { assumptionValue } from '../../spec/assumptions.ts';
import { parseScheme, signatureHeaderName } from '../../spec/signature.ts';
import type { PlayedApi } from '../../suites/playedApi.ts';
import { startRecovery } from './startRecovery.ts';
import { parseDuration } from '../../spec/duration.ts';
import { positiveControl, type Control } from './control.ts';

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
 * again, whatever happens. Why the work was not done is reported by events.
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
      await resetTarget(plan, context.targetProcess);
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
    if (!(await startedProcess(context.targetProcess, context))) return;
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
  const { deliverer, probe, targetProcess } = context;
  await Promise.allSettled([deliverer.close(), probe?.close()]);
  try {
    await targetProcess?.target.close();
  } catch (error) {
    context.emit({ type: 'kit.errored', where: 'engine', ...described(error) });
  }
  targetProcess?.target.say();
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

/** Starts the service's API for the receiver; nothing where the plan has none. @throws UsageError where it cannot listen */
async function openPlayedApi(
  plan: ReceiverPlan,
  elapsed: () => number,
): Promise<(PlayedApi & { close(): Promise<void> }) | undefined> {
  const { api, assumptions, published, secrets, headers, url } = plan;
  if (api === undefined) return undefined;
  const scheme = parseScheme(assumptionValue(assumptions, 'signature.scheme'));
  const { listen, recover } = api;
  return api.play({
    listen,
    receiver: url,
    secret: secrets[0],
    scheme,
    signatureHeader: signatureHeaderName(scheme, assumptionValue(assumptions, 'signature.header')),
    headers,
    addresses: published,
    access: plan,
    recover: recover === undefined ? undefined : () => startRecovery(recover, plan),
    elapsed,
  });
}

/** Milliseconds between two controls. */
const between = 500;
/** Milliseconds that a receiver gets from its reading of the list to its first use. */
const grace = 2000;

/**
 * The positive control. A receiver that was not started by the kit finds the service's API only from now on, and so may
 * not know yet from where it is delivered to: then the control is tried again until it has read the list.
 */
async function controlOnceListed(context: ReceiverContext): Promise<Control> {
  const { plan, ended } = context;
  const followsList = plan.api !== undefined && plan.published.length > 0 && plan.targetProcess === undefined;
  const timeLimit = followsList ? parseDuration(assumptionValue(plan.assumptions, 'senderAddresses.refresh')) : 0;
  const until = context.elapsed() + timeLimit;
  for (;;) {
    const control = await positiveControl(context);
    if (control.accepted || control.attempt.answer.kind !== 'answered') return control;
    if (context.elapsed() > until || hasReadTheList(context)) return control;
    await sleep(between, undefined, { signal: ended }).catch(() => undefined);
  }
}

function hasReadTheList(context: ReceiverContext): boolean {
  const senders = context.plan.contract.operation('senders').operationId;
  const read = context.api?.calls.find(({ operationId }) => operationId === senders);
  return read !== undefined && context.elapsed() - read.at > grace;
}
