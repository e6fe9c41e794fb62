import { curlScript } from '../../reports/curl/curl.ts';
import type { ReportedAttempt } from '../../reports/model/events.ts';
import type { Finding, ReceiverCheck, Sent } from '../../suites/check.ts';
import type { Attempt, Delivery, Wire, WireStep } from '../../suites/delivery.ts';
import { headerValues, hiddenHeaders, secretVariable } from '../secrets/standIns.ts';
import { passwordStandIns } from '../secrets/confided.ts';
import { withoutHurry } from '../http/answerTimes.ts';
import type { ReceiverContext } from './receiverContext.ts';
import { reportedBody, writtenBeside } from '../output/reportedBody.ts';
import type { Counterexample } from '../../reports/model/exchange.ts';
import { bodyFileOf, counterexampleOf } from '../engine/counterexample.ts';
import type { SavedRequests } from '../engine/savedCase.ts';
import type { Failure } from '../engine/trial.ts';
import type { Reported } from '../engine/side.ts';
import { shownProbe } from './createProbe.ts';
import type { ReceiverPlan } from './plan.ts';

/** Puts a failure in the words of a report: the exchange, what was expected, and the shell lines that show it. */
export function counterexample(
  context: ReceiverContext,
  check: ReceiverCheck,
  failure: Failure<Finding>,
  reported: Reported & { readonly events: readonly string[] },
): Counterexample {
  const { finding } = failure;
  const { plan, secrets } = context;
  const bodyFile = bodyFileOf(plan.directory, check.id, reported.sequence);
  const report = (attempt: Attempt) => reportedAttempt(context, attempt, bodyFile);
  return counterexampleOf(
    { subject: 'receiver', plan, events: reported.events, secrets },
    { ...check, hint: finding.hint ?? check.hint },
    failure,
    reported,
    {
      exchange: {
        attempts: finding.attempts.map(report),
        ...(finding.twin && { twin: report(finding.twin) }),
        ...(finding.difference !== undefined && { difference: finding.difference }),
        ...(finding.differsIn && { differsIn: finding.differsIn }),
        ...(finding.effects && { effects: finding.effects }),
      },
      lines: reported.timeline ? undefined : curlLines(context, finding, bodyFile),
      sent: finding.sent && savedRequests(context, finding.sent, bodyFile),
    },
  );
}

/** The environment variables that stand for what is hidden. */
function variablesOf(plan: ReceiverPlan): readonly string[] {
  const passwords = passwordStandIns([
    typeof plan.probe === 'string' ? plan.probe : undefined,
    typeof plan.api?.recover === 'string' ? plan.api.recover : undefined,
  ]).flatMap(({ shown }) => /\$(SEAWORTHY_PASSWORD\w*)/.exec(shown)?.[1] ?? []);
  const secrets = plan.secrets.map((_, index) => `${secretVariable}${index === 0 ? '' : `_${index + 1}`}`);
  return [...Object.keys(headerValues(plan.headers)), ...new Set(passwords), ...secrets];
}

/** How an attempt is shown in a report. Bodies that are too large to show go into a file. */
export function reportedAttempt(
  context: ReceiverContext,
  { delivery, answer }: Attempt,
  bodyFile: string,
): ReportedAttempt {
  const { url, headers: custom, published, contract } = context.plan;
  const isUuid = contract.delivery.id?.form === 'uuid';
  const from = delivery.from ?? published[0];
  const { skew } = delivery;
  const own = new Set(delivery.headers.map(([name]) => name.toLowerCase()));
  return {
    request: {
      method: delivery.method,
      url: delivery.path === undefined ? url.href : `${url.origin}${delivery.path}`,
      headers: [...hiddenHeaders(custom).filter(([name]) => !own.has(name.toLowerCase())), ...delivery.headers],
      body: reportedBody(delivery.body, bodyFile, context.secrets),
      ...(delivery.id !== '' && !isUuid && { id: delivery.id }),
      ...(delivery.wire && { wire: describeWire(delivery.wire) }),
    },
    answer: withoutHurry(answer),
    ...(from !== undefined && { from }),
    ...(skew !== undefined && { skew }),
  };
}

