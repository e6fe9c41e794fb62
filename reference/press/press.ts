import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import {
  conformingPress,
  isTarget,
  type PressPolicies,
  type Delivery,
  type Hook,
  type HookInput,
  topics,
} from './policies.ts';
import { PressSender } from './sender.ts';

/** How the print shop is started; all of it has a default. */
export interface PressOptions {
  readonly policies?: Partial<PressPolicies>;
  /** Default 127.0.0.1 */
  readonly host?: string;
  /** Default: any free one */
  readonly port?: number;
  /** Default: a random one */
  readonly key?: string;
  /** Milliseconds before each retry. Default: 1 s, 5 s, 30 s, 2 min, 10 min */
  readonly pauses?: readonly number[];
  /** Milliseconds that an answer is waited for. Default 5000 */
  readonly timeout?: number;
}

/** A print shop that listens. */
export interface RunningPress {
  /** The base address of its API. */
  readonly url: string;
  readonly key: string;
  /** Where `{ "event": "job.printed" }` makes that happen. */
  readonly emit: string;
  close(): Promise<void>;
}

interface Answer {
  readonly status: number;
  readonly body?: unknown;
}

/** What a route is given. */
interface Call {
  /** What stands in the place of `{hook}`. */
  readonly id: string;
  readonly query: URLSearchParams;
  readonly body: unknown;
}

const largestBody = 1024 * 1024;

/**
 * Starts the print shop of `contract.yaml`: hooks and deliveries in memory, nothing that outlives the process.
 *
 * @example const press = await startPress({ pauses: [10, 25] });
 */
