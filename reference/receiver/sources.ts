import { BlockList, isIP } from 'node:net';

import type { SourcePolicies } from './policies.ts';

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

/** Milliseconds after which a list that could not be read is asked for again. */
const retryDelay = 250;

/** The sender addresses that are let in: read at the start, and again every so often. Until they are known it is nobody. */
export class SenderList {
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
    let next: number | undefined = retryDelay;
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
