import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

import { freePort } from '../../../runner/catcher/freePort.ts';
import { type Change, deliveries, type Delivery } from './deliveries.ts';
import { libraries, type LibraryName } from './index.ts';

/** Plain requests to the server of a library: nothing here asks the kit how a delivery looks, or what is right. */
export class Hand {
  readonly #name: LibraryName;
  readonly #port: number;
  #server: ChildProcess | undefined;

  private constructor(name: LibraryName, port: number) {
    this.#name = name;
    this.#port = port;
  }

  /** Starts the server; it listens when this resolves. */
  static async start(name: LibraryName): Promise<Hand> {
    const hand = new Hand(name, await freePort('127.0.0.1', new Set()));
    await hand.start();
    return hand;
  }

  async start(): Promise<void> {
    const { server, secret } = libraries[this.#name];
    const env = { ...process.env, SECRET: secret };
    const child = spawn(process.execPath, [server, String(this.#port)], { env, stdio: ['ignore', 'pipe', 'ignore'] });
    this.#server = child;
    await once(child.stdout, 'data');
  }

  async kill(): Promise<void> {
    const child = this.#server;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }

  /** Whether the process ends by itself when this is done. */
  async ends(act: () => Promise<unknown>): Promise<boolean> {
    const exit = once(this.#server!, 'exit', { signal: AbortSignal.timeout(10_000) });
    await act();
    return exit.then(
      () => true,
      () => false,
    );
  }

  /** A delivery, signed. */
  delivery(change: Change = {}): Delivery {
    return deliveries[this.#name](libraries[this.#name].secret, change);
  }

  /** The status of the answer; nothing where the connection ended without one. */
  async send({ body, headers }: Delivery, mediaType = 'application/json'): Promise<number | undefined> {
    const request = { method: 'POST', body, headers: { 'Content-Type': mediaType, ...headers } };
    return fetch(this.#at('/hook'), { ...request, signal: AbortSignal.timeout(10_000) }).then(
      ({ status }) => status,
      () => undefined,
    );
  }

  async accepts(delivery: Delivery): Promise<boolean> {
    const status = (await this.send(delivery)) ?? 0;
    return status >= 200 && status < 300;
  }

  /** How often an id took effect. */
  async count(id: string): Promise<number> {
    const answer = await fetch(this.#at(`/count/${encodeURIComponent(id)}`));
    return ((await answer.json()) as { readonly count: number }).count;
  }

  #at(path: string): string {
    return `http://127.0.0.1:${this.#port}${path}`;
  }
}
