import { setTimeout as sleep } from 'node:timers/promises';

import { describeAnswer } from '../../suites/answer.ts';
import type { Attempt } from '../../suites/delivery.ts';
import { reportedAttempt } from './counterexample.ts';
import { createReceiverContext } from './createReceiverContext.ts';
import type { RunEnd } from '../engine/runEvents.ts';
import { inSession, type PositiveControl, type SessionParts } from '../engine/session.ts';
import type { ReceiverContext } from './receiverContext.ts';
import { ReceiverSide } from './receiverSide.ts';
import { noAnswerEnd } from '../http/noAnswer.ts';
import { refusalAdvice } from './refusalAdvice.ts';
import { secretsOf } from '../secrets/secretsOf.ts';
import { assumptionValue } from '../../spec/assumptions.ts';
import { parseScheme, signatureHeaderName } from '../../spec/signature.ts';
import type { PlayedApi } from '../../suites/playedApi.ts';
import { startRecovery } from './startRecovery.ts';
import { parseDuration } from '../../spec/duration.ts';
import { positiveControl, type Control } from './control.ts';
import type { ReceiverPlan } from './plan.ts';

/**
 * Connects the kit to a receiver, and does something with it: see {@link inSession}.
 *
 * @throws UsageError where the target cannot be started as the user asked for
 * @throws TargetError where it cannot be reset
 */
export async function inReceiverSession(plan: ReceiverPlan, parts: SessionParts<ReceiverSide>): Promise<void> {
  await inSession(plan, secretsOf(plan), (given) => open(plan, given), parts);
}

async function open(plan: ReceiverPlan, given: Pick<ReceiverContext, 'secrets' | 'elapsed' | 'emit'>) {
  const running: { context?: ReceiverContext } = {};
  const reaching: ReceiverPlan = { ...plan, onRefused: ({ end }) => running.context?.end(end) };
  const api = await openPlayedApi(reaching, () => given.elapsed());
  try {
    const context = await createReceiverContext(reaching, { ...given, api });
    running.context = context;
    return { context, control: () => control(context), close: () => close(context) };
  } catch (error) {
    await api?.close();
    throw error;
  }
}

async function close({ deliverer, probe, api }: ReceiverContext): Promise<void> {
  await Promise.allSettled([deliverer.close(), probe?.close(), api?.close()]);
}

async function control(context: ReceiverContext): Promise<PositiveControl<ReceiverSide>> {
  const found = await controlOnceListed(context);
  const attempt = reportedAttempt(context, found.attempt, '');
  return found.accepted
    ? { attempt, side: new ReceiverSide(context, found.found) }
    : { attempt, trouble: await controlTrouble(context, found.attempt) };
}

/** Why the run cannot go on where the control failed. */
async function controlTrouble({ plan }: ReceiverContext, attempt: Attempt): Promise<RunEnd> {
  const { answer } = attempt;
  const end = await noAnswerEnd({ subject: 'receiver', url: plan.url, access: plan }, answer);
  if (end !== undefined) return end;
  return {
    reason: `a plain valid delivery was not accepted: the receiver answered ${describeAnswer(answer)}`,
    advice: refusalAdvice(plan, attempt),
  };
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
