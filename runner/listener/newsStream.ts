import type { ServerResponse } from 'node:http';

import type { Listener } from './listener.ts';
import type { PageNews } from './pageData.ts';
import { listedRecord } from './shownRecord.ts';

/** Bytes that may wait for a page that is slow to read; what it misses meanwhile comes in one message. */
const mostWaiting = 256 * 1024;

/**
 * Tells pages what happens, as server-sent events (HTML, section 9.2): a new page all that is kept, then each what has changed
 * since its last message. What waits for a page is bounded, because a message is made when it can be sent.
 */
export class NewsStream {
  readonly #listener: Listener;
  readonly #pace: number;
  /** The version of the store up to which each page was informed. */
  readonly #pages = new Map<ServerResponse, number>();
  #timer: NodeJS.Timeout | undefined;

  /** @param pace - milliseconds between two messages at least */
  constructor(listener: Listener, pace: number) {
    this.#listener = listener;
    this.#pace = pace;
  }

  add(response: ServerResponse): void {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.on('close', () => this.#pages.delete(response)).on('error', () => {});
    response.on('drain', () => this.wake());
    this.#pages.set(response, -1);
    this.#tell(response);
  }

  /** Says that something has changed. */
  wake(): void {
    if (this.#pages.size === 0) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      for (const page of this.#pages.keys()) this.#tell(page);
    }, this.#pace);
  }

  close(): void {
    clearTimeout(this.#timer);
    for (const page of this.#pages.keys()) page.end();
    this.#pages.clear();
  }

  #tell(page: ServerResponse): void {
    if (page.writableLength > mostWaiting) return;
    const { store, next } = this.#listener;
    const { next: name, usual } = next.names;
    const news: PageNews = {
      totals: store.totals,
      oldest: store.oldest,
      next: name,
      usual,
      deliveries: store.since(this.#pages.get(page) ?? -1).map(listedRecord),
    };
    this.#pages.set(page, store.version);
    page.write(`data: ${JSON.stringify(news)}\n\n`);
  }
}
