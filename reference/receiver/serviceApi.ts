import { isIP } from 'node:net';

import { member } from './records.ts';

/** Where the service is, and the key that it gave. */
export interface ServiceAddress {
  /** The base address, which ends in `/v2`. */
  readonly url: string;
  readonly key: string;
}

/** A resource object, as far as the receiver looks at it. */
export interface Resource {
  readonly id: string;
  readonly type: string;
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** The lists of the API that a receiver reads (section 4.3). */
export type ListName = 'webhook_notifications' | 'shipments' | 'containers';

/** Milliseconds that a call may take. */
const timeout = 10_000;

/** The service's API, as a receiver calls it. */
export class ServiceApi {
  readonly #address: ServiceAddress;

  constructor(address: ServiceAddress) {
    this.#address = address;
  }

  /**
   * The pages of a list, one after the other, as far as each names the next one.
   *
   * @throws Error where a call fails, or the next page is on another host, which is not to get the key
   */
  async *pages(list: ListName): AsyncGenerator<readonly Resource[]> {
    let page: string | undefined = `${this.#address.url}/${list}`;
    while (page !== undefined) {
      const document = await this.#get(page);
      yield member(document, 'data') as readonly Resource[];
      const next = member(member(document, 'links'), 'next');
      page = typeof next === 'string' ? this.#placeOf(next, page) : undefined;
    }
  }

  /** The whole list. @throws Error where a call fails */
  async all(list: ListName): Promise<readonly Resource[]> {
    const pages: (readonly Resource[])[] = [];
    for await (const page of this.pages(list)) pages.push(page);
    return pages.flat();
  }

  /** The published addresses and blocks (section 5.2). @throws Error where the call fails, or names none */
  async senderAddresses(): Promise<readonly string[]> {
    const data = member(await this.#get(`${this.#address.url}/webhooks/ips`), 'data');
    const addresses = [data].flat().filter((each): each is string => typeof each === 'string' && isBlock(each));
    if (addresses.length === 0) throw new Error('The service publishes no sender address.');
    return addresses;
  }

  #placeOf(next: string, page: string): string {
    const { href, origin } = new URL(next, page);
    if (origin !== new URL(this.#address.url).origin)
      throw new Error(`The next page of ${page} is elsewhere: ${href}.`);
    return href;
  }

  async #get(url: string): Promise<unknown> {
    const headers = { authorization: `Token ${this.#address.key}` };
    const answer = await fetch(url, { headers, signal: AbortSignal.timeout(timeout) });
    if (!answer.ok) throw new Error(`GET ${url} was answered with ${answer.status}.`);
    return answer.json();
  }
}

/** Whether the text is an IP address, or a block of them such as 192.0.2.0/24. */
function isBlock(text: string): boolean {
  const [, address = '', prefix] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  return isIP(address) !== 0 && Number(prefix ?? 0) <= (isIP(address) === 4 ? 32 : 128);
}
