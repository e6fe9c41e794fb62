import {
  type ReportedAnswer,
  type ReportedAttempt,
  type ReportedCaught,
  type ReportedExchange,
  isCaught,
} from '../../model/exchange.ts';
import { tellingHeaders } from '../../text/tellingHeaders.ts';
import { visible } from '../../text/visible.ts';
import { answerText } from './answerText.ts';
import { bodyLines, excerpt } from './bodyLines.ts';
import { headerLines } from './headerLines.ts';
import { type Neighbour, neighbourOf } from './neighbour.ts';
import type { Page } from './page.ts';
import { under } from './under.ts';
import { indent, labelled, wrap } from './wrap.ts';
import type { TargetKind } from '../../model/events.ts';

/** One exchange in full: request line, headers, body, answer; beside a twin, what differs. */
export function attemptLines(
  exchange: ReportedExchange,
  kind: TargetKind,
  page: Page,
  twin?: ReportedExchange,
  what?: string,
): readonly string[] {
  const neighbour = twin && neighbourOf(twin, kind);
  const comparable = twin && isCaught(twin) === isCaught(exchange) ? neighbour : undefined;
  return [
    ...(neighbour ? differsLines(neighbour, what, page) : []),
    ...(isCaught(exchange)
      ? receivedLines(exchange, comparable, page)
      : [...sentLines(exchange, comparable, page), ...answerLines(exchange.answer, kind, page)]),
  ];
}

function differsLines(twin: Neighbour, what: string | undefined, page: Page): readonly string[] {
  const beside = twin.ownId ? ' beside the id' : '';
  const aspect = what === undefined ? '' : `, in one thing${beside}: ${what}`;
  return labelled('differs', `from ${twin.whole}${aspect}`, page.width);
}

function sentLines({ request, from }: ReportedAttempt, twin: Neighbour | undefined, page: Page): readonly string[] {
  const width = page.width - 10;
  const sent = [
    ...wrap(`${request.method} ${request.url}${from === undefined ? '' : ` from ${from}`}`, width),
    ...headerLines(request, twin, width),
    ...(request.wire ?? []).flatMap((step) => wrap(`- ${step}`, width)),
  ];
  return [...under('request', sent), ...bodyLines(request, twin, page)];
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

function receivedLines(caught: ReportedCaught, twin: Neighbour | undefined, page: Page): readonly string[] {
  const { request, from, number, answered } = caught;
  const width = page.width - 10;
  const head = [...wrap(`${request.method} ${request.url}`, width), ...headerLines(request, twin, width)];
  return [
    ...labelled('delivery', `attempt ${number}, from ${visible(from)}, as the kit received it:`, page.width),
    ...under('', head),
    ...bodyLines(request, twin, page),
    ...labelled('answered', `${visible(answered)} (by the endpoint of the kit)`, page.width),
  ];
}
