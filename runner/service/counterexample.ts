import { callFiles, callScript } from '../../reports/curl/callScript.ts';
import type {
  ReportedAttempt,
  ReportedCaught,
  ReportedExchange,
  Counterexample,
} from '../../reports/model/exchange.ts';
import type { ServiceCheck, ServiceFinding } from '../../suites/check.ts';
import type { Header } from '../../suites/delivery.ts';
import type { Call, Caught, Exchange } from '../../suites/exchange.ts';
import { reportedBody, writtenBeside } from '../output/reportedBody.ts';
import { tokenVariable } from '../secrets/standIns.ts';
import { withoutHurry } from '../http/answerTimes.ts';
import { isSuccess, shownAnswer } from './answers.ts';
import type { ServiceContext } from './serviceContext.ts';
import { describeStep } from './serviceTimeline.ts';
import { bodyFileOf, counterexampleOf } from '../engine/counterexample.ts';
import type { Failure } from '../engine/trial.ts';
import type { Reported } from '../engine/side.ts';

/** Puts a failure in the words of a report: the exchanges, what was expected, and the shell lines that show it. */
export function serviceCounterexample(
  context: ServiceContext,
  check: ServiceCheck,
  failure: Failure<ServiceFinding>,
  reported: Reported & { readonly events: readonly string[] },
): Counterexample {
  const { exchanges, twin, difference, hint = check.hint } = failure.finding;
  const { plan, secrets } = context;
  const bodyFile = bodyFileOf(plan.directory, check.id, reported.sequence);
  const report = (exchange: Exchange) => reportedExchange(context, exchange, bodyFile);
  const run = { subject: 'service', plan, events: reported.events, secrets } as const;
  return counterexampleOf(run, { ...check, hint }, failure, reported, {
    exchange: {
      attempts: exchanges.map(report),
      ...(twin && { twin: report(twin) }),
      ...(difference !== undefined && { difference }),
    },
    lines: callLines(context, failure.finding, bodyFile),
  });
}

/** How a call or a delivery is shown in a report, the API key left out. */
export function reportedExchange(context: ServiceContext, exchange: Exchange, file: string): ReportedExchange {
  return exchange.kind === 'call' ? reportedCall(context, exchange, file) : reportedCaught(context, exchange, file);
}

function reportedCall(context: ServiceContext, { request, answer, at }: Call, file: string): ReportedAttempt {
  const { method, path, headers, body } = request;
  return {
    request: {
      method,
      url: `${context.base}${path}`,
      headers: shownHeaders(context, headers),
      body: reportedBody(body, file, context.secrets),
    },
    answer: withoutHurry(shownAnswer(answer)),
    at,
  };
}

function reportedCaught({ catcher, secrets }: ServiceContext, caught: Caught, file: string): ReportedCaught {
  const { method, path, headers, body, peer, number, step, at } = caught;
  const url = URL.parse(path, catcher.origin)?.href ?? path;
  return {
    caught: true,
    request: { method, url, headers, body: reportedBody(body, file, secrets) },
    from: peer,
    number,
    answered: describeStep(step, caught.end),
    at,
  };
}

/**
 * Shell lines, where the failure is one of calls alone: deliveries cannot be repeated by curl. Nor can what was done to one
 * webhook, which has been removed since.
 */
function callLines(context: ServiceContext, { exchanges }: ServiceFinding, bodyFile: string): string | undefined {
  const { plan, base } = context;
  if (!exchanges.every((exchange) => exchange.kind === 'call')) return undefined;
  if (exchanges.some((call) => isSuccess(call) && isAboutOne(context, call))) return undefined;
  const calls = exchanges.map(({ request: { method, path, headers, body } }) => ({
    method,
    url: `${base}${path}`,
    headers: shownHeaders(context, headers),
    body,
  }));
  // What is hidden cannot be sent again.
  if (calls.some(({ headers }) => headers.some(([, value]) => value.includes(hidden)))) return undefined;
  const { timeout, insecure, given } = plan;
  const ca = given?.options['ca']?.at(-1);
  const input = { calls, variables: [tokenVariable], bodyFile, timeout, insecure, ca };
  for (const { path, content } of callFiles(input)) writtenBeside(path, context.secrets.hideBytes(content));
  return callScript(input);
}

/** Whether a call names a webhook in its path. */
function isAboutOne({ plan }: ServiceContext, { request: { operationId } }: Call): boolean {
  const { operations } = plan.contract;
  return operations.some((each) => each.operationId === operationId && each.path.includes('{'));
}

function shownHeaders({ plan }: ServiceContext, headers: readonly Header[]): readonly Header[] {
  return headers.map((header) => redactedHeader(header, plan.token, plan.terms.authorization.header));
}

/** Stands for a part of the key, or for the key in another form. */
const hidden = '…';

/** So many characters of the key in a row are a part of it. */
const part = 4;

/** A text with a variable in place of the API key. */
function redacted(value: string, token: string): string {
  return token === '' ? value : value.replaceAll(token, `$${tokenVariable}`);
}

/** A header with a variable in place of the API key, and without parts of it where the header is the one for keys. */
function redactedHeader([name, value]: Header, token: string, authorization: string): Header {
  const whole = redacted(value, token);
  if (token === '' || name.toLowerCase() !== authorization.toLowerCase()) return [name, whole];
  const variable = `$${tokenVariable}`;
  const words = whole.split(variable).map((text) => withoutParts(text, token));
  return [name, words.join(variable)];
}

/** Keys that were cut off, changed in a character, in other letter case, or encoded are nearly as good as the key. */
function withoutParts(text: string, token: string): string {
  const words = text.split(' ').map((word) => (decodes(word, token) ? hidden : word));
  const known = token.toLowerCase();
  let rest = words.join(' ');
  let shown = '';
  while (rest !== '') {
    const length = overlap(rest.toLowerCase(), known);
    shown += length >= Math.min(part, known.length) ? hidden : rest.slice(0, 1);
    rest = rest.slice(length >= Math.min(part, known.length) ? length : 1);
  }
  return shown;
}

/** How many characters from the start of the text stand in the key, in a row. */
function overlap(text: string, known: string): number {
  let length = 0;
  while (length < text.length && known.includes(text.slice(0, length + 1))) length += 1;
  return length;
}

function decodes(word: string, token: string): boolean {
  return Buffer.from(word, 'base64').toString().includes(token);
}
