import type { CallFinished, DeliveryCaught, DeliveryFinished } from './events.ts';
import type { DeliveryEnd } from './wireEvents.ts';
import { WireEvents } from './wireEvents.ts';
import type { WireFigures } from './wireFigures.ts';
import { WireLatencies } from './wireLatencies.ts';
import { WireRetries } from './wireRetries.ts';

/** Adds up what went over the wire. What it holds is bounded, however much that was. */
export class WireTally {
  readonly #events = new WireEvents();
  readonly #latencies = new WireLatencies();
  readonly #byCheck = new Map<string, WireLatencies>();
  readonly #retries = new WireRetries();

  /** @param names - the events of the contract */
  know(names: readonly string[]): void {
    this.#events.know(names);
  }

  /** @param accepted - the statuses that end a delivery. Default: 200 to 299 */
  add(event: DeliveryFinished | DeliveryCaught | CallFinished, accepted?: readonly number[]): void {
    if (event.type !== 'delivery.caught' && event.answer.kind === 'answered') this.#took(event.check, event.answer.ms);
    if (event.type === 'call.finished') return;
    const status = event.type === 'delivery.caught' ? spokenStatus(event.answered) : event.answer.status;
    this.#events.add(event.event, event.check, endOf(status, accepted));
    if (event.type === 'delivery.caught') this.#retries.add(event);
  }

  figures(): WireFigures {
    return {
      events: this.#events.rows(),
      latencies: this.#latencies.figures(),
      latenciesByCheck: [...this.#byCheck].map(([check, latencies]) => ({ check, ...latencies.figures() })),
      retried: this.#retries.notifications(),
    };
  }

  #took(check: string, ms: number): void {
    const ofCheck = this.#byCheck.get(check) ?? new WireLatencies();
    this.#byCheck.set(check, ofCheck);
    for (const latencies of [this.#latencies, ofCheck]) latencies.add(ms);
  }
}

/** The status in the words of an endpoint: `500`, `200 after 3s`; nothing where it gave none. */
function spokenStatus(answered: string): number | undefined {
  const [, status] = /^(\d{3})\b/.exec(answered) ?? [];
  return status === undefined ? undefined : Number(status);
}

function endOf(status: number | undefined, accepted: readonly number[] | undefined): DeliveryEnd {
  if (status === undefined) return 'unanswered';
  const good = accepted === undefined ? status >= 200 && status <= 299 : accepted.includes(status);
  return good ? 'accepted' : 'refused';
}
