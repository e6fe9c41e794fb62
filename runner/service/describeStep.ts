import type { Caught, CatchStep } from '../../suites/exchange.ts';

/** What an endpoint of the kit did with an attempt, in a few words. */
export function describeStep(step: CatchStep, end?: Caught['end']): string {
  const gone = end?.kind === 'abandoned' && step.do !== 'hang' ? ', but the sender had gone' : '';
  return `${plainly(step, end)}${gone}`;
}

function plainly(step: CatchStep, end: Caught['end']): string {
  switch (step.do) {
    case 'respond':
      return step.delay === undefined ? `${step.status}` : `${step.status} after ${step.delay} ms`;
    case 'hang':
      return end?.kind === 'abandoned' ? 'held without an answer until the sender gave up' : 'held without an answer';
    case 'reset':
      return { before: 'connection reset', during: 'reset within the head of an answer', after: 'reset within a body' }[
        step.when
      ];
    case 'close':
      return step.when === 'before'
        ? 'connection closed without an answer'
        : 'closed within the first line of an answer';
    case 'endless':
      return `${step.status} with a body that does not end`;
    case 'trickle':
      return `${step.status} with a body that comes byte by byte`;
    case 'slow-read':
      return `${step.status}, the request read slowly over ${step.ms} ms`;
  }
}
