import {
  type ReportedAnswer,
  type ReportedAttempt,
  type ReportedCaught,
  type ReportedExchange,
  isCaught,
  type ReportedRequest,
} from '../../model/exchange.ts';
import { answerText, type Neighbour, neighbourOf, tellingHeaders } from './answerText.ts';
import { visible, bodyText, spelledOut } from '../../text/visible.ts';
import { fitting, indent, labelled, type Page, textWidth, under, wrap } from './page.ts';
import type { TargetKind } from '../../model/events.ts';
import { bodiesWords, comparedRequest, hasSameIds } from '../../model/comparedRequest.ts';
import type { ComparedHeader, ComparedRequest, MeantDifference, DifferingPart } from '../../model/comparedRequest.ts';
import { amount } from '../../text/amount.ts';

/** One exchange in full: request line, headers, body, answer; beside a twin, what differs. */
export function attemptLines(
  exchange: ReportedExchange,
  kind: TargetKind,
  page: Page,
  twin?: ReportedExchange,
  meant: MeantDifference = {},
): readonly string[] {
  const neighbour = twin && neighbourOf(twin, kind);
  const comparable = twin && isCaught(twin) === isCaught(exchange) ? neighbour : undefined;
  const beside: Beside = {
    compared: comparedRequest(exchange.request, comparable, meant),
    ...(comparable && { twin: comparable }),
  };
  return [
    ...(neighbour ? differsLines(neighbour, exchange.request, meant.difference, page) : []),
    ...(isCaught(exchange)
      ? receivedLines(exchange, beside, page)
      : [...sentLines(exchange, beside, page), ...answerLines(exchange.answer, kind, page)]),
  ];
}

/** A request compared with its neighbour, where it has one. */
interface Beside {
  readonly compared: ComparedRequest;
  readonly twin?: Neighbour;
}

function differsLines(
  twin: Neighbour,
  request: ReportedRequest,
  what: string | undefined,
  page: Page,
): readonly string[] {
  const isNew = twin.ownId && !hasSameIds(request, twin.request);
  const aspect = what === undefined ? '' : `, only in this${isNew ? ' (and the id)' : ''}: ${what}`;
  return labelled('differs', `from ${twin.whole}${aspect}`, page.width);
}

function sentLines({ request, from }: ReportedAttempt, beside: Beside, page: Page): readonly string[] {
  const width = page.width - 10;
  const sent = [
    ...wrap(`${request.method} ${request.url}${from === undefined ? '' : ` from ${from}`}`, width),
    ...headerLines(beside, width),
    ...(request.wire ?? []).flatMap((step) => wrap(`- ${step}`, width)),
  ];
  return [...under('request', sent), ...bodyLines(request, beside, page)];
}

/** Of a receiver the status is the point, of a service all that it says. */
function answerLines(answer: ReportedAnswer, kind: TargetKind, page: Page): readonly string[] {
  const width = page.width - 10;
  const first = labelled('answer', answerText(answer), page.width);
  if (answer.kind !== 'answered') return first;
  const telling = kind === 'service' ? tellingHeaders(answer.headers) : [];
  const headers = telling.flatMap(([name, value]) => wrap(`${name}: ${value}`, width));
  const body = answer.body.trim() === '' ? [] : excerpt(answer.body, width, kind === 'service' ? 8 : 3);
  return [...first, ...indent([...headers, ...body], 10)];
}

function receivedLines(caught: ReportedCaught, beside: Beside, page: Page): readonly string[] {
  const { request, from, number, answered } = caught;
  const width = page.width - 10;
  const head = [...wrap(`${request.method} ${request.url}`, width), ...headerLines(beside, width)];
  return [
    ...labelled('delivery', `attempt ${number}, from ${visible(from)}, as the kit received it:`, page.width),
    ...under('', head),
    ...bodyLines(request, beside, page),
    ...labelled('answered', `${visible(answered)} (by the endpoint of the kit)`, page.width),
  ];
}

