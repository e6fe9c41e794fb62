import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { closeServer } from '../../../runner/http/listen.ts';

/** A status, or what is done instead of answering. */
export type Step = number | 'hang' | 'reset' | 'cut-off';

export interface Heard {
  readonly path: string;
  readonly rawHeaders: readonly string[];
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** A receiver that follows a script: for each path a list of steps, the last of which holds for all that follows. */
export class Listener {
  readonly heard: Heard[] = [];
  readonly #scripts = new Map<string, readonly Step[]>();
  readonly #server = createServer((request, response) => void this.#take(request, response));

  static async open(): Promise<Listener> {
    const listener = new Listener();
    listener.#server.listen(0, '127.0.0.1');
    await once(listener.#server, 'listening');
    return listener;
  }

  /** The URL of a path with these steps. */
  url(path: string, ...steps: readonly Step[]): string {
    this.#scripts.set(path, steps);
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}${path}`;
  }

  at(path: string): Heard[] {
    return this.heard.filter((one) => one.path === path);
  }

  async close(): Promise<void> {
    await closeServer(this.#server);
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { url: path = '', rawHeaders, headers } = request;
    const body = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>));
    this.heard.push({ path, rawHeaders, headers, body });
    const steps = this.#scripts.get(path) ?? [404];
    const step = steps[Math.min(this.at(path).length, steps.length) - 1]!;
    if (step === 'reset') request.socket.resetAndDestroy();
    else if (step === 'cut-off') {
      response.writeHead(200, { 'Content-Length': '100' });
      response.write('half of it', () => request.socket.destroy());
    } else if (step !== 'hang') {
      response.writeHead(step, step >= 300 && step < 400 ? { Location: '/elsewhere' } : {}).end();
    }
  }
}