export async function startPress(options: PressOptions = {}): Promise<RunningPress> {
  const { host = '127.0.0.1', port = 0 } = options;
  const press = new Press(options);
  const server = createServer((request, response) => void press.answer(request, response));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, () => {
      resolve();
    });
  });
  const origin = `http://${host}:${(server.address() as AddressInfo).port}`;
  return {
    url: `${origin}/api`,
    key: press.key,
    emit: `${origin}/raise`,
    close: async () => {
      press.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

class Press {
  readonly key: string;
  readonly #policies: PressPolicies;
  readonly #sender: PressSender;
  readonly #hooks = new Map<string, Hook & { readonly sequence: number }>();
  readonly #deliveries: Delivery[] = [];
  #sequence = 0;
  #jobs = 0;

  constructor({ policies, key, pauses = [1000, 5000, 30_000, 120_000, 600_000], timeout = 5000 }: PressOptions) {
    this.key = key ?? randomBytes(18).toString('base64url');
    this.#policies = { ...conformingPress, ...policies };
    const hookOf = (id: string) => this.#hooks.get(id);
    this.#sender = new PressSender({ policies: this.#policies, pauses, timeout, hookOf });
  }

  close(): void {
    this.#sender.close();
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const { status, body } = await this.#answerTo(request);
      const text = body === undefined ? '' : JSON.stringify(body);
      response.writeHead(status, body === undefined ? {} : { 'Content-Type': 'application/json' }).end(text);
    } catch (error) {
      if (!(error instanceof BrokenOff)) response.writeHead(500).end();
      request.destroy();
    }
  }

  async #answerTo(request: IncomingMessage): Promise<Answer> {
    const url = URL.parse(request.url ?? '', 'http://press');
    if (url === null) return refused('the path is none', 400);
    const text = await readBody(request);
    if (text === undefined) return refused('the body is too long', 413);
    if (url.pathname === '/raise') return this.#raise(text);
    const key = request.headers['x-press-key'];
    if (!this.#policies.isLetIn(typeof key === 'string' ? key : undefined, this.key))
      return refused('no such key', 401);
    const [, path, id = ''] = /^\/api(\/hooks|\/samples|\/deliveries)(?:\/([^/]+))?$/.exec(url.pathname) ?? [];
    const route = this.#routes[`${request.method} ${path}${id === '' ? '' : '/{hook}'}`];
    if (route === undefined) return refused('there is nothing', 404);
    if (text !== '' && !/^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? ''))
      return refused('application/json is taken', 415);
    const body = parsed(text);
    if (body === undefined && text !== '') return refused('the body is no JSON', 400);
    return route({ id, query: url.searchParams, body });
  }

  readonly #routes: Readonly<Record<string, (call: Call) => Answer>> = {
    'GET /hooks': ({ query }) => this.#page('hooks', [...this.#hooks.values()], query, (hook) => this.#shown(hook)),
    'POST /hooks': ({ body }) => {
      const problem = this.#policies.problem(body, false);
      if (problem !== undefined) return refused(problem, 422);
      const sequence = this.#next();
      const { newId, newSecret } = this.#policies;
      const hook = { id: newId('hook', sequence), secret: newSecret(), ...inputOf(body), sequence };
      this.#hooks.set(hook.id, hook);
      return { status: 200, body: { ...this.#shown(hook), signing: { secret: hook.secret } } };
    },
    'GET /hooks/{hook}': ({ id }) => this.#of(id, (hook) => ({ status: 200, body: this.#shown(hook) })),
    'PUT /hooks/{hook}': ({ id, body }) =>
      this.#of(id, (hook) => {
        const problem = this.#policies.problem(body, true);
        if (problem !== undefined) return refused(problem, 422);
        const replaced = { ...this.#policies.replaced(hook, inputOf(body)), sequence: hook.sequence };
        this.#hooks.set(id, replaced);
        return { status: 200, body: this.#shown(replaced) };
      }),
    'DELETE /hooks/{hook}': ({ id }) =>
      this.#of(id, () => {
        this.#hooks.delete(id);
        return { status: 204 };
      }),
    'POST /samples': ({ body }) => this.#sample(body),
    'GET /deliveries': ({ query }) =>
      this.#page('deliveries', this.#deliveries, query, (delivery) => {
        const { shownId, shownState } = this.#policies;
        const { id, hook, topic, tries } = delivery;
        return { id: shownId(id), hook: shownId(hook), topic, state: shownState(delivery), tries };
      }),
  };

  #of(id: string, answer: (hook: Hook & { readonly sequence: number }) => Answer): Answer {
    const hook = this.#hooks.get(id);
    return hook === undefined ? refused('there is no such hook', 404) : answer(hook);
  }

  #page<Row extends { readonly sequence: number }>(
    name: string,
    rows: readonly Row[],
    query: URLSearchParams,
    show: (row: Row) => unknown,
  ): Answer {
    const limit = query.get('limit') === null ? 20 : Number(query.get('limit'));
    const after = query.get('after') === null ? 0 : Number.parseInt(query.get('after') ?? '', 36);
    if (!Number.isInteger(limit) || limit < 1) return refused('limit is a number from 1 on', 422);
    if (!Number.isSafeInteger(after)) return refused('after is what next was', 422);
    const page = this.#policies.page(rows, after, Math.min(limit, 50));
    const last = page.at(-1)?.sequence;
    const isLast = last === undefined || !rows.some(({ sequence }) => sequence > last);
    return { status: 200, body: { [name]: page.map(show), next: isLast ? null : last.toString(36) } };
  }

  #sample(body: unknown): Answer {
    const { target, topic } = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>;
    if (!isTarget(target)) return refused('target is no http or https URL', 422);
    if (typeof topic !== 'string' || !topics.includes(topic)) return refused('there is no such topic', 422);
    for (let count = 0; count < this.#policies.samples; count += 1) {
      const headers = { 'Press-Topic': topic, 'webhook-id': this.#policies.newId('delivery', this.#next()) };
      void this.#sender.post(target, headers, this.#bodyOf());
    }
    return { status: 202 };
  }

  #raise(text: string): Answer {
    const { event } = (parsed(text) ?? {}) as { readonly event?: unknown };
    if (typeof event !== 'string' || !topics.includes(event)) return refused('there is no such event', 422);
    const body = this.#bodyOf();
    for (const hook of [...this.#hooks.values()].filter((each) => this.#policies.isTold(each, event))) {
      const sequence = this.#next();
      const own = { id: this.#policies.newId('delivery', sequence), hook: hook.id, topic: event, body };
      const delivery: Delivery = { sequence, ...own, state: 'queued', tries: 0 };
      this.#deliveries.push(delivery);
      void this.#sender.send(delivery);
    }
    return { status: 202 };
  }

  #bodyOf(): Buffer {
    this.#jobs += 1;
    const job = { number: this.#jobs, pages: 1 + (this.#jobs % 999) };
    return Buffer.from(JSON.stringify({ at: Math.floor(Date.now() / 1000), job }));
  }

  #shown({ id, target, topics: own, status }: Hook) {
    return { id: this.#policies.shownId(id), target, topics: own, status };
  }

  #next(): number {
    return (this.#sequence += 1);
  }
}

/** The caller went away before its body was whole. */
class BrokenOff extends Error {}

/** @returns nothing where it is too long */
async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const parts: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const part of request as AsyncIterable<Buffer>) {
      bytes += part.length;
      if (bytes <= largestBody) parts.push(part);
    }
  } catch (cause) {
    throw new BrokenOff('the caller went away', { cause });
  }
  return bytes > largestBody ? undefined : Buffer.concat(parts).toString();
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function inputOf(body: unknown): HookInput {
  const { target, topics: own, status = 'running' } = body as Partial<HookInput> & Omit<HookInput, 'status'>;
  return { target, topics: own, status };
}

function refused(why: string, status: number): Answer {
  return { status, body: { why } };
}
