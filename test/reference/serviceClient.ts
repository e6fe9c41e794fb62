import { type ValidateFunction, loadContract } from '../../spec/contract.ts';
import type { RunningService } from '../../reference/service/service.ts';

export const contract = loadContract();
export const catalogue = contract.events.map(({ name }) => name);

/** What the service answered. */
export interface Answered {
  readonly status: number;
  /** Without parameters. */
  readonly mediaType: string;
  readonly headers: Headers;
  readonly text: string;
  /** The body's value; undefined where it is no JSON. */
  readonly json: unknown;
}

/** A resource object, with the attributes that tests look at. */
export interface Item {
  readonly id: string;
  readonly type: string;
  readonly attributes: {
    readonly [name: string]: unknown;
    readonly url: string;
    readonly active: boolean;
    readonly events: readonly string[];
    readonly secret: string;
    readonly event: string;
    readonly delivery_status: string;
    readonly created_at: string;
    readonly status: string;
  };
}

export interface Calling {
  /** A value to send as JSON, or the bytes themselves. */
  readonly body?: unknown;
  readonly id?: string;
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Default: the right one. `null` leaves the header out. */
  readonly authorization?: string | null;
  /** Default: the first that the contract names. */
  readonly mediaType?: string;
}

/** Where a service is, as `startService` and the process say it. */
export type Api = Omit<RunningService, 'close'>;

/** The API of a service, seen from outside. Every answer is validated against the contract. */
export class ServiceClient {
  readonly service: Api;

  constructor(service: Api) {
    this.service = service;
  }

  async call(operationId: string, calling: Calling = {}): Promise<Answered> {
    const { method, path, request, responses } = contract.operations.find((each) => each.operationId === operationId)!;
    const { id = '', query = '', mediaType = Object.keys(request)[0] } = calling;
    const answered = await this.send(method, path.replace('{id}', id) + query, {
      ...calling,
      ...(mediaType === undefined ? {} : { mediaType }),
    });
    const content = responses[answered.status] ?? responses[`${String(answered.status)[0]}XX`];
    if (content === undefined) throw new Error(`${operationId} answered ${answered.status}: ${answered.text}`);
    if (Object.keys(content).length > 0 && answered.mediaType !== 'application/xml') {
      expectValid(content[answered.mediaType]?.validate, answered);
    }
    return answered;
  }

  async send(method: string, path: string, calling: Calling = {}): Promise<Answered> {
    const { body, headers = {}, authorization = `Token ${this.service.token}`, mediaType } = calling;
    const isText = typeof body === 'string' || body instanceof Uint8Array;
    const response = await fetch(path.startsWith('http') ? path : this.service.url + path, {
      method,
      headers: {
        ...(authorization === null ? {} : { authorization }),
        ...(body === undefined || mediaType === undefined ? {} : { 'content-type': mediaType }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: isText ? (body as string) : JSON.stringify(body) }),
    });
    const text = await response.text();
    const [type = ''] = (response.headers.get('content-type') ?? '').split(';');
    return { status: response.status, mediaType: type, headers: response.headers, text, json: jsonOf(text) };
  }

  /** Creates a webhook: active, for all events, unless another is given. Returns its resource object. */
  async webhook(url: string, attributes: object = {}): Promise<Item> {
    const body = creation({ url, active: true, ...attributes });
    const answered = await this.call('createWebhook', { body });
    if (answered.status !== 201) throw new Error(`createWebhook answered ${answered.status}: ${answered.text}`);
    return dataOf(answered) as Item;
  }

  /** Updates the named attributes of a webhook. */
  update(id: string, attributes: object): Promise<Answered> {
    return this.call('updateWebhook', { id, body: { data: { id, type: 'webhook', attributes } } });
  }

  /** Raises an event; returns how many notifications came of it. */
  async emit(event: string): Promise<number> {
    const mediaType = 'application/json';
    const { status, text, json } = await this.send('POST', this.service.emit, { body: { event }, mediaType });
    if (status !== 202) throw new Error(`/emit answered ${status}: ${text}`);
    return (json as { notifications: number }).notifications;
  }

  /** Every item of a list, page by page. */
  async all(operationId: string, size = 200): Promise<Item[]> {
    const items: Item[] = [];
    let query: string | undefined = `?page[size]=${size}`;
    while (query !== undefined) {
      const answered: Answered = await this.call(operationId, { query });
      items.push(...(dataOf(answered) as Item[]));
      const { next } = (answered.json as { links: { next?: string } }).links;
      query = next === undefined ? undefined : `?${next.split('?')[1]}`;
    }
    return items;
  }

  /** Asks again until the list is as it should be. */
  async until(operationId: string, isRight: (items: Item[]) => boolean, timeout = 20_000): Promise<Item[]> {
    const end = performance.now() + timeout;
    let items: Item[] = [];
    do {
      items = await this.all(operationId);
      if (isRight(items)) return items;
    } while (performance.now() < end);
    throw new Error(`${operationId} did not come to it within ${timeout} ms: ${JSON.stringify(items).slice(0, 2000)}`);
  }

  /** The list of notifications, once so many are there and none is pending any more. */
  settled(count: number, timeout?: number): Promise<Item[]> {
    const isFinal = ({ attributes }: Item) => attributes.delivery_status !== 'pending';
    return this.until('listWebhookNotifications', (all) => all.length >= count && all.every(isFinal), timeout);
  }
}

/** The `data` of an answer. */
export function dataOf({ json }: Answered): Item | Item[] {
  return (json as { data: Item | Item[] }).data;
}

/** The places that a refusal names. */
export function pointersOf({ json }: Answered): readonly (string | undefined)[] {
  return (json as { errors: { source?: { pointer?: string } }[] }).errors.map(({ source }) => source?.pointer);
}

/** The body of a creation. */
export function creation(attributes: object): { data: { type: string; attributes: object } } {
  return { data: { type: 'webhook', attributes } };
}

/** The body of a tracking request. */
export function tracking(number: string, scac = 'MAEU', type = 'bill_of_lading') {
  return { data: { type: 'tracking_request', attributes: { request_type: type, request_number: number, scac } } };
}

function expectValid(validate: ValidateFunction | undefined, { mediaType, json, text }: Answered): void {
  if (validate === undefined) throw new Error(`The contract declares no answer of the media type "${mediaType}".`);
  if (!validate(json)) throw new Error(`${JSON.stringify(validate.errors)} in ${text}`);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
