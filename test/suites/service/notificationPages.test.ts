import { afterEach, describe, expect, it } from 'vitest';

import { everyPage } from '../../../suites/service/lists/notificationPages.ts';
import { HandService, notificationOf } from '../../runner/service/handService.ts';
import { hold } from '../../runner/service/testOwnService.ts';

let service: HandService | undefined;

afterEach(async () => {
  await service?.close();
});

type Query = URLSearchParams;

/** How a service makes its pages. */
interface Paging {
  /** The first item of a page. */
  readonly start: (query: Query, size: number) => number;
  /** The query of the next page. @param from - the first item that was not shown yet */
  readonly next: (query: Query, size: number, from: number) => string;
}

const numbered: Paging = {
  start: (query, size) => (Number(query.get('page[number]') ?? 1) - 1) * size,
  next: (query, size) => `page[number]=${Number(query.get('page[number]') ?? 1) + 1}&page[size]=${size}`,
};
/** Numbers are not known; a link says where to go on. */
const byCursor: Paging = {
  start: (query) => Number(query.get('page[after]') ?? 0),
  next: (_, size, from) => `page[after]=${from}&page[size]=${size}`,
};

async function held({ start, next }: Paging) {
  service = await HandService.start({
    answer: ({ method, path, query }, { notifications }) => {
      if (method !== 'GET' || path !== '/webhook_notifications') return undefined;
      const size = Number(query.get('page[size]') ?? 40);
      const from = start(query, size);
      const data = notifications.slice(from, from + size).map(notificationOf);
      const isLast = from + size >= notifications.length;
      return { status: 200, body: { data, ...(!isLast && { links: { next: `?${next(query, size, from + size)}` } }) } };
    },
  });
  const { outcome, counterexample } = (await hold(service, [everyPage])).check();
  return { outcome, actual: counterexample?.actual };
}

describe('the pages of the notifications', () => {
  it.each<readonly [string, Paging]>([
    ['numbers', numbered],
    ['cursors', byCursor],
  ])('are whole where their links lead on by %s', async (_, paging) => {
    expect(await held(paging)).toEqual({ outcome: 'passed', actual: undefined });
  });

  it.each<readonly [string, (page: number, size: number) => string]>([
    ['leave a page out', (page, size) => `page[number]=${page + 2}&page[size]=${size}`],
    ['forget their size', (page) => `page[number]=${page + 1}`],
  ])('are not whole where the links between small ones %s', async (_, next) => {
    const paging: Paging = { ...numbered, next: (query, size) => next(Number(query.get('page[number]') ?? 1), size) };
    const actual = expect.stringMatching(/ is on none of \d+ pages$/) as string;
    expect(await held(paging)).toEqual({ outcome: 'failed', actual });
  });

  it('are not whole where a cursor begins one too early', async () => {
    const next: Paging['next'] = (query, size, from) => byCursor.next(query, size, from - 1);
    const actual = expect.stringMatching(/ is listed twice$/) as string;
    expect(await held({ ...byCursor, next })).toEqual({ outcome: 'failed', actual });
  });
});
