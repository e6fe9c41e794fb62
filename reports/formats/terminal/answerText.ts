import { sizeText } from '../../../spec/units.ts';
import { unreached } from '../../../suites/unreached.ts';
import type { TargetKind } from '../../model/events.ts';
import {
  isCaught,
  type ReportedAnswer,
  type ReportedExchange,
  type ReportedHeader,
  type ReportedRequest,
} from '../../model/exchange.ts';
import { duration } from '../../text/amount.ts';
import { visible } from '../../text/visible.ts';

/** The accepted neighbour of a decisive exchange, and what to call it. */
export interface Neighbour {
  readonly request: ReportedRequest;
  /** With its article: `the accepted delivery`. */
  readonly name: string;
  /** What introduces one of its parts: `accepted`. At most nine characters. */
  readonly label: string;
  /** What the decisive one differs from, as the end of a sentence: `a delivery that was answered 200 after 3 ms`. */
  readonly whole: string;
  /** True where signatures and times are made anew for each, so that they differ without meaning anything. */
  readonly anew: boolean;
  /** True where the kit gives each an id of its own. */
  readonly ownId: boolean;
}

/** How reports speak of a twin. */
export function neighbourOf(twin: ReportedExchange, kind: TargetKind): Neighbour {
  const { request } = twin;
  const answer = exchangeAnswer(twin);
  if (isCaught(twin)) {
    const whole = `another delivery of the service (attempt ${twin.number}, answered ${answer})`;
    return { request, name: 'the other delivery', label: 'the other', whole, anew: true, ownId: false };
  }
  const delivery = kind === 'receiver';
  const noun = delivery ? 'delivery' : 'call';
  const whole = `a ${noun} that was answered ${answer}`;
  return { request, name: `the accepted ${noun}`, label: 'accepted', whole, anew: delivery, ownId: delivery };
}

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
      if (answer.status !== undefined)
        return `${answer.status}, and a body that is not whole (${visible(answer.code)}) after ${duration(answer.ms)}`;
      return `no answer: ${unreached(answer.code) ?? 'the connection broke'} (${visible(answer.code)}) after ${duration(answer.ms)}`;
    case 'timed-out':
      if (answer.status === undefined) return `no answer within ${duration(answer.ms)}`;
      return answer.cut === undefined
        ? `${answer.status}, and a body that did not end within ${duration(answer.ms)}`
        : `${answer.status}, and a body that had not ended after ${sizeText(answer.cut)}`;
  }
}

/** The same in fewer words, without times. */
export function briefAnswer(answer: ReportedAnswer): string {
  if (answer.kind === 'answered') return `answered ${answer.status}`;
  return `no answer (${answer.kind === 'broken' ? answer.code : 'time-out'})`;
}

const framing = /^(?:date|connection|keep-alive|content-length|transfer-encoding)$/i;

/** The headers of an answer without those that say only how it was carried. */
export function tellingHeaders(headers: readonly ReportedHeader[]): readonly ReportedHeader[] {
  return headers.filter(([name]) => !framing.test(name));
}
