import {
  type ReportedAttempt,
  type ReportedExchange,
  isCaught,
  type Counterexample,
  type ReportedRequest,
} from '../../model/exchange.ts';
import { grouped, amount } from '../../text/amount.ts';
import { attemptLines } from './attempt.ts';
import type { Page } from './page.ts';
import { timeline } from './timeline.ts';
import { labelled, wrap } from './wrap.ts';
import type { RunSummary } from '../../model/runSummary.ts';
import { briefAnswer } from './answerText.ts';
import { under } from './under.ts';

type Target = RunSummary['target'];

/** What went over the wire, the decisive exchange in full, beside the accepted neighbour that it was made from. */
export function exchangeLines(
  { exchange, timeline: moments }: Counterexample,
  target: Target,
  page: Page,
): readonly string[] {
  const { attempts, twin, effects = [] } = exchange;
  const decisive = attempts.at(-1);
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
