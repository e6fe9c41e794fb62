import { setTimeout as sleep } from 'node:timers/promises';

import { RunEnded } from '../engine/ending.ts';
import { describeAnswer } from '../../suites/answer.ts';
import type { Attempt } from '../../suites/delivery.ts';
import { reportedAttempt } from './counterexample.ts';
import { createReceiverContext } from './createReceiverContext.ts';
import type { RunEnd } from '../engine/eventStream.ts';
import { inSession, type PositiveControl, type SessionParts } from '../engine/session.ts';
import { ProbeError } from './probe.ts';
import { UsageError } from '../errors.ts';
import type { ControlResult, ReceiverContext, Taken } from './receiverContext.ts';
import { ReceiverSide } from './receiverSide.ts';
import { readingAdvice, refusalAdvice, suspectOf } from './refusalAdvice.ts';
import { noAnswerEnd } from '../http/noAnswer.ts';
import { secretsOf } from '../secrets/confided.ts';
import { assumptionValue } from '../../spec/assumptions.ts';
import { signatureHeaderName } from '../../spec/signature.ts';
import type { PlayedApi } from '../../suites/kit.ts';
import { parseDuration } from '../../spec/units.ts';
import { positiveControl, type Control } from './control.ts';
import type { ReceiverPlan, StartRecovery } from './plan.ts';
import { Unproven } from '../../suites/check.ts';
import { RefusedAddress, type Access } from '../http/access.ts';
import { failureCode } from '../http/connector.ts';
import { postTo } from '../http/postTo.ts';
import { endOfOutput, runCommand } from '../process/shellCommand.ts';
import { messageOf } from '../../spec/messageOf.ts';

/**
 * Connects the kit to a receiver, and does something with it: see {@link inSession}.
 *
 * @throws UsageError where the target cannot be started as the user asked for
 * @throws TargetError where it cannot be reset
 */
export async function inReceiverSession(plan: ReceiverPlan, parts: SessionParts<ReceiverSide>): Promise<void> {
  await inSession(plan, secretsOf(plan), (given) => open(plan, given), parts);
}

async function open(plan: ReceiverPlan, given: Pick<ReceiverContext, 'secrets' | 'elapsed' | 'emit' | 'deadline'>) {
  const running: { context?: ReceiverContext } = {};
  const reaching: ReceiverPlan = { ...plan, onRefused: ({ end }) => running.context?.end(end) };
  const api = await openPlayedApi(reaching, () => given.elapsed());
  try {
    const context = await createReceiverContext(reaching, { ...given, api });
    running.context = context;
    const halt = (): void => void Promise.allSettled([context.deliverer.close(), context.probe?.close()]);
    return { context, control: () => control(context), halt, close: () => close(context) };
  } catch (error) {
    await api?.close();
    throw error;
  }
}

async function close({ deliverer, probe, api, lateness }: ReceiverContext): Promise<void> {
  lateness.stop();
  await Promise.allSettled([deliverer.close(), probe?.close(), api?.close()]);
}

async function control(context: ReceiverContext): Promise<PositiveControl<ReceiverSide>> {
  const {
    found,
    attempt: first,
    asRead,
  } = await controlOnceListed(context).catch((error: unknown) => controlAgain(context, error));
  const attempt = reportedAttempt(context, first, '');
  if (found === undefined) return { attempt, trouble: await controlTrouble(context, first, asRead) };
  const instead = takenInstead(context, found);
  tellOfProbe(context, found);
  return { attempt, side: new ReceiverSide(context, found), ...(instead !== undefined && { instead }) };
}

/** A receiver that died of what it had accepted takes a probe of its own with it: it is not the probe that is wrong then. */
async function controlAgain(context: ReceiverContext, error: unknown): Promise<Control> {
  if (!(error instanceof ProbeError) || context.ended.aborted) throw error;
  const wasGone = await context.guardian.look();
  if (context.ended.aborted) throw new RunEnded('The run has ended.');
  if (wasGone) return controlOnceListed(context);
  throw unusable(context, error);
}

/** The probe does not count at all: then no run shows what it should. */
function unusable({ secrets }: ReceiverContext, cause: ProbeError): UsageError {
  const { received, valid, next } = cause.explanation;
  const explanation = {
    received: secrets.hideTyped(`--probe: ${received}`),
    valid,
    next: secrets.hideTyped(next),
  };
  return new UsageError('SW_PROBE_UNUSABLE', explanation, { cause });
}

/** A probe that counts, but not once for a plain delivery: whose fault that is cannot be seen. */
function tellOfProbe(context: ReceiverContext, { probeTrouble }: ControlResult): void {
  if (probeTrouble === undefined) return;
  const advice =
    'See whether the receiver does its work after a plain delivery, or takes it for a repetition of an earlier one, and whether the probe counts it once; if it comes late, give a longer --settle.';
  context.emit({ type: 'probe.failed', reason: probeTrouble, advice });
}

const testedUnseen = { plain: 'the answer to plain deliveries', spelling: 'the spelling of bodies' };

