import { randomUUID } from 'node:crypto';

import { afterEach, describe, expect, it, test } from 'vitest';

import { Unobservable } from '../../../suites/check.ts';
import type { Listing } from '../../../suites/service/listing.ts';
import { catalogue } from './catalogue.ts';
import { HandService, notificationOf, resourceOf, type Reply } from './handService.ts';
import { check, finding, hold } from './testOwnService.ts';
import { listedAt } from '../../../suites/service/creation.ts';

const size = 3;
const items = Array.from({ length: 7 }, () => {
  return notificationOf({
    id: randomUUID(),
    event: catalogue.one,
    createdAt: '2026-01-31T08:00:00Z',
    status: 'failed',
  });
});
const pages = [items.slice(0, size), items.slice(size, 2 * size), items.slice(2 * size)];
let service: HandService | undefined;

afterEach(async () => {
  await service?.close();
});

type Answer = (query: URLSearchParams, url: string) => unknown;

/** What the kit reads of a list that is answered in this way, or the reason why it cannot. */
async function read(answer: Answer, pageSize?: string, assume = {}): Promise<Listing | string> {
  service = await HandService.start({
    answer: ({ path, query }, { url }) => (path === '/webhook_notifications' ? replyOf(answer(query, url)) : undefined),
  });
  let listing: Listing | undefined;
  const reading = check(
    'reading',
    async (kit) => {
      listing = await kit.list('notifications', pageSize);
      return undefined;
    },
    { needs: [], schedule: { kind: 'beside' } },
  );
  const held = await hold(service, [reading], { assume });
  return listing ?? held.check().reason ?? '';
}

function replyOf(answer: unknown): Reply {
  const refused = typeof answer === 'number';
  return refused ? { status: answer, body: 'no' } : { status: 200, body: answer };
}

function numbered(query: URLSearchParams): number {
  return Number(query.get('page[number]') ?? 1);
}

/** The page that a query asks for, and the links of JSON:API. */
function linked(query: URLSearchParams, link: (page: number) => unknown) {
  const page = numbered(query);
  return { data: pages[page - 1], links: { self: 'x', next: page < pages.length ? link(page + 1) : null } };
}

test('of a list that begins with its oldest, the page of the newest is read first', async () => {
  const read: number[] = [];
  const link = (page: number) => `?page[number]=${page}`;
  service = await HandService.start({
    answer: ({ path, query }) => {
      if (path !== '/webhook_notifications') return undefined;
      read.push(numbered(query));
      return replyOf(linked(query, link));
    },
  });
  const [oldest, newest] = [items[0]!.id, items.at(-1)!.id];
  const looked: number[][] = [];
  const looking = check(
    'looking',
    async (kit) => {
      for (const id of [newest, newest, newest, oldest]) {
        read.length = 0;
        expect((await kit.listed([id])).get(id)?.status).toBe('failed');
        looked.push([...read]);
      }
      return undefined;
    },
    { needs: [], schedule: { kind: 'beside' } },
  );
  expect((await hold(service, [looking])).check().outcome).toBe('passed');
  expect(looked).toEqual([[1, 2, 3], [1, 2, 3], [3], [3, 1]]);
});

