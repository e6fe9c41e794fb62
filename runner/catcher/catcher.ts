import { isIPv6 } from 'node:net';

import type { Header } from '../../suites/delivery.ts';
import type { CatchScript, CertificateFlaw } from '../../suites/exchange.ts';
import { type Authority, issueUntrusted } from './authority.ts';
import {
  type CatchingPlace,
  type EarlierEndpoint,
  type Endpoint,
  type EndpointElsewhere,
  type RefusingEndpoint,
  ScriptedEndpoint,
} from './endpoint.ts';
import { CatchServer, type CatchServerOptions, type Credentials } from './catchServer.ts';
import { freePort } from './freePort.ts';
import { RequestRouter, type RouterOptions } from './requestRouter.ts';
import { Room } from './readBody.ts';

export interface CatcherOptions extends Pick<RouterOptions, 'answerBeside'> {
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
  /** What groups attempts: the notification's id that a delivery carries, or an empty string. What it throws counts as empty. */
  readonly keyOf: (body: Buffer, headers: readonly Header[]) => string;
  /** Bytes of a request body that are kept. Default 1 MiB. What is more is counted, up to 16 MiB; then it is cut off. */
  readonly bodyLimit?: number;
  /** Attempts that one endpoint keeps; further ones are answered and counted. Default 10,000. */
  readonly attemptLimit?: number;
  /** Bytes that all endpoints keep together; further attempts are answered and counted. Default 64 MiB. */
  readonly keptLimit?: number;
  /** Milliseconds of the run, on a monotonic clock. */
  readonly elapsed: () => number;
  /** Takes everything that comes to no endpoint, and keeps what it likes. Default: that is refused as a stray. */
  readonly otherwise?: CatchingPlace;
}

/** Plays any number of endpoints at once, and records what is sent to them. */
export interface Catcher {
  /** Of the endpoints' URLs. */
  readonly origin: string;
  /**
   * @param earlier - the endpoint of an earlier catcher that it goes on with, at the same path
   * @throws TypeError or RangeError where a step of the script cannot be played
   */
  endpoint(script: CatchScript, earlier?: EarlierEndpoint): Endpoint;
  /** Whether connections can be refused: not where an `address` leads to another port than the one listened on. */
  readonly canRefuse: boolean;
  /**
   * An endpoint whose connections are refused until it is opened.
   *
   * @throws Error where the catcher cannot (see {@link canRefuse}), or no port is free
   */
  refusing(script: CatchScript): Promise<RefusingEndpoint>;
  /**
   * An endpoint on a port of its own.
   *
   * @param flaw - it speaks https there, with a certificate that has this flaw alone. Default: as the catcher does
   * @returns nothing where the kit speaks plain http, so that no certificate of it is trusted, and the flaw is another
   * @throws Error where the catcher has one port only (see {@link canRefuse})
   */
  elsewhere(script: CatchScript, flaw?: CertificateFlaw): Promise<EndpointElsewhere | undefined>;
  /**
   * Forgets the oldest endpoints.
   *
   * @param keep - how many of the newest ones stay
   * @param spared - names of those that stay in any case
   * @returns the names of those that are forgotten
   */
  forgetOldest(keep: number, spared: ReadonlySet<string>): readonly string[];
  /** Whether its endpoints keep more than half of what they may keep together. */
  readonly isCrowded: boolean;
  /** How many attempts were broken off or not kept because they keep all of that. */
  readonly crowdedOut: number;
  /** Lets go of what an endpoint has caught so far. It goes on. */
  forget(name: string): void;
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
 * Starts a catcher: a server of the kit that plays webhook endpoints.
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

const defaults = {
  host: '127.0.0.1',
  port: 0,
  bodyLimit: 1024 * 1024,
  attemptLimit: 10_000,
  keptLimit: 64 * 1024 * 1024,
};

/** The addresses that mean every address of the machine, and the one at which it reaches itself. */
const loopbackOf: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/** The catcher that {@link createCatcher} makes. */
class EndpointCatcher implements Catcher {
  readonly #options: CatcherOptions;
  readonly #host: string;
  readonly #endpoints = new Map<string, ScriptedEndpoint>();
  readonly #router: RequestRouter;
  readonly #room: Room;
  readonly #servers = new Set<CatchServer>();
  readonly #refusingPorts = new Set<number>();
  #credentials: Credentials | undefined;
  #address = new URL('http://localhost');
  #port = 0;

  constructor(options: CatcherOptions) {
    const { bodyLimit = defaults.bodyLimit, keptLimit = defaults.keptLimit } = options;
    this.#options = options;
    this.#host = options.listen?.host ?? defaults.host;
    this.#room = new Room(keptLimit);
    const room = this.#room;
    this.#router = new RequestRouter({ ...options, endpoints: this.#endpoints, bodyLimit, room });
  }

  get origin(): string {
    return this.#address.origin;
  }

  get isCrowded(): boolean {
    return this.#room.isCrowded;
  }

  get crowdedOut(): number {
    return this.#room.refused;
  }

  forget(name: string): void {
    this.#endpoints.get(name)?.forget();
  }

  get strays(): number {
    return this.#router.strays;
  }

  get unreadable(): ReadonlyMap<string, number> {
    return this.#router.unreadable;
  }