/** The headers of a request. Beside an accepted neighbour, those that differ are followed by what stood there. */
function headerLines({ compared, twin }: Beside, width: number): readonly string[] {
  return compared.headers.flatMap((header) => linesOf(header, twin).flatMap((line) => wrap(line, width)));
}

/** Characters of a header's value that are shown, if it is longer than any that services send. */
const longest = 500;

function shortened(value: string): string {
  return value.length <= longest ? value : `${value.slice(0, longest / 5)}... (${amount(value.length, 'character')})`;
}

function linesOf({ name, value: whole, mark, other }: ComparedHeader, twin: Neighbour | undefined): readonly string[] {
  const value = shortened(whole);
  switch (mark) {
    case 'same':
      return [`${name}: ${value}`];
    case 'differs':
      return [`${name}: ${value}`, `  (${twin?.label}: ${other})`];
    case 'added':
      return [`${name}: ${value}`, `  (not in ${twin?.name})`];
    case 'left-out':
      return [`(left out: ${name}: ${value})`];
  }
}

/** How large a body is, and its start; beside a neighbour, the place where the two differ. */
function bodyLines({ body }: ReportedRequest, { compared, twin }: Beside, page: Page): readonly string[] {
  const size = amount(body.bytes, 'byte') + (body.file === undefined ? '' : `, all of them in ${visible(body.file)}`);
  if (twin && compared.body) {
    const { accepted, found, marker } = marked(compared.body, page.width - 10);
    return [
      ...labelled('body', size, page.width),
      `${twin.label.padEnd(10)}${accepted}`,
      `this one  ${body.bytes === 0 ? '(no body)' : found}`,
      `          ${page.paint('red', marker)}`,
    ];
  }
  const same = twin && compared.bodies ? `, ${bodiesWords[compared.bodies]} ${twin.name}` : '';
  return [
    ...labelled('body', size + same, page.width),
    ...(body.bytes === 0 ? [] : indent(excerpt(bodyText(body), page.width - 10, 8), 10)),
  ];
}

/** The start of a text in at most so many lines; what was left out is said. */
export function excerpt(text: string, columns: number, lines: number): readonly string[] {
  const all = wrap(visible(text.slice(0, columns * lines)), columns);
  const cut = all.length > lines || text.length > columns * lines;
  return cut ? [...all.slice(0, lines - 1), `… (${amount(text.length, 'character')} in all)`] : all;
}

/** The surroundings of the one place where two texts differ, one under the other. */
interface Difference {
  readonly accepted: string;
  readonly found: string;
  /** Spaces, and `^` under what differs in `found`. */
  readonly marker: string;
}

/** @param columns - how wide each line may be */
function marked({ first, second }: DifferingPart, columns: number): Difference {
  const before = context(second.before, Math.floor(columns / 3));
  // A character that is composed looks as one that is not.
  const looksAlike = first.changed.normalize() === second.changed.normalize();
  const [one, other] = [first, second].map(({ changed }) => (looksAlike ? spelledOut(changed) : visible(changed)));
  const carets = '^'.repeat(Math.max(1, textWidth(other!)));
  return {
    accepted: shown(before, one!, first.after, columns),
    found: shown(before, other!, second.after, columns),
    marker: fitting(' '.repeat(textWidth(before)) + carets, columns),
  };
}

/** The end of what stands before the difference, the same for both texts. */
function context(before: string, columns: number): string {
  const text = visible(before);
  const kept = Array.from(text).reverse().join('');
  return textWidth(text) <= columns
    ? text
    : `…${Array.from(fitting(kept, columns - 1))
        .reverse()
        .join('')}`;
}

function shown(before: string, changed: string, after: string, columns: number): string {
  const start = after.slice(0, columns * 2);
  const text = before + changed + visible(start);
  const whole = start === after && textWidth(text) <= columns;
  return whole ? text : `${fitting(text, columns - 1)}…`;
}
