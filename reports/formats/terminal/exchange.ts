import { type ReportedAttempt, type ReportedExchange, isCaught, type Counterexample } from '../../model/exchange.ts';
import { grouped } from '../../text/amount.ts';
import { attemptLines } from './attempt.ts';
import type { Page } from './page.ts';
import { sequence } from './sequence.ts';
import { timeline } from './timeline.ts';
import { labelled } from './wrap.ts';
import type { RunSummary } from '../../model/runSummary.ts';

type Target = RunSummary['target'];

/** What went over the wire, the decisive exchange in full, beside the accepted neighbour that it was made from. */
export function exchangeLines(
  { exchange, timeline: moments }: Counterexample,
  target: Target,
  page: Page,
): readonly string[] {
  const { attempts, twin, difference, effects = [] } = exchange;
  const decisive = attempts.at(-1);
  return [
    ...(attempts.length > 1 && moments === undefined ? inOrder(attempts, target, page) : []),
    ...(decisive ? attemptLines(decisive, target.kind, page, twin, difference) : []),
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
