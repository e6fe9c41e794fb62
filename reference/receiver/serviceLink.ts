import { BlockList, isIP } from 'node:net';

import type { ReceiverPolicies, SourcePolicies } from './policies.ts';
import { ServiceApi, type ServiceAddress, type ListName, type Resource } from './serviceApi.ts';
import type { NotificationStore } from './store.ts';

export interface LinkOptions {
  /** The service's API, to recover from an outage; without it nothing is looked up. */
  readonly api?: ServiceAddress;
  /** Addresses and blocks that are let in, whatever the service publishes. */
  readonly allow?: readonly string[];
  /** Whether only the addresses that the service publishes are let in. Needs `api`. Default false. */
  readonly publishedFromApi?: boolean;
  /** Milliseconds between two readings of the published addresses. Default: a day. */
  readonly refresh?: number;
}

const day = 86_400_000;

/** Milliseconds after which a recovery that failed is tried again. */
const retryDelay = 500;

/** Recovers at the start, and whenever it is asked to. */
class Recovery {
  readonly #recover: () => Promise<void>;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(recover: () => Promise<void>) {
    this.#recover = recover;
  }

  /** Recovers in the background; where the service cannot be asked, until it can. */
  start(): void {
    this.#recover().catch(() => {
      if (!this.#stopped) this.#timer = setTimeout(() => this.start(), retryDelay);
    });
  }

  /** @throws Error where it failed */
  now(): Promise<void> {
    return this.#recover();
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }
}

/** Milliseconds after which a list that could not be read is asked for again. */
const readDelay = 250;

/** The sender addresses that are let in: read at the start, and again every so often. Until they are known it is nobody. */
class SenderList {
  readonly #read: () => Promise<readonly string[]>;
  readonly #policies: SourcePolicies;
  readonly #refresh: number;
  #published: readonly string[] = [];
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  /** @param refresh - milliseconds between two readings */
  constructor(read: () => Promise<readonly string[]>, policies: SourcePolicies, refresh: number) {
    this.#read = read;
    this.#policies = policies;
    this.#refresh = refresh;
  }

  get published(): readonly string[] {
    return this.#published;
  }

  /** Reads the list for the first time. Where that fails it is tried again later. */
  async start(): Promise<void> {
    let next: number | undefined = readDelay;
    try {
      this.#published = this.#policies.followed(this.#published, await this.#read());
      next = this.#policies.refreshAfter(this.#refresh);
    } catch {
      // Those who were let in so far still are.
    }
    if (next !== undefined && !this.#stopped) this.#timer = setTimeout(() => void this.start(), next);
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }
}

/** What a receiver asks of the service, beside taking its deliveries: who may deliver, and what it has missed. */
export class ServiceLink {
  readonly #senders: SenderList | undefined;
  readonly #recovery: Recovery | undefined;

  constructor(options: LinkOptions, policies: ReceiverPolicies, store: NotificationStore) {
    const { allow, publishedFromApi = false, refresh = day } = options;
    const api = options.api && new ServiceApi(options.api);
    const read = allow ? async () => allow : publishedFromApi && api ? () => api.senderAddresses() : undefined;
    this.#senders = read && new SenderList(read, policies, refresh);
    this.#recovery = api && new Recovery(async () => store.keep(await policies.recover(api)));
  }

  /** The addresses that are let in; nothing where all are. */
  get published(): readonly string[] | undefined {
    return this.#senders?.published;
  }

  /** Recovers. @throws Error where it cannot */
  get recover(): (() => Promise<void>) | undefined {
    const recovery = this.#recovery;
    return recovery && (() => recovery.now());
  }

  /** To be called before the first delivery: reads who may deliver. */
  async prepare(): Promise<void> {
    await this.#senders?.start();
  }

  /** To be called once deliveries are taken: looks for what was missed. */
  begin(): void {
    this.#recovery?.start();
  }

  stop(): void {
    this.#senders?.stop();
    this.#recovery?.stop();
  }
}

/** Whether the service has given the notification up. */
export function isFailed({ attributes }: Resource): boolean {
  return attributes['delivery_status'] === 'failed';
}

/** Everything that stands in these lists. */
export async function readAgain(
  api: Pick<ServiceApi, 'all'>,
  lists: readonly ListName[],
): Promise<readonly Resource[]> {
  const records: (readonly Resource[])[] = [];
  for (const list of lists) records.push(await api.all(list));
  return records.flat();
}

/** Whether an address is one of these, or lies in one of these blocks (CIDR). */
export function isPublished(address: string, published: readonly string[]): boolean {
  const blocks = new BlockList();
  for (const each of published) {
    const [net = '', prefix] = each.split('/');
    blocks.addSubnet(net, Number(prefix ?? (isIP(net) === 4 ? 32 : 128)), familyOf(net));
  }
  return isIP(address) !== 0 && blocks.check(address, familyOf(address));
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 4 ? 'ipv4' : 'ipv6';
}
