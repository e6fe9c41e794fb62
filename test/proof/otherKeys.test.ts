import { createServer } from 'node:http';

import { expect, test } from 'vitest';

import { listen } from '../../runner/http/listen.ts';
import { brokenIn } from '../brokenIn.ts';
import { rawBody } from './libraries/served.ts';
import { complaints, testReceiver } from './testReceiver.ts';

interface Event {
  readonly id: string;
  readonly type: string;
  readonly data: { readonly object: { readonly id?: string } };
  readonly event_id: string;
  readonly event: { readonly ts?: string; readonly event_ts?: string };
}

type Key = (event: Event) => string;

/** Tests a receiver of these events that knows them by their id, and by this key. */
async function tested(contract: 'stripe' | 'slack', keyOf: Key) {
  const idOf: Key = contract === 'stripe' ? ({ id }) => id : (event) => event.event_id;
  const known = new Set<string>();
  const done = new Set<string>();
  const server = createServer((request, response) => {
    const { url = '' } = request;
    if (url.startsWith('/count/')) return void response.end(JSON.stringify({ count: Number(done.has(url.slice(7))) }));
    void rawBody(request).then((body) => {
      const event = JSON.parse(body.toString()) as Event;
      if (!known.has(idOf(event)) && !known.has(keyOf(event))) done.add(idOf(event));
      known.add(idOf(event)).add(keyOf(event));
      response.end();
    });
  });
  const origin = await listen(server, { host: '127.0.0.1', port: 0 });
  const close = async () => void server.close();
  const only = ['receiver/idempotency/id-alone-decides', 'receiver/idempotency/takes-effect-once'];
  const options = { contract, only, seed: 7, settle: 300, shrinkTime: 0 };
  return testReceiver({ url: `${origin}/hook`, probe: `${origin}/count/{id}`, close }, options);
}

test.concurrent('two events of one type about one object may be one, as Stripe says', async () => {
  expect(complaints(await tested('stripe', ({ id, type, data }) => `${type} ${data.object.id ?? id}`))).toEqual([]);
});

test.concurrent('two events of different types about one object are two', { timeout: 60_000 }, async () => {
  const { checks, requirements } = await tested('stripe', ({ id, data }) => data.object.id ?? id);
  expect(brokenIn({ requirements })).toEqual(['IDM-4']);
  const found = checks.find(({ outcome }) => outcome === 'failed')?.counterexample;
  expect(found?.summary).toContain('another event of the same object came before it: no effect');
  expect(found?.hint).toMatch(/^A notification is taken for a duplicate where one about the same object came before/);
});

/** The smallest events of Slack say the same of their time: none of them would take effect but the first. */
test.concurrent('events that are known by the time of their message are two', { timeout: 60_000 }, async () => {
  const { requirements } = await tested('slack', ({ event, event_id }) => event.ts ?? event.event_ts ?? event_id);
  expect(brokenIn({ requirements })).toEqual(['IDM-4']);
});
