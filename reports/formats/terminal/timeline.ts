import type { ReportedAttempt, ReportedCaught, ReportedExchange } from '../../model/exchange.ts';
import { isCaught } from '../../model/exchange.ts';
import { visible } from '../../text/visible.ts';
import { amount, duration } from '../../text/amount.ts';
import { briefAnswer } from './answerText.ts';
import type { Page } from './page.ts';
import { under } from './under.ts';
import { indent, wrap } from './wrap.ts';

/**
 * What went to and fro between the kit and a service, in the order of time: a line for each call, one for the
 * attempts that arrived at the same endpoint one after the other. Times count from the first exchange.
 *
 * @param base - the service's address, which calls need not repeat
 */
export function timeline(exchanges: readonly ReportedExchange[], base: string, page: Page): readonly string[] {
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
  const attempts = group.map((caught, index) => attemptText(caught, group[index - 1], start));
  const more = attempts.length - 14;
  const few = more <= 2 ? attempts : [...attempts.slice(0, 8), `(${more} more)`, ...attempts.slice(-6)];
  return `delivery${where}: ${few.join('; ')}`;
}

function attemptText(caught: ReportedCaught, before: ReportedCaught | undefined, start: number): string {
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
