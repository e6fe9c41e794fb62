import type { ReceiverPolicies } from './policies.ts';
import { Recovery } from './recovery.ts';
import { ServiceApi, type ServiceAddress } from './serviceApi.ts';
import { SenderList } from './sources.ts';
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
