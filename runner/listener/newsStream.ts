import type { ServerResponse } from 'node:http';

import { describeAnswer } from '../../suites/answer.ts';
import type { Answer } from '../../suites/delivery.ts';
import { describeStep } from '../service/serviceTimeline.ts';
import type { CaughtRecord } from './deliveryStore.ts';
import type { Listener } from './listener.ts';
import type { ListedDelivery, PageNews, ShownDelivery, SpokenAnswer, WholeAnswer } from './pageData.ts';

/** Bytes that may wait for a page that is slow to read; what it misses meanwhile comes in one message. */
const mostWaiting = 256 * 1024;

/**
 * Sends pages what happens, as server-sent events (HTML, section 9.2): a new page all that is kept, then each what has changed
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
    this.#report(response);
  }

  /** Says that something has changed. */
  wake(): void {
    if (this.#pages.size === 0) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      for (const page of this.#pages.keys()) this.#report(page);
    }, this.#pace);
  }

  close(): void {
    clearTimeout(this.#timer);
    for (const page of this.#pages.keys()) page.end();
    this.#pages.clear();
  }

  #report(page: ServerResponse): void {
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

/** A delivery as the list of the page shows it. */
function listedRecord(record: CaughtRecord): ListedDelivery {
  const { number, at, group, event, caught, pause, judgement, forwarded, resent } = record;
  const { findings } = judgement;
  const gravest = findings.find(({ level }) => level === 'broken') ?? findings[0];
  const answered = answerGiven(record);
  return {
    number,
    at,
    group,
    id: caught.key,
    event,
    attempt: caught.number,
    method: caught.method,
    path: caught.path,
    bytes: caught.bytes,
    ...(pause !== undefined && { pause }),
    ...(gravest && { problem: { check: gravest.check, level: gravest.level, actual: gravest.actual } }),
    findings: findings.length,
    ...(answered && { answered }),
    ...(forwarded && { forwarded: spoken(forwarded) }),
    resent: resent.length,
  };
}

/** A delivery with all that the page shows of it. */
export function shownRecord(record: CaughtRecord): ShownDelivery {
  const { caught, judgement, forwarded, executed, resent } = record;
  return {
    ...listedRecord(record),
    headers: caught.headers,
    body: caught.body.toString('base64'),
    peer: caught.peer,
    found: judgement.findings,
    asked: judgement.asked.length,
    ...(forwarded && { receiver: whole(forwarded) }),
    ...(executed && { executed }),
    sentAgain: resent.map(({ answer, ...each }) => ({ ...each, answer: whole(answer) })),
  };
}

function answerGiven({ caught: { step, end, at } }: CaughtRecord): SpokenAnswer | undefined {
  if (end === undefined) return undefined;
  const status = end.kind === 'answered' ? { status: end.status } : {};
  return { words: describeStep(step, end), ...status, ms: Math.max(0, end.at - at) };
}

function spoken(answer: Answer): SpokenAnswer {
  const status = answer.kind === 'answered' ? { status: answer.status } : {};
  return { words: describeAnswer(answer), ...status, ms: answer.ms };
}

function whole(answer: Answer): WholeAnswer {
  const { headers, body } = answer.kind === 'answered' ? answer : { headers: [], body: '' };
  return { ...spoken(answer), headers, body };
}
