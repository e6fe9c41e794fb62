import type { Header, Delivery } from '../../suites/delivery.ts';
import type { Lateness } from '../engine/lateness.ts';
import type { Access } from './access.ts';
import type { ConnectionTurns } from './connectionHabits.ts';
import type { Pace } from './pace.ts';

/** How deliveries reach a target. */
export interface DelivererOptions extends Access {
  /** Where deliveries go, http or https, with path and query. */
  readonly url: URL;
  /** Milliseconds from the start of a delivery to the end of its answer. */
  readonly timeout: number;
  /** By `performance.now`: time-outs are extended by it. Default: the kit is never late. */
  readonly lateness?: Lateness | undefined;
  /** Deliveries in flight at most. */
  readonly concurrency: number | Pace;
  /** Deliveries begun per second at most. Default: no limit. */
  readonly rate?: number | undefined;
  /** Custom headers, added to each delivery; a delivery's own header of the same name wins. */
  readonly headers: readonly Header[];
  /** Bytes of an answer's body that are read at most. Default: 16 MiB. */
  readonly maxAnswer?: number | undefined;
  /** Shared with whatever else connects to the target. Default: nothing else does. */
  readonly turns?: ConnectionTurns | undefined;
  /** The address of this machine that deliveries are sent from. Default: the system chooses. */
  readonly localAddress?: string | undefined;
}

/** Adds custom headers to deliveries; a delivery's own header of the same name wins. */
export function customHeaders(headers: readonly Header[]): (delivery: Delivery) => Delivery {
  if (headers.length === 0) return (delivery) => delivery;
  const named = headers.map((header) => [header[0].toLowerCase(), header] as const);
  return (delivery) => {
    const own = new Set(delivery.headers.map(([name]) => name.toLowerCase()));
    const added = named.filter(([name]) => !own.has(name)).map(([, header]) => header);
    return added.length === 0 ? delivery : { ...delivery, headers: [...delivery.headers, ...added] };
  };
}
