import type { ListName, Resource, ServiceApi } from './serviceApi.ts';

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

/** Milliseconds after which a recovery that failed is tried again. */
const retryDelay = 500;

/** Recovers at the start, and whenever it is asked to. */
export class Recovery {
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