/** What the run goes on with where a plain delivery was not accepted; nothing where it was. */
function takenInstead(
  { plan: { secrets } }: ReceiverContext,
  { mediaType, secret, status, unseen }: Taken,
): string | undefined {
  if (unseen) return `${unseen.why}, so only ${testedUnseen[unseen.judges]} is tested`;
  if (status !== undefined) return `all checks but that of the answer itself take ${status} for acceptance`;
  if (mediaType !== undefined) return `it is accepted as ${mediaType}, so the other checks send that`;
  if (secret === undefined) return undefined;
  const place = secrets.indexOf(secret ?? '');
  if (place > 0)
    return `it is accepted with secret ${place + 1} of ${secrets.length}, so the other checks sign with that`;
  const how = secret === null ? 'without a signature' : `signed with ${secret === '' ? 'an empty' : 'another'} secret`;
  return `it is accepted ${how}, so the checks that are not about signatures send it like that`;
}

/** Why the run cannot go on where the control failed. */
async function controlTrouble({ plan }: ReceiverContext, attempt: Attempt, asRead: Control['asRead']): Promise<RunEnd> {
  const { answer } = attempt;
  const end = await noAnswerEnd({ subject: 'receiver', url: plan.url, access: plan }, answer);
  if (end !== undefined || answer.kind !== 'answered') return end ?? { reason: describeAnswer(answer) };
  return {
    kitWords: true,
    reason: `${asRead?.of === 'the contract' ? 'The signature may be made in another way' : suspectOf(plan, answer.status)}: a plain valid delivery was not accepted, the receiver answered ${describeAnswer(answer)}`,
    advice: asRead === undefined ? refusalAdvice(plan, attempt) : readingAdvice(asRead),
  };
}

/** Starts the service's API for the receiver; nothing where the plan has none. @throws UsageError where it cannot listen */
async function openPlayedApi(
  plan: ReceiverPlan,
  elapsed: () => number,
): Promise<(PlayedApi & { close(): Promise<void> }) | undefined> {
  const { api, assumptions, published, secrets, headers, url, scheme } = plan;
  if (api === undefined) return undefined;
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
    recover: recover === undefined ? undefined : () => startRecovery(withPrintedPort(recover, url), plan),
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
    if (control.found !== undefined || control.attempt.answer.kind !== 'answered') return control;
    if (context.elapsed() > until || hasReadTheList(context)) return control;
    await sleep(between, undefined, { signal: ended }).catch(() => undefined);
  }
}

function hasReadTheList(context: ReceiverContext): boolean {
  const senders = context.plan.contract.operation('senders').operationId;
  const read = context.api?.calls.find(({ operationId }) => operationId === senders);
  return read !== undefined && context.elapsed() - read.at > grace;
}

/** Milliseconds that a recovery may take. */
const timeout = 60_000;

/** @returns the recovery, at the port that the target has by now, where its address is a path at one that prints its port */
function withPrintedPort(recover: string | StartRecovery, { port }: URL): string | StartRecovery {
  const address = typeof recover === 'string' ? URL.parse(recover) : null;
  if (address?.port !== '0') return recover;
  address.port = port;
  return address.href;
}

/** What is known of the run that it is part of. */
interface Recovering extends Access {
  readonly signal: AbortSignal;
}

/**
 * Starts the recovery of a receiver, and waits until it has ended.
 *
 * @param how - a URL, which gets a POST, a shell command, or a function
 * @throws Unproven where it failed
 */
export async function startRecovery(how: string | StartRecovery, run: Recovering): Promise<void> {
  const trouble = await troubleOf(how, run);
  if (trouble === undefined) return;
  const what = typeof how === 'function' ? 'the function recover' : `--recover ${how}`;
  throw new Unproven(`the recovery could not be started (${what}): ${trouble}`);
}

function troubleOf(how: string | StartRecovery, run: Recovering): Promise<string | undefined> {
  if (typeof how === 'function') return call(how, run);
  return /^https?:/i.test(how) ? post(how, run) : execute(how, run);
}

/** @returns what went wrong */
async function call(recover: StartRecovery, { signal }: Recovering): Promise<string | undefined> {
  const { promise: late, resolve } = Promise.withResolvers<string>();
  const over = AbortSignal.any([signal, AbortSignal.timeout(timeout)]);
  over.addEventListener('abort', () => resolve(`it had not ended after ${timeout / 1000} s`), { once: true });
  try {
    return await Promise.race([(async () => void (await recover()))(), late]);
  } catch (error) {
    return messageOf(error);
  }
}

/** @returns what went wrong */
async function post(url: string, run: Recovering): Promise<string | undefined> {
  try {
    const status = await postTo(url, { timeout, signal: run.signal }, run);
    return status < 400 ? undefined : `POST was answered with ${status}`;
  } catch (error) {
    return `POST failed (${error instanceof RefusedAddress ? error.message : failureCode(error)})`;
  }
}

/** @returns what went wrong */
async function execute(command: string, { signal }: Recovering): Promise<string | undefined> {
  const { code, stderr, timedOut, signal: endedBy } = await runCommand(command, { timeout, signal });
  if (code === 0) return undefined;
  const end = timedOut ? `it had not ended after ${timeout / 1000} s` : `it ended with ${code ?? endedBy}`;
  const said = stderr.trim();
  return said === '' ? end : `${end} and said ${endOfOutput(said, 400)}`;
}
