import { decisiveOf } from '../../model/comparedRequest.ts';
import {
  type Counterexample,
  isCaught,
  type ReportedAttempt,
  type ReportedCaught,
  type ReportedExchange,
  type ReportedRequest,
} from '../../model/exchange.ts';
import type { Moment } from '../../model/processEvents.ts';
import type { RunSummary } from '../../model/runSummary.ts';
import { amount, duration, grouped } from '../../text/amount.ts';
import { type TimelineRow, timelineRows } from '../../text/failureText.ts';
import { visible } from '../../text/visible.ts';
import { briefAnswer } from './answerText.ts';
import { attemptLines } from './attempt.ts';
import { indent, labelled, type Page, textWidth, under, wrap } from './page.ts';

type Target = RunSummary['target'];

/** What went over the wire, the decisive exchange in full, beside the accepted neighbour that it was made from. */
export function exchangeLines(
  { exchange, timeline: moments }: Counterexample,
  target: Target,
  page: Page,
): readonly string[] {
  const { attempts, twin, effects = [] } = exchange;
  const decisive = decisiveOf(attempts, twin);
  return [
    ...(attempts.length > 1 && moments === undefined ? inOrder(attempts, target, page) : []),
    ...(decisive ? attemptLines(decisive, target.kind, page, twin, exchange) : []),
    ...effects.flatMap(({ id, expected, actual }) =>
      labelled('effects', `${grouped(actual)} counted, ${grouped(expected)} expected, of ${id}`, page.width),
    ),
  ];
}

function inOrder(exchanges: readonly ReportedExchange[], target: Target, page: Page): readonly string[] {
  const sent = exchanges.filter((exchange): exchange is ReportedAttempt => !isCaught(exchange));
  const plain = target.kind === 'receiver' && sent.length === exchanges.length;
  return plain ? sequence(sent, page) : timeline(exchanges, target.address, page);
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

function attemptText({ request, answer, from }: ReportedAttempt, earlier: readonly ReportedAttempt[]): string {
  const same = earlier.findIndex((other) => other.from === from && isSame(other.request, request));
  const what =
    same === -1
      ? `${request.method}${from === undefined ? '' : ` from ${from}`}, ${amount(request.body.bytes, 'byte')}`
      : `the same as ${same + 1}.`;
  return `${what}: ${briefAnswer(answer)}`;
}

function isSame(left: ReportedRequest, right: ReportedRequest): boolean {
  return (
    left.body.sha256 === right.body.sha256 &&
    JSON.stringify([left.method, left.headers, left.wire]) === JSON.stringify([right.method, right.headers, right.wire])
  );
}

/**
 * What went to and fro between the kit and a service, in the order of time: a line for each call, one for the
 * attempts that arrived at the same endpoint one after the other. Times count from the first exchange.
 *
 * @param base - the service's address, which calls need not repeat
 */
function timeline(exchanges: readonly ReportedExchange[], base: string, page: Page): readonly string[] {
  const start = exchanges.find(({ at }) => at !== undefined)?.at ?? 0;
  const endpoints = [...new Set(exchanges.filter(isCaught).map(({ request }) => request.url))];
  const entries = inGroups(exchanges).map((group) =>
    'request' in group ? callText(group, base, start) : deliveriesText(group, endpoints, start),
  );
  const width = page.width - 10;
  const lines = entries.map((entry, index) => numbered(index + 1, entry, width));
  const few = lines.length <= 12 ? lines : [...lines.slice(0, 6), [`(${lines.length - 11} more)`], ...lines.slice(-5)];
  const legend = endpoints.length > 1 ? endpoints.map((url, index) => `endpoint ${index + 1} is ${url}`) : [];
  return under('timeline', [...few.flat(), ...legend.flatMap((line) => wrap(line, width))]);
}

type Group = ReportedAttempt | readonly ReportedCaught[];

/** Attempts at one endpoint belong together while their numbers rise: then they may be those of one notification. */
function inGroups(exchanges: readonly ReportedExchange[]): readonly Group[] {
  return exchanges.reduce<(ReportedAttempt | ReportedCaught[])[]>((groups, exchange) => {
    const last = groups.at(-1);
    if (!isCaught(exchange)) groups.push(exchange);
    else if (Array.isArray(last) && follows(last.at(-1), exchange)) last.push(exchange);
    else groups.push([exchange]);
    return groups;
  }, []);
}

function follows(before: ReportedCaught | undefined, next: ReportedCaught): boolean {
  return before !== undefined && before.request.url === next.request.url && before.number < next.number;
}

function callText({ request, answer, at }: ReportedAttempt, base: string, start: number): string {
  const when = at === undefined ? '' : `at ${duration(at - start)} `;
  const { method, url } = request;
  const where = url.startsWith(`${base}/`) ? url.slice(base.length) : url;
  const size = request.body.bytes === 0 ? '' : `, ${amount(request.body.bytes, 'byte')}`;
  return `${when}${method} ${where}${size}: ${briefAnswer(answer)}`;
}

function deliveriesText(group: readonly ReportedCaught[], endpoints: readonly string[], start: number): string {
  const number = endpoints.indexOf(group[0]?.request.url ?? '') + 1;
  const where = endpoints.length > 1 ? ` to endpoint ${number}` : '';
  const attempts = group.map((caught, index) => caughtText(caught, group[index - 1], start));
  const more = attempts.length - 14;
  const few = more <= 2 ? attempts : [...attempts.slice(0, 8), `(${more} more)`, ...attempts.slice(-6)];
  return `delivery${where}: ${few.join('; ')}`;
}

function caughtText(caught: ReportedCaught, before: ReportedCaught | undefined, start: number): string {
  const when = before ? `after ${duration(caught.at - before.at)}` : `at ${duration(caught.at - start)}`;
  return `attempt ${caught.number} ${when}, ${answeredText(caught.answered)}`;
}

/** A bare status needs its verb; other words of the kit's endpoint say what it did by themselves. */
function answeredText(answered: string): string {
  return visible(/^\d/.test(answered) ? `answered ${answered}` : answered);
}

function numbered(number: number, text: string, width: number): readonly string[] {
  const label = `${number}. `;
  const [first = '', ...rest] = wrap(text, width - label.length);
  return [label + first, ...indent(rest, label.length)];
}

/** Columns of the times, and of what stands between them and the text. */
const timeColumn = 8;
const bar = ' │ ';

/** What was done and seen in a case, time at the left; a line is drawn where the target's process was changed. */
export function caseTimeline(moments: readonly Moment[], page: Page): readonly string[] {
  const width = page.width - 10 - timeColumn - bar.length;
  const lines = timelineRows(moments).flatMap((row) => rowLines(row, width, page));
  return moments.length === 0 ? [] : [...under('timeline', lines), ''];
}

function rowLines({ time, text, decisive }: TimelineRow, width: number, page: Page): readonly string[] {
  const shown = decisive ? `━━ ${text}` : text;
  const [first = '', ...rest] = wrap(shown, width - 2);
  const lines = [first, ...indent(rest, 2)];
  return lines.map((line, index) => {
    const room = width - textWidth(line) - 1;
    const rule = decisive && index === lines.length - 1 && room > 0 ? ` ${'━'.repeat(room)}` : '';
    const drawn = decisive ? page.paint(['bold', 'red'], `${line}${rule}`) : line;
    return `${(index === 0 ? time : '').padStart(timeColumn)}${bar}${drawn}`;
  });
}
