import { mkdtemp, rm } from 'node:fs/promises';
import { isIP } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { type RunningService, startService } from '../../reference/service/service.ts';
import { catalogue, dataOf, ServiceClient } from './serviceClient.ts';

const lists = ['listWebhooks', 'listWebhookNotifications', 'listTrackingRequests', 'listShipments', 'listContainers'];

let folder: string;
let service: RunningService;
let client: ServiceClient;

/** A database with 60 webhooks and 205 notifications, all of the same time. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'seaworthy-test-'));
  const database = join(folder, 'service.db');
  await (await startService({ database })).close();
  const file = new DatabaseSync(database);
  const attributes = JSON.stringify({ url: 'https://example.com/', active: false, events: catalogue, headers: null });
  for (let at = 0; at < 60; at += 1) {
    const values = [crypto.randomUUID(), attributes, 'secret', 1_700_000_000_000] as const;
    file.prepare('INSERT INTO webhooks (id, attributes, secret, created_at) VALUES (?, ?, ?, ?)').run(...values);
  }
  for (let at = 0; at < 205; at += 1) {
    const values = [crypto.randomUUID(), crypto.randomUUID(), catalogue[0]!, 'failed', 1_700_000_000_000] as const;
    const columns = 'id, webhook_id, event, status, created_at, attempts, due_at, body';
    const sql = `INSERT INTO webhook_notifications (${columns}) VALUES (?, ?, ?, ?, ?, 13, 0, x'7b7d')`;
    file.prepare(sql).run(...values);
  }
  file.close();
  service = await startService({ database });
  client = new ServiceClient(service);
});

afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true });
});

describe('paging', () => {
  test.each([
    ['listWebhooks', 60],
    ['listWebhookNotifications', 205],
  ])(
    '%s shows each of its items once, also where all are of one time, whatever the size of a page',
    async (list, total) => {
      const [first, ...others] = await Promise.all([1, 7, 25, 30, 199, 200].map((size) => client.all(list, size)));
      expect(new Set(first!.map(({ id }) => id)).size).toBe(total);
      expect(first).toHaveLength(total);
      for (const other of others) expect(other).toEqual(first);
    },
  );

  test('counts from 1, 25 to a page unless another is given, 200 at most', async () => {
    const lengths = async (query: string) => {
      const answered = await client.call('listWebhookNotifications', { query });
      return (dataOf(answered) as unknown[]).length;
    };
    expect(await lengths('')).toBe(25);
    expect(await lengths('?page[number]=9')).toBe(5);
    expect(await lengths('?page%5Bnumber%5D=10')).toBe(0);
    expect(await lengths('?page[size]=1000&unknown=1')).toBe(200);
    expect(await lengths('?page[number]=2&page[size]=200')).toBe(5);
  });

  test('says where it is and where it goes on', async () => {
    const answered = await client.call('listWebhooks', { query: '?page[number]=2&page[size]=20' });
    expect(answered.json).toMatchObject({
      links: {
        self: '/v2/webhooks?page%5Bnumber%5D=2&page%5Bsize%5D=20',
        next: '/v2/webhooks?page%5Bnumber%5D=3&page%5Bsize%5D=20',
      },
      meta: { total: 60, pages: 3, page: 2, size: 20 },
    });
    const last = await client.call('listWebhooks', { query: '?page[number]=3&page[size]=20' });
    expect((last.json as { links: object }).links).toEqual({ self: expect.any(String) as string });
  });

  test.each(['0', '-1', '1.5', 'x', '', '1e3', '99999999999', ' 1', '1&page[number]=2'])(
    'refuses the page %j',
    async (number) => {
      for (const operationId of lists) {
        const answered = await client.call(operationId, { query: `?page[number]=${number}` });
        expect(answered).toMatchObject({
          status: 400,
          json: { errors: [{ source: { parameter: 'page[number]' } }] },
        });
      }
    },
  );
});

test('the list of an empty service is empty', async () => {
  for (const operationId of ['listTrackingRequests', 'listShipments', 'listContainers']) {
    expect((await client.call(operationId)).json).toMatchObject({ data: [], meta: { total: 0, pages: 0 } });
  }
});

test('the sender addresses are those of this machine', async () => {
  const addresses = dataOf(await client.call('listWebhookIps')) as unknown as string[];
  expect(addresses).toContain('127.0.0.1');
  for (const address of addresses) expect(isIP(address)).not.toBe(0);
});
