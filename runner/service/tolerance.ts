import { parseDuration } from '../../spec/duration.ts';
import type { Exchange } from '../../suites/exchange.ts';
import type { RunState } from './run.ts';
import { deliveryTimeout } from './settlingTime.ts';

/**
 * Notes how long the service was seen to wait for an answer, at least. One that comes slowly may be waited for longer.
 *
 * @param late - milliseconds that the kit was late meanwhile: so much later it may have noticed the end
 */
export function noteWait(context: RunState, exchanges: readonly Exchange[], late: number): void {
  for (const exchange of exchanges) {
    if (exchange.kind !== 'caught' || exchange.step.do !== 'hang' || exchange.end?.kind !== 'abandoned') continue;
    context.longestWait = Math.max(context.longestWait, exchange.end.at - exchange.at - late);
  }
}

/** Milliseconds of lateness that bring nothing about: an answer that is so late is still in time. */
export function toleratedLateness(context: RunState): number {
  const learned = context.learned.get('delivery.timeout');
  const seen = learned === undefined ? context.longestWait : parseDuration(learned);
  return (deliveryTimeout(context) ?? seen) / 2;
}