describe('a list', () => {
  it.each<readonly [string, Answer]>([
    ['absolute links', (query, url) => linked(query, (page) => `${url}/webhook_notifications?page[number]=${page}`)],
    ['relative links', (query) => linked(query, (page) => `?page%5Bnumber%5D=${page}`)],
    ['links that are objects', (query) => linked(query, (page) => ({ href: `/x?page[number]=${page}` }))],
    [
      'links that end in no next one',
      (query) => {
        const { data, links } = linked(query, (page) => `?page[number]=${page}`);
        return { data, links: links.next === null ? { self: 'x' } : links };
      },
    ],
    [
      'links on every page but the last, which has none at all',
      (query) => {
        const { data, links } = linked(query, (page) => `?page[number]=${page}`);
        return { data, meta: { total: 7 }, ...(links.next !== null && { links: { next: links.next } }) };
      },
    ],
    ['pages without links', (query) => ({ data: pages[numbered(query) - 1] ?? [] })],
    [
      'pages without links, and none beyond the last',
      (query) => {
        const data = pages[numbered(query) - 1];
        return data === undefined ? 404 : { data };
      },
    ],
    [
      'a page size that is refused',
      (query) => (query.has('page[size]') ? 422 : { data: pages[numbered(query) - 1] ?? [] }),
    ],
    ['no parameters at all', (query) => (query.size > 0 ? 400 : { data: items })],
    ['a bare array', () => items],
    ['items under another name', () => ({ total: 7, items })],
    ['parameters that are ignored', () => ({ data: items, links: {} })],
    [
      'an empty page on the way',
      (query) => {
        const page = numbered(query);
        const data = [pages[0], [], pages[1], pages[2]][page - 1];
        return { data, links: { next: page < 4 ? `?page[number]=${page + 1}` : null } };
      },
    ],
  ])('is read whole where it has %s', async (_, answer) => {
    expect(await read(answer)).toMatchObject({ items, complete: true });
  });

  it('is read once where parameters are ignored, and its items change meanwhile', async () => {
    let time = 0;
    const listing = await read(() => ({ data: items.map((item) => ({ ...item, meta: { read: ++time } })) }));
    expect((listing as Listing).items).toHaveLength(items.length);
  });

  it('is read to its end where pages are asked for by how many items come before them', async () => {
    const answer: Answer = (query) => ({ data: items.slice(Number(query.get('offset') ?? 0)).slice(0, size) });
    const listing = await read(answer, undefined, { 'list.paging': 'offset,limit' });
    expect(listing).toMatchObject({ items, complete: true });
  });

  it('shows what pages repeat where a link leads to them', async () => {
    const listing = await read((query) => {
      const page = numbered(query);
      return { data: pages[Math.min(page, 2) - 1], links: { next: page < 3 ? `?page[number]=${page + 1}` : null } };
    });
    expect(listing).toMatchObject({ items: [...pages[0]!, ...pages[1]!, ...pages[1]!], complete: true });
  });

  it('ends at a page that nobody linked to and that shows nothing new, whatever it links to itself', async () => {
    const listing = await read((query) => {
      const isFirst = numbered(query) === 1;
      return { data: isFirst ? items : pages[0], ...(!isFirst && { links: { next: '?page[number]=3' } }) };
    });
    expect(listing).toMatchObject({ items, complete: true });
    expect(service?.callsOf('GET', /notifications/)).toHaveLength(2);
  });

  it('is read anew where the item that a link names was deleted meanwhile, and given up where that goes on', async () => {
    let refused = 0;
    const gone =
      (times: number): Answer =>
      (query) => {
        if (numbered(query) === 2 && refused < times) {
          refused += 1;
          return 400;
        }
        return linked(query, (page) => `?page[number]=${page}`);
      };
    expect(await read(gone(2))).toMatchObject({ items, complete: true });
    await service?.close();
    expect(await read(gone(Infinity))).toContain('answered 400');
  });

  it('is asked for in pages of another size where a check says so', async () => {
    const sizes: (string | null)[] = [];
    await read((query) => (sizes.push(query.get('page[size]')), { data: items, links: {} }), '3');
    expect(sizes[0]).toBe('3');
  });

  it.each<readonly [string, Answer]>([
    [
      'the same again and again',
      (query) => ({ data: pages[0], links: { next: `?page[number]=${numbered(query) + 1}` } }),
    ],
    ['nothing again and again', (query) => ({ data: [], links: { next: `?page[number]=${numbered(query) + 1}` } })],
    ['a link that cannot be followed', () => ({ data: pages[0], links: { next: '/webhook_notifications/2' } })],
  ])('is incomplete where it has %s', async (_, answer) => {
    expect(await read(answer)).toMatchObject({ complete: false });
    expect(service?.callsOf('GET', /notifications/).length).toBeLessThan(6);
  });

  it('is given up where it always goes on', async () => {
    const listing = await read((query) => ({
      data: [{ ...items[0], id: randomUUID() }],
      links: { next: `?page[number]=${numbered(query) + 1}` },
    }));
    expect(listing).toMatchObject({ complete: false });
    expect(service?.callsOf('GET', /notifications/)).toHaveLength(100);
  });

  it.each<readonly [string, unknown, string]>([
    ['HTML', '<html></html>', 'holds no list at /data; --assume list.items=<pointer>'],
    ['two lists', { one: items, other: items }, 'holds no list at /data; --assume list.items=<pointer>'],
    ['a refusal', 403, 'the service answered 403 to listWebhookNotifications (GET /webhook_notifications'],
  ])('cannot be observed where it is %s', async (_, answer, reason) => {
    expect(await read(() => answer)).toContain(reason);
  });
});

test('a page that got no answer is asked for again: that shows nothing of what the service offers', async () => {
  let asked = 0;
  const listing = (query: URLSearchParams) => linked(query, (page) => `?page[number]=${page}`);
  service = await HandService.start({
    answer: ({ path, query }) => {
      if (path !== '/webhook_notifications') return undefined;
      const isSecond = numbered(query) === 2;
      if (isSecond) asked += 1;
      return isSecond && asked <= 2 ? { status: 0 } : replyOf(listing(query));
    },
  });
  let complete: boolean | undefined;
  const reading = check(
    'reading',
    async (kit) => {
      ({ complete } = await kit.list('notifications'));
      return undefined;
    },
    { needs: [], schedule: { kind: 'beside' } },
  );
  expect((await hold(service, [reading])).check()).toMatchObject({ outcome: 'passed' });
  expect(complete).toBe(true);
});

describe('what is looked up in lists', () => {
  it('is found where each item is a document of its own', async () => {
    service = await HandService.start({
      answer: ({ method, path }, { notifications, webhooks }) => {
        if (method !== 'GET') return undefined;
        const all = path === '/webhooks' ? [...webhooks.values()].map(resourceOf) : notifications.map(notificationOf);
        return { status: 200, body: { data: all.map((data) => ({ data })) } };
      },
    });
    const found = check('found', async (kit) => {
      const webhook = await kit.register();
      const notified = await kit.arrival(webhook, await kit.trigger(kit.scenarioEvents[0]));
      const listed = await kit.untilListed(notified!.id, ['succeeded']);
      const current = await kit.current(webhook);
      const isRight = listed?.status === 'succeeded' && current && kit.member(current, 'url') === webhook.endpoint.url;
      const at = (await listedAt(kit, webhook.endpoint.url)) ?? [];
      return isRight && at.length === 1
        ? undefined
        : finding(kit, `listed as ${String(listed?.status)}, ${at.length} found`);
    });
    const { outcome, counterexample } = (await hold(service, [found])).check();
    expect({ outcome, actual: counterexample?.actual }).toEqual({ outcome: 'passed', actual: undefined });
  });

  it('is not observable where there is no list', async () => {
    service = await HandService.start({ answer: ({ method }) => (method === 'GET' ? { status: 404 } : undefined) });
    const lookUp = check(
      'look-up',
      async (kit) => {
        const webhook = await kit.register();
        await expect(kit.current(webhook)).rejects.toThrow(Unobservable);
        await kit.listed([kit.freshId()]);
        return undefined;
      },
      { needs: [], schedule: { kind: 'beside' } },
    );
    expect((await hold(service, [lookUp])).check()).toMatchObject({ outcome: 'not-observable' });
  });
});
