import { join } from 'node:path';

import { curlScript } from '../../reports/curl/curl.ts';
import type { Moment, ReportedAttempt } from '../../reports/model/events.ts';
import { repeatCommand } from '../../reports/curl/repeatCommand.ts';
import { replayCommand } from '../../reports/curl/replayCommand.ts';
import type { Finding, ReceiverCheck } from '../../suites/check.ts';
import type { Attempt, Delivery, Wire, WireStep } from '../../suites/delivery.ts';
import { drawnFrom } from './drawnFrom.ts';
import { headerValues, hiddenHeaders } from '../secrets/hiddenHeaders.ts';
import { passwordStandIns } from '../secrets/passwordStandIns.ts';
import type { ReceiverPlan } from '../engine/plan.ts';
import type { ControlResult, ReceiverContext } from './receiverContext.ts';
import { type SavedSequence, saveCase } from '../engine/saveCase.ts';
import { reportedBody, writeBody } from '../output/reportedBody.ts';
import { secretVariable } from '../secrets/standIns.ts';
import type { Counterexample } from '../../reports/model/exchange.ts';
import type { Failure } from '../engine/failure.ts';

/** What is said of a failure beside the finding. */
interface Reported {
  /** How many cases failed. */
  readonly failures: number;
  /** What was done and seen in the case, where it controlled the target's process. */
  readonly timeline: readonly Moment[] | undefined;
  /** What the cases were drawn from. */
  readonly found: ControlResult;
  /** Where a search found it. */
  readonly sequence?: SavedSequence | undefined;
}

/** Puts a failure in the words of a report: the exchange, what was expected, and the shell lines that show it. */
export function counterexample(
  context: ReceiverContext,
  check: ReceiverCheck,
  failure: Failure<Finding>,
  { failures, timeline, found, sequence }: Reported,
): Counterexample {
  const { finding } = failure;
  const name = `${check.id.replaceAll('/', '-')}${sequence ? `-${sequence.number}` : ''}`;
  const bodyFile = join(context.plan.directory, `${name}.body`);
  const report = (attempt: Attempt) => reportedAttempt(context, attempt, bodyFile);
  const lines = timeline ? undefined : curlLines(context, finding, bodyFile);
  const reported: Counterexample = {
    summary: summary(finding, failures),
    requirements: finding.requirements,
    seed: context.plan.seed,
    path: failure.case.path,
    expected: finding.expected,
    actual: finding.actual,
    hint: finding.hint ?? check.hint,
    exchange: {
      attempts: finding.attempts.map(report),
      ...(finding.twin && { twin: report(finding.twin) }),
      ...(finding.difference !== undefined && { difference: finding.difference }),
      ...(finding.effects && { effects: finding.effects }),
    },
    ...(timeline && { timeline }),
    curl: lines ?? repeatCommand(check.id, context.plan.command),
  };
  const { plan } = context;
  const events = found[drawnFrom(check)];
  const file = saveCase(
    { subject: 'receiver', plan, events, secrets: context.secrets },
    { check, generated: failure.case, counterexample: reported, sequence },
  );
  if (file === undefined) return reported;
  return sequence && lines === undefined
    ? { ...reported, file, curl: replayCommand(file, plan.command) }
    : { ...reported, file };
}

/** The environment variables that stand for what is hidden. */
function variablesOf(plan: ReceiverPlan): readonly string[] {
  const passwords = passwordStandIns([plan.probe, plan.api?.recover]).flatMap(
    ({ shown }) => /\$(SEAWORTHY_PASSWORD\w*)/.exec(shown)?.[1] ?? [],
  );
  const secrets = plan.secrets.map((_, index) => `${secretVariable}${index === 0 ? '' : `_${index + 1}`}`);
  return [...Object.keys(headerValues(plan.headers)), ...new Set(passwords), ...secrets];
}

/** How an attempt is shown in a report. Bodies that are too large to show go into a file. */
export function reportedAttempt(
  context: ReceiverContext,
  { delivery, answer }: Attempt,
  bodyFile: string,
): ReportedAttempt {
  const { url, headers: custom, published } = context.plan;
  const from = delivery.from ?? published[0];
  const own = new Set(delivery.headers.map(([name]) => name.toLowerCase()));
  return {
    request: {
      method: delivery.method,
      url: url.href,
      headers: [...hiddenHeaders(custom).filter(([name]) => !own.has(name.toLowerCase())), ...delivery.headers],
      body: reportedBody(delivery.body, bodyFile, context.secrets),
      ...(delivery.wire && { wire: describeWire(delivery.wire) }),
    },
    answer,
    ...(from !== undefined && { from }),
  };
}

function curlLines(context: ReceiverContext, finding: Finding, bodyFile: string): string | undefined {
  const { attempts, effects } = finding;
  if (finding.concurrent === true) return undefined;
  const { plan, scheme, signatureHeader, secrets } = context;
  const script = curlScript({
    requests: attempts.map(({ delivery }) => request(context, delivery)),
    bodyFile,
    signing: { scheme, header: signatureHeader, secrets: plan.secrets },
    variables: variablesOf(plan),
    timeout: plan.timeout,
    insecure: plan.insecure,
    ...(effects &&
      plan.probe !== undefined && {
        effects: { probe: secrets.hideTyped(plan.probe), ids: effects.map(({ id }) => id) },
      }),
  });
  for (const { path, content } of script?.files ?? []) writeBody(path, secrets.hideBytes(content));
  return script?.text;
}

function request(context: ReceiverContext, delivery: Delivery) {
  const bodiless = { delivery: { ...delivery, body: Buffer.alloc(0) }, answer: noAnswer };
  const { request: reported, from } = reportedAttempt(context, bodiless, '');
  const { headers } = reported;
  const { method, body, wire } = delivery;
  return {
    method,
    url: context.plan.url.href,
    headers,
    body,
    ...(wire && { wire }),
    ...(from !== undefined && { from }),
  };
}

const noAnswer = { kind: 'broken', code: '', ms: 0 } as const;

function summary({ actual, difference }: Finding, failures: number): string {
  const more = failures > 1 ? ` (and in ${failures - 1} other case${failures === 2 ? '' : 's'})` : '';
  return difference === undefined ? `${actual}${more}` : `${difference}: ${actual}${more}`;
}

/** Says in plain words, a line each, how a request was written by hand. */
function describeWire({ framing, requestLine, steps }: Wire): readonly string[] {
  const heading = {
    length: 'headers with a content length',
    chunked: 'headers for a chunked body',
    none: 'headers without a length',
  }[framing];
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
  if (step.send === 'head') return `send the ${heading}`;
  if (step.send === 'bytes')
    return `send the bytes ${JSON.stringify(Buffer.from(step.base64, 'base64').toString('latin1'))}`;
  if (step.from === 0 && step.to === 1) return 'send the body';
  return `send the body from ${percent(step.from)} to ${percent(step.to)}`;
}

function percent(fraction: number): string {
  return `${Math.round(fraction * 1000) / 10}%`;
}
