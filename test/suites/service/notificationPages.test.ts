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
  /** The first item of a page. @param total - how many there are */
  readonly start: (query: Query, size: number, total: number) => number;
  /** The query of the next page; left out where there are no links. @param from - the first item that was not shown yet */
  readonly next?: (query: Query, size: number, from: number) => string;
}

const numbered = {
  start: (query: Query, size: number) => (Number(query.get('page[number]') ?? 1) - 1) * size,
  next: (query: Query, size: number) => `page[number]=${Number(query.get('page[number]') ?? 1) + 1}&page[size]=${size}`,
};
/** Numbers are not known; a link says where to go on. */
const byCursor = {
  start: (query: Query) => Number(query.get('page[after]') ?? 0),
  next: (_: Query, size: number, from: number) => `page[after]=${from}&page[size]=${size}`,
};

async function held({ start, next }: Paging) {
  service = await HandService.start({
    answer: ({ method, path, query }, { notifications }) => {
      if (method !== 'GET' || path !== '/webhook_notifications') return undefined;
      const size = Number(query.get('page[size]') ?? 40);
      const from = start(query, size, notifications.length);
      const data = notifications.slice(from, from + size).map(notificationOf);
      const isLast = from + size >= notifications.length;
      return {
        status: 200,
        body: { data, ...(next && !isLast && { links: { next: `?${next(query, size, from + size)}` } }) },
      };
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

  it.each([
    ['shows its last page beyond the end', 0, 'passed'],
    ['begins one too early', 1, 'failed'],
  ] as const)('are judged without links, where a page %s', async (_, early, outcome) => {
    // Beyond the end the last page comes again, as where a number is cut down to the highest one.
    const start: Paging['start'] = (query, size, total) => {
      const last = Math.max(0, Math.ceil(total / size) - 1) * size;
      const from = Math.min(numbered.start(query, size), last);
      return from === 0 ? 0 : from - early;
    };
    expect((await held({ start })).outcome).toBe(outcome);
  });

  it('are not whole where a cursor begins one too early', async () => {
    const next: typeof byCursor.next = (query, size, from) => byCursor.next(query, size, from - 1);
    const actual = expect.stringMatching(/ is listed twice$/) as string;
    expect(await held({ ...byCursor, next })).toEqual({ outcome: 'failed', actual });
  });
});