  get canRefuse(): boolean {
    return this.#options.address === undefined || portOf(this.#address) === this.#port;
  }

  async listen(): Promise<void> {
    const { protocol, listen, address, name = bracketed(reachable(this.#host)) } = this.#options;
    this.#credentials = protocol === 'https' ? await this.#makeCredentials() : undefined;
    this.#port = await this.#newServer().listen(this.#host, listen?.port ?? defaults.port);
    this.#address = address ?? new URL(`${protocol}://${name}:${this.#port}`);
  }

  endpoint(script: CatchScript, earlier?: EarlierEndpoint): Endpoint {
    return this.#endpointAt(this.#address, script, earlier);
  }

  async refusing(script: CatchScript): Promise<RefusingEndpoint> {
    return this.#apart(script, this.#newServer({ alone: true }), this.#address.protocol);
  }

  async elsewhere(script: CatchScript, flaw?: CertificateFlaw): Promise<EndpointElsewhere | undefined> {
    const credentials = flaw === undefined ? this.#credentials : await this.#flawed(flaw);
    if (flaw !== undefined && credentials === undefined) return undefined;
    const server = this.#newServer({ credentials, alone: true });
    const apart = await this.#apart(script, server, flaw === undefined ? this.#address.protocol : 'https:');
    return {
      endpoint: await apart.open(),
      get connections() {
        return server.connected;
      },
      close: () => apart.close(),
    };
  }

  /** An endpoint on a port of its own, where nothing listens yet. */
  async #apart(script: CatchScript, server: CatchServer, protocol: string): Promise<RefusingEndpoint> {
    if (!this.canRefuse) throw cannotRefuse(this.#address, this.#port);
    const port = await freePort(this.#host, this.#refusingPorts);
    this.#refusingPorts.add(port);
    const address = new URL(`${protocol}//${this.#address.host}${this.#address.pathname}`);
    address.port = String(port);
    const endpoint = this.#endpointAt(address, script);
    let listening: Promise<number> | undefined;
    return {
      url: endpoint.url,
      open: async () => {
        await (listening ??= server.listen(this.#host, port));
        return endpoint;
      },
      close: async () => {
        endpoint.close();
        await server.close();
        this.#servers.delete(server);
        this.#refusingPorts.delete(port);
      },
    };
  }

  forgetOldest(keep: number, spared: ReadonlySet<string>): readonly string[] {
    const old = [...this.#endpoints.values()].filter(({ name }) => !spared.has(name));
    const forgotten = old.slice(0, Math.max(0, old.length - keep));
    for (const endpoint of forgotten) endpoint.close();
    return forgotten.map(({ name }) => name);
  }

  async close(): Promise<void> {
    this.#router.stop();
    this.#endpoints.clear();
    await Promise.all([...this.#servers].map((server) => server.close()));
  }

  #newServer(options: CatchServerOptions = {}): CatchServer {
    const server = new CatchServer(this.#router, { credentials: this.#credentials, ...options });
    this.#servers.add(server);
    return server;
  }

  #endpointAt(address: URL, script: CatchScript, earlier?: EarlierEndpoint): ScriptedEndpoint {
    const endpoint = new ScriptedEndpoint({
      base: `${address.origin}${address.pathname.replace(/\/*$/, '/')}`,
      script,
      earlier,
      limit: this.#options.attemptLimit ?? defaults.attemptLimit,
      room: this.#room,
      onClose: ({ name }) => void this.#endpoints.delete(name),
    });
    this.#endpoints.set(endpoint.name, endpoint);
    return endpoint;
  }

  async #makeCredentials(): Promise<Credentials> {
    const { authority } = this.#options;
    if (authority === undefined) {
      throw new Error('a catcher that speaks https was given no authority; open one with openAuthority and pass it on');
    }
    return authority.certificateFor(this.#hosts);
  }

  async #flawed(flaw: CertificateFlaw): Promise<Credentials | undefined> {
    const { authority } = this.#options;
    if (flaw === 'untrusted') return issueUntrusted(this.#hosts);
    return flaw === 'expired'
      ? authority?.certificateFor(this.#hosts, -1)
      : authority?.certificateFor(['elsewhere.example']);
  }

  /** The names and addresses by which services reach the catcher. */
  get #hosts(): readonly string[] {
    const { address, name } = this.#options;
    const given = address?.hostname.replace(/^\[(.*)\]$/, '$1') ?? name;
    const own = given === undefined ? [] : [given];
    return [...new Set([reachable(this.#host), ...own, 'localhost', '127.0.0.1', '::1'])];
  }
}

function reachable(host: string): string {
  return loopbackOf[host] ?? host;
}

function bracketed(host: string): string {
  return isIPv6(host) ? `[${host}]` : host;
}

function portOf({ port, protocol }: URL): number {
  return port === '' ? ({ 'http:': 80, 'https:': 443 }[protocol] ?? 0) : Number(port);
}

function cannotRefuse({ origin }: URL, port: number): Error {
  return new Error(
    `connections cannot be refused: services reach the catcher at ${origin}, which leads to port ${port} here, and an ` +
      'endpoint that refuses needs a port of its own; let the catcher be reached at the port that it listens on',
  );
}