function savedRequests(context: ReceiverContext, { control, attempts }: Sent, bodyFile: string): SavedRequests {
  return {
    control: reportedAttempt(context, { delivery: control, answer: noAnswer }, bodyFile).request,
    attempts: attempts.map(({ waited, moment, ...attempt }) => ({
      ...reportedAttempt(context, attempt, bodyFile),
      ...(waited !== undefined && { waited: Math.ceil(waited) }),
      ...(moment !== undefined && { moment }),
    })),
  };
}

function curlLines(context: ReceiverContext, finding: Finding, bodyFile: string): string | undefined {
  const { attempts, effects } = finding;
  const isTogether = finding.sent?.attempts.some(({ moment }) => moment !== undefined);
  if (finding.concurrent === true || isTogether === true) return undefined;
  const { plan, scheme, signatureHeader, secrets } = context;
  const accepted = plan.contract.delivery.acceptedStatuses;
  const script = curlScript({
    requests: attempts.map(({ delivery }) => request(context, delivery)),
    bodyFile,
    signing: { scheme, header: signatureHeader, secrets: plan.secrets },
    variables: variablesOf(plan),
    known: [
      ...attempts.filter(({ answer }) => answer.kind === 'answered' && accepted.includes(answer.status)),
      ...(effects ?? []).map(({ id }) => ({ delivery: { id } })),
    ].map(({ delivery }) => delivery.id),
    timeout: plan.timeout,
    insecure: plan.insecure,
    ca: plan.given?.options['ca']?.at(-1),
    ...(effects &&
      typeof plan.probe === 'string' && {
        effects: { probe: secrets.hideTyped(shownProbe(plan.probe, plan.url)), ids: effects.map(({ id }) => id) },
      }),
  });
  for (const { path, content } of script?.files ?? []) writtenBeside(path, secrets.hideBytes(content));
  return script?.text;
}

function request(context: ReceiverContext, delivery: Delivery) {
  const bodiless = { delivery: { ...delivery, body: Buffer.alloc(0) }, answer: noAnswer };
  const { request: reported, from, skew } = reportedAttempt(context, bodiless, '');
  const { url, headers } = reported;
  const { method, body, wire } = delivery;
  return {
    method,
    url,
    headers,
    body,
    ...(wire && { wire }),
    ...(from !== undefined && { from }),
    ...(skew !== undefined && { skew }),
  };
}

const noAnswer = { kind: 'broken', code: '', ms: 0 } as const;

/** Says in plain words, a line each, how a request was written by hand. */
function describeWire({ framing, requestLine, steps, colon }: Wire): readonly string[] {
  const framed = {
    length: 'headers with a content length',
    chunked: 'headers for a chunked body',
    none: 'headers without a length',
  }[framing];
  const heading = colon === undefined ? framed : `${framed}, without spaces behind their colons`;
  const pieces = steps.filter((step) => 'send' in step && step.send === 'body').length;
  if (pieces > 4)
    return [`send the ${heading}`, `send the body in ${pieces} ${framing === 'chunked' ? 'chunks' : 'pieces'}`];
  return [
    ...(requestLine === undefined ? [] : [`request line: ${requestLine}`]),
    ...steps.map((step) => describeStep(step, heading)),
  ];
}

function describeStep(step: WireStep, heading: string): string {
  if ('pause' in step) return `send nothing for ${step.pause} ms`;
  if ('awaitContinue' in step) return `wait at most ${Math.round(step.awaitContinue)} ms for 100 Continue`;
  if ('barrier' in step) return 'wait until all copies have come this far';
  if ('hold' in step) return 'send nothing until what runs beside it is over';
  if ('end' in step) return step.end === 'rst' ? 'reset the connection' : 'close the sending side';
  if (step.send === 'head') return `send the ${heading}${bytesOf(step)}`;
  if (step.send === 'bytes')
    return `send the bytes ${JSON.stringify(Buffer.from(step.base64, 'base64').toString('latin1'))}`;
  if (step.from === 0 && step.to === 1) return 'send the body';
  return `send the body from ${percent(step.from)} to ${percent(step.to)}`;
}

/** Which bytes of the head, where it is not all of them: `, bytes 5 to the last`. */
function bytesOf({ from, to }: { readonly from?: number; readonly to?: number }): string {
  if (from === undefined && to === undefined) return '';
  const place = (at: number): string => (at < 0 ? `${-at} before the end` : `${at}`);
  return `, from byte ${place(from ?? 0)} to ${to === undefined ? 'the end' : place(to)}`;
}

function percent(fraction: number): string {
  return `${Math.round(fraction * 1000) / 10}%`;
}
