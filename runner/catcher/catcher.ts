import type { CatchScript } from '../../suites/exchange.ts';
import type { Authority } from './authority.ts';
import { EndpointCatcher } from './endpointCatcher.ts';
import type { Endpoint } from './endpoint.ts';

export interface CatcherOptions {
  /** What the catcher itself speaks where it listens, and thereby which URLs the endpoints have without `address`. */
  readonly protocol: 'http' | 'https';
  /** Default: 127.0.0.1 and a port that the system chooses (0). */
  readonly listen?: { readonly host: string; readonly port: number };
  /** Where the service reaches the catcher, such as a tunnel; endpoints are put below its path. Default: where it listens. */
  readonly address?: URL;
  /** The host in the endpoints' URLs, where the service knows this machine by another name. Without `address` only. */
  readonly name?: string;
  /** Makes the certificate; needed for https. */
  readonly authority?: Authority;
  /** What groups attempts: the notification's id that a body holds, or an empty string. What it throws counts as empty. */
  readonly keyOf: (body: Buffer) => string;
  /** Bytes of a request body that are kept. Default 1 MiB. What is more is counted, up to 16 MiB; then it is cut off. */
  readonly bodyLimit?: number;
  /** Attempts that one endpoint keeps; further ones are answered and counted. Default 10,000. */
  readonly attemptLimit?: number;
  /** Milliseconds of the run, on a monotonic clock. */
  readonly elapsed: () => number;
}

/** An endpoint on a port of its own where nothing listens yet. */
export interface RefusingEndpoint {
  readonly url: string;
  /**
   * Starts to listen; from then on it is like any endpoint. Doing it again gives the same.
   *
   * @throws the system's error where another program took the port meanwhile
   */
  open(): Promise<Endpoint>;
  close(): Promise<void>;
}

/** Plays any number of endpoints at once, and records what is sent to them. */
export interface Catcher {
  /** Of the endpoints' URLs. */
  readonly origin: string;
  /** @throws TypeError or RangeError where a step of the script cannot be played */
  endpoint(script: CatchScript): Endpoint;
  /** Whether connections can be refused: not where an `address` leads to another port than the one listened on. */
  readonly canRefuse: boolean;
  /**
   * An endpoint whose connections are refused until it is opened.
   *
   * @throws Error where the catcher cannot (see {@link canRefuse}), or no port is free
   */
  refusing(script: CatchScript): Promise<RefusingEndpoint>;
  /**
   * Forgets the oldest endpoints.
   *
   * @param keep - how many of the newest ones stay
   * @param spared - names of those that stay in any case
   * @returns the names of those that are forgotten
   */
  forgetOldest(keep: number, spared: ReadonlySet<string>): readonly string[];
  /** Requests that came to no endpoint. */
  readonly strays: number;
  /**
   * Connections that brought something other than HTTP, or a TLS handshake that failed: how many, by the error's code.
   * `CLOSED_WITHOUT_REQUEST`: closed while TLS was agreed upon, or then, with nothing sent. A client of Node that does
   * not trust the certificate leaves so; others say `ERR_SSL_TLSV1_ALERT_UNKNOWN_CA`.
   */
  readonly unreadable: ReadonlyMap<string, number>;
  /** Stops listening and closes every connection; what is going on there stays without an end. */
  close(): Promise<void>;
}

/**
 * Starts a catcher: the kit's ear, a server that plays webhook endpoints.
 *
 * @throws Error where https lacks its authority; the system's error where it cannot listen
 *
 * @example
 * const catcher = await createCatcher({ protocol: 'http', keyOf: () => '', elapsed: () => performance.now() });
 * const endpoint = catcher.endpoint([{ do: 'respond', status: 503 }, { do: 'respond', status: 200 }]);
 * endpoint.on((caught) => console.log(caught.number, caught.end));
 */
export async function createCatcher(options: CatcherOptions): Promise<Catcher> {
  const catcher = new EndpointCatcher(options);
  await catcher.listen();
  return catcher;
}
