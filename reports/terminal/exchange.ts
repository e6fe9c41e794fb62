import type { Counterexample, ReportedAnswer, ReportedAttempt, ReportedBody, ReportedRequest } from '../events.ts';
import { visible } from '../visible.ts';
import { amount, duration, grouped } from './amount.ts';
import { difference } from './difference.ts';
import { headerLines } from './headerLines.ts';
import type { Page } from './page.ts';
import { indent, labelled, wrap } from './wrap.ts';

/** What was sent and what came back, the decisive attempt in full, beside the accepted neighbour that it was made from. */
export function exchangeLines({ exchange }: Counterexample, page: Page): readonly string[] {
  const { attempts, twin, difference: what, effects = [] } = exchange;
  const decisive = attempts.at(-1);
  return [
    ...(attempts.length > 1 ? sequence(attempts, page) : []),
    ...(decisive ? attemptLines(decisive, twin, what, page) : []),
    ...effects.flatMap(({ id, expected, actual }) =>
      labelled('effects', `${grouped(actual)} counted, ${grouped(expected)} expected, of ${id}`, page.width),
    ),
  ];
}

/** One attempt in full: request line, headers, body, answer. */
export function attemptLines(
  { request, answer }: ReportedAttempt,
  twin: ReportedAttempt | undefined,
  what: string | undefined,
  page: Page,
): readonly string[] {
  const width = page.width - 10;
  const aspect = what === undefined ? '' : `, in one thing beside the id: ${what}`;
  const sent = [
    ...wrap(`${request.method} ${request.url}`, width),
    ...headerLines(request, twin?.request, width),
    ...(request.wire ?? []).flatMap((step) => wrap(`- ${step}`, width)),
  ];
  return [
    ...(twin
      ? labelled('differs', `from a delivery that was answered ${answerText(twin.answer)}${aspect}`, page.width)
      : []),
    ...under('request', sent),
    ...bodyLines(request, twin?.request, page),
    ...answerLines(answer, page),
  ];
}

/** What came back, in a few words. */
export function answerText(answer: ReportedAnswer): string {
  switch (answer.kind) {
    case 'answered':
      return `${answer.status} after ${duration(answer.ms)}`;
    case 'broken':
      return `none: the connection broke (${visible(answer.code)}) after ${duration(answer.ms)}`;
    case 'timed-out':
      return `none within ${duration(answer.ms)}`;
  }
}

function under(label: string, lines: readonly string[]): readonly string[] {
  return lines.map((line, index) => (index === 0 ? label : '').padEnd(10) + line);
}

function answerLines(answer: ReportedAnswer, page: Page): readonly string[] {
  const first = labelled('answer', answerText(answer), page.width);
  if (answer.kind !== 'answered' || answer.body.trim() === '') return first;
  return [...first, ...indent(excerpt(answer.body, page.width - 10, 3), 10)];
}

function bodyLines(request: ReportedRequest, twin: ReportedRequest | undefined, page: Page): readonly string[] {
  const { body } = request;
  const size = amount(body.bytes, 'byte') + (body.file === undefined ? '' : `, all of them in ${visible(body.file)}`);
  const compared = twin && difference(bodyText(twin.body), bodyText(body), page.width - 10);
  if (compared) {
    return [
      ...labelled('body', size, page.width),
      `accepted  ${compared.accepted}`,
      `this one  ${compared.found}`,
      `          ${page.paint('red', compared.marker)}`,
    ];
  }
  const same = twin && twin.body.sha256 === body.sha256 ? ', the same as in the accepted delivery' : '';
  return [
    ...labelled('body', size + same, page.width),
    ...(body.bytes === 0 ? [] : indent(excerpt(bodyText(body), page.width - 10, 8), 10)),
  ];
}

/** The start of a text in at most so many lines; what was left out is said. */
function excerpt(text: string, columns: number, lines: number): readonly string[] {
  const all = wrap(visible(text.slice(0, columns * lines)), columns);
  const cut = all.length > lines || text.length > columns * lines;
  return cut ? [...all.slice(0, lines - 1), `… (${amount(text.length, 'character')} in all)`] : all;
}

/** Text as it is; of other bytes those outside printable ASCII as `<xFF>`. */
function bodyText({ text, base64 = '' }: ReportedBody): string {
  if (text !== undefined) return text;
  return Array.from(Buffer.from(base64, 'base64'), (byte) =>
    byte >= 0x20 && byte <= 0x7e ? String.fromCharCode(byte) : `<x${byte.toString(16).toUpperCase().padStart(2, '0')}>`,
  ).join('');
}

/** All attempts in order, one line each; equal ones in a row share theirs. */
function sequence(attempts: readonly ReportedAttempt[], page: Page): readonly string[] {
  const texts = attempts.map((attempt, index) => attemptText(attempt, attempts.slice(0, index)));
  const runs = texts.reduce<{ text: string; from: number; to: number }[]>((found, text, index) => {
    const last = found.at(-1);
    if (last?.text === text) last.to = index + 1;
    else found.push({ text, from: index + 1, to: index + 1 });
    return found;
  }, []);
  const lines = runs.map(({ text, from, to }) =>
    wrap(`${from === to ? '' : `${from}. to `}${to}. ${text}`, page.width - 10),
  );
  const few = lines.length <= 8 ? lines : [...lines.slice(0, 4), [`(${lines.length - 7} more)`], ...lines.slice(-3)];
  return under('sent', few.flat());
}

function attemptText({ request, answer }: ReportedAttempt, earlier: readonly ReportedAttempt[]): string {
  const same = earlier.findIndex(({ request: other }) => isSame(other, request));
  const what = same === -1 ? `${request.method}, ${amount(request.body.bytes, 'byte')}` : `the same as ${same + 1}.`;
  const came =
    answer.kind === 'answered'
      ? `answered ${answer.status}`
      : `no answer (${answer.kind === 'broken' ? answer.code : 'time-out'})`;
  return `${what}: ${came}`;
}

function isSame(left: ReportedRequest, right: ReportedRequest): boolean {
  return (
    left.body.sha256 === right.body.sha256 &&
    JSON.stringify([left.method, left.headers, left.wire]) === JSON.stringify([right.method, right.headers, right.wire])
  );
}
