import { type ReportedAnswer, type ReportedExchange, isCaught } from '../../model/exchange.ts';
import { visible } from '../../text/visible.ts';
import { duration } from '../../text/amount.ts';
import { unreached } from '../../../suites/unreached.ts';

/** What came back, in a few words; of a request that the kit caught, what its endpoint did. */
export function exchangeAnswer(exchange: ReportedExchange): string {
  return isCaught(exchange) ? visible(exchange.answered) : answerText(exchange.answer);
}

/** What came back, in a few words. */
export function answerText(answer: ReportedAnswer): string {
  switch (answer.kind) {
    case 'answered':
      return `${answer.status} after ${duration(answer.ms)}`;
    case 'broken':
      return `no answer: ${unreached(answer.code) ?? 'the connection broke'} (${visible(answer.code)}) after ${duration(answer.ms)}`;
    case 'timed-out':
      return answer.status === undefined
        ? `no answer within ${duration(answer.ms)}`
        : `${answer.status}, and a body that did not end within ${duration(answer.ms)}`;
  }
}

/** The same in fewer words, without times. */
export function briefAnswer(answer: ReportedAnswer): string {
  if (answer.kind === 'answered') return `answered ${answer.status}`;
  return `no answer (${answer.kind === 'broken' ? answer.code : 'time-out'})`;
}
