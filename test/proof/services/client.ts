import type { ServiceUnderTest } from './start.ts';

export interface Resource {
  readonly id: string;
  readonly type: string;
  readonly attributes: { readonly [name: string]: unknown };
}

export interface Answer {
  readonly status: number;
  readonly mediaType: string | undefined;
  readonly text: string;
}

/** What a test asks of a service; reads bare lists and those in `data`. */
export class Client {
  readonly service: ServiceUnderTest;

  constructor(service: ServiceUnderTest) {
    this.service = service;
  }

  async call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    const isRaw = typeof body === 'string' || body instanceof Uint8Array;
    const answer = await fetch(this.service.url + path, {
      method,
      headers: {
        authorization: `Token ${this.service.token}`,
        'content-type': path === '/webhooks/trigger' ? 'application/json' : 'application/vnd.api+json',
        ...headers,
      },
      ...(body === undefined ? {} : { body: isRaw ? (body as string) : JSON.stringify(body) }),
    });
    const mediaType = answer.headers.get('content-type')?.split(';')[0];
    return { status: answer.status, mediaType, text: await answer.text() };
  }

  async create(attributes: object): Promise<Resource & { readonly attributes: { readonly secret: string } }> {
    const answer = await this.call('POST', '/webhooks', webhookBody(attributes));
    if (answer.status !== 201) throw new Error(`${answer.status} ${answer.text}`);
    return JSON.parse(answer.text).data;
  }

  update(id: string, attributes: object): Promise<Answer> {
    return this.call('PATCH', `/webhooks/${id}`, { data: { id, type: 'webhook', attributes } });
  }

  async list(path: string): Promise<readonly Resource[]> {
    const { text } = await this.call('GET', `${path}?page[size]=100`);
    const value = JSON.parse(text) as readonly Resource[] | { readonly data: readonly Resource[] };
    return 'data' in value ? value.data : value;
  }

  async emit(event: string): Promise<void> {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(this.service.emit, { method: 'POST', headers, body: JSON.stringify({ event }) });
    if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
  }

  /** Asks until it holds. */
  async until<T>(ask: () => T | undefined | Promise<T | undefined>): Promise<T> {
    const end = performance.now() + 10_000;
    for (;;) {
      const value = await ask();
      if (value !== undefined) return value;
      if (performance.now() > end) throw new Error('it did not come within 10 s');
      await new Promise(setImmediate);
    }
  }

  /** The notification's status once it is no longer pending. */
  outcome(id: string): Promise<unknown> {
    return this.until(async () => {
      const listed = (await this.list('/webhook_notifications')).find((one) => one.id === id);
      const status = listed?.attributes['delivery_status'];
      return status === 'pending' ? undefined : status;
    });
  }
}

export function webhookBody(attributes: object): {
  readonly data: { readonly type: string; readonly attributes: object };
} {
  return { data: { type: 'webhook', attributes } };
}
