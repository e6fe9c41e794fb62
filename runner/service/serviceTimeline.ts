import type { Moment } from '../../reports/model/events.ts';
import type { ServiceFinding } from '../../suites/check.ts';
import { describeAnswer } from '../../suites/answer.ts';
import type { Call, Caught, CatchStep } from '../../suites/exchange.ts';
import type { CatchingEndpoint } from '../../suites/serviceKit.ts';
import { Timeline } from '../engine/timeline.ts';

/** What happened in a case in which the service was under process control, as far as a report needs it. */
export class ServiceTimeline {
  readonly #timeline: Timeline;

  /** @param elapsed - milliseconds of the run */
  constructor(elapsed: () => number) {
    this.#timeline = new Timeline(elapsed);
  }

  /** @param at - milliseconds of the run. Default: now */
  add(moment: Parameters<Timeline['add']>[0]): void {
    this.#timeline.add(moment);
  }

  /** All that was added, the calls that a finding speaks of, and every delivery to its endpoints. To be asked once. */
  of({ exchanges, twin }: ServiceFinding, endpoints: readonly CatchingEndpoint[]): readonly Moment[] {
    const spokenOf = twin ? [...exchanges, twin] : exchanges;
    const names = new Set(spokenOf.flatMap((each) => (each.kind === 'caught' ? [each.endpoint] : [])));
    const shown = endpoints.filter(({ caught }) => caught.some(({ endpoint }) => names.has(endpoint)));
    for (const [place, { caught }] of shown.entries()) {
      const where = shown.length > 1 ? ` to endpoint ${place + 1}` : '';
      for (const each of caught) this.#addCaught(each, where);
    }
    for (const each of exchanges) if (each.kind === 'call') this.#addCall(each);
    return this.#timeline.moments;
  }

  #addCall({ at, request: { method, path }, answer }: Call): void {
    this.add({ at, what: 'note', detail: `${method} ${path}: ${describeAnswer(answer)}` });
  }

  #addCaught({ at, key, number, step, end }: Caught, where: string): void {
    const of = key === '' ? {} : { id: key };
    this.add({ at, what: 'sent', ...of, detail: `attempt ${number}${where}` });
    if (end === undefined) return;
    const what = end.kind === 'answered' ? 'answered' : 'broken';
    this.add({ at: end.at, what, ...of, detail: describeStep(step, end) });
  }
}

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
