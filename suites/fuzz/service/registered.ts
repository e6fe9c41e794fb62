import type { Call, Caught } from '../../exchange.ts';
import type { CatchingEndpoint, Webhook } from '../../serviceKit.ts';
import type { CustomHeader, Slot } from './steps.ts';
import { itemOf, lastOf } from '../../items.ts';

/** A webhook as it was set, from a call on. */
export interface State {
  /** Milliseconds of the run: when the call was sent, and when its answer was there. It took effect in between. */
  readonly from: number;
  readonly to: number;
  /** Whether it may have taken effect or not: the call failed. */
  readonly unclear: boolean;
  readonly active: boolean;
  /** Nothing where the list was left to the service. */
  readonly events: readonly string[] | null;
  readonly headers: readonly CustomHeader[];
  readonly place: CatchingEndpoint;
  /** Whether it was deleted. */
  readonly gone: boolean;
}

/** A webhook of a sequence, with all that it was set to. */
export class Registered {
  readonly slot: Slot;
  readonly webhook: Webhook;
  readonly states: [State, ...State[]];

  constructor(slot: Slot, webhook: Webhook, state: State) {
    this.slot = slot;
    this.webhook = webhook;
    this.states = [state];
  }

  get now(): State {
    return lastOf(this.states);
  }

  /** The places that it ever had. */
  get places(): ReadonlySet<CatchingEndpoint> {
    return new Set(this.states.map(({ place }) => place));
  }

  /** All that it may have been at some moment between the two, in milliseconds of the run. */
  between(from: number, to: number): readonly State[] {
    return this.states.filter((state, index) => {
      const over = this.states.slice(index + 1).some((next) => !next.unclear && next.to <= from);
      return state.from <= to && !over;
    });
  }

  /** Whether it took events of this name, without doubt, during that time. */
  tookCertainly(event: string, from: number, to: number): boolean {
    const states = this.between(from, to);
    const first = this.states[0];
    return first.to <= from && states.every((state) => takes(state, event) && state.events !== null);
  }

  /** Whether it may have taken events of this name during that time. */
  tookPerhaps(event: string, from: number, to: number): boolean {
    return this.between(from, to).some((state) => takes(state, event));
  }
}

function takes({ active, gone, events }: State, event: string): boolean {
  return active && !gone && (events === null || events.includes(event));
}

/** A notification as one webhook of a sequence saw it. */
export interface WebhookDelivery {
  readonly owner: Registered;
  readonly id: string;
  readonly event: string;
  /** In the order of time, at whichever place they came. */
  readonly attempts: readonly [Caught, ...Caught[]];
}

/** Something that was made to happen: at some moment between the two. */
export interface Raised {
  readonly event: string;
  readonly from: number;
  readonly to: number;
}

/** A sample that was asked for. */
export interface Sampled {
  readonly event: string;
  readonly secret: string | null;
  readonly place: CatchingEndpoint;
  /** Milliseconds of the run at which it was asked for. */
  readonly at: number;
  readonly call: Call;
}

/** Milliseconds of the longest pause between two attempts of one of these notifications. Default: none. */
export function longestPause(deliveries: readonly WebhookDelivery[]): number {
  const pauses = deliveries.flatMap(({ attempts }) =>
    attempts.slice(1).map(({ at }, index) => at - (itemOf(attempts, index).end?.at ?? at)),
  );
  return Math.max(0, ...pauses);
}
