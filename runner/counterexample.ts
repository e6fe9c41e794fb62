import { join } from 'node:path';

import { curlScript } from '../reports/curl.ts';
import type { Counterexample, ReportedAttempt } from '../reports/events.ts';
import { repeatCommand } from '../reports/repeatCommand.ts';
import type { Finding, ReceiverCheck } from '../suites/check.ts';
import type { Attempt, Delivery } from '../suites/delivery.ts';
import { describeWire } from './describeWire.ts';
import type { Failure } from './property.ts';
import type { ReceiverContext } from './receiverContext.ts';
import { reportedBody, writeBody } from './reportedBody.ts';

/** Puts a failure in the words of a report: the exchange, what was expected, and the shell lines that show it. */
export function counterexample(
  context: ReceiverContext,
  check: ReceiverCheck,
  failure: Failure<Finding>,
  failures: number,
): Counterexample {
  const { finding } = failure;
  const bodyFile = join(context.plan.directory, `${check.id.replaceAll('/', '-')}.body`);
  const report = (attempt: Attempt) => reportedAttempt(context, attempt, bodyFile);
  return {
    summary: summary(finding, failures),
    requirements: finding.requirements,
    seed: context.plan.seed,
    path: failure.case.path,
    expected: finding.expected,
    actual: finding.actual,
    hint: check.hint,
    exchange: {
      attempts: finding.attempts.map(report),
      ...(finding.twin && { twin: report(finding.twin) }),
      ...(finding.difference !== undefined && { difference: finding.difference }),
      ...(finding.effects && { effects: finding.effects }),
    },
    curl: curlLines(context, finding, bodyFile) ?? repeatCommand(check.id, context.plan.command),
  };
}

/** How an attempt is told in a report. Bodies that are too large to show go into a file. */
export function reportedAttempt(
  context: ReceiverContext,
  { delivery, answer }: Attempt,
  bodyFile: string,
): ReportedAttempt {
  const { url, headers: custom } = context.plan;
  const own = new Set(delivery.headers.map(([name]) => name.toLowerCase()));
  return {
    request: {
      method: delivery.method,
      url: url.href,
      headers: [...custom.filter(([name]) => !own.has(name.toLowerCase())), ...delivery.headers],
      body: reportedBody(delivery.body, bodyFile),
      ...(delivery.wire && { wire: describeWire(delivery.wire) }),
    },
    answer,
  };
}

function curlLines(context: ReceiverContext, finding: Finding, bodyFile: string): string | undefined {
  const { attempts, effects } = finding;
  if (finding.concurrent === true) return undefined;
  const { plan, scheme, signatureHeader } = context;
  const script = curlScript({
    requests: attempts.map(({ delivery }) => request(context, delivery)),
    bodyFile,
    signing: { scheme, header: signatureHeader, secrets: plan.secrets },
    timeout: plan.timeout,
    insecure: plan.insecure,
    ...(effects && plan.probe !== undefined && { effects: { probe: plan.probe, ids: effects.map(({ id }) => id) } }),
  });
  for (const { path, content } of script?.files ?? []) writeBody(path, content);
  return script?.text;
}

function request(context: ReceiverContext, delivery: Delivery) {
  const { headers } = reportedAttempt(
    context,
    { delivery: { ...delivery, body: Buffer.alloc(0) }, answer: noAnswer },
    '',
  ).request;
  const { method, body, wire } = delivery;
  return { method, url: context.plan.url.href, headers, body, ...(wire && { wire }) };
}

const noAnswer = { kind: 'broken', code: '', ms: 0 } as const;

function summary({ actual, difference }: Finding, failures: number): string {
  const more = failures > 1 ? ` (and in ${failures - 1} other case${failures === 2 ? '' : 's'})` : '';
  return difference === undefined ? `${actual}${more}` : `${difference}: ${actual}${more}`;
}
