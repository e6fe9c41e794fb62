import { createServer } from 'node:http';

import { expect, test } from 'vitest';

import type { RunSummary } from '../../reports/model/runSummary.ts';
import { rawBody } from './libraries/served.ts';
import { testReceiver } from './testReceiver.ts';
import { listen } from '../../runner/http/listen.ts';

/** Tests a receiver of Standard Webhooks, whose ids are letters of both cases, that knows notifications by this key. */
async function tested(keyOf: (id: string) => string): Promise<RunSummary> {
  const known = new Set<string>();
  const done = new Set<string>();
  const server = createServer((request, response) => {
    const { url = '', headers } = request;
    if (url.startsWith('/count/')) return void response.end(JSON.stringify({ count: Number(done.has(url.slice(7))) }));
    const id = String(headers['webhook-id']);
    void rawBody(request).then(() => {
      if (!known.has(keyOf(id))) done.add(id);
      known.add(keyOf(id));
      response.end();
    });
  });
  const origin = await listen(server, { host: '127.0.0.1', port: 0 });
  const close = async () => void server.close();
  return testReceiver(
    { url: `${origin}/hook`, probe: `${origin}/count/{id}`, close },
    {
      contract: 'standard-webhooks',
      secret: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLw=='],
      only: ['receiver/idempotency/id-alone-decides'],
      seed: 42,
      settle: 300,
      shrinkTime: 0,
    },
  );
}

test.concurrent('an id in which one letter has the other case is another id, unless it is a uuid', async () => {
  const [check] = (await tested((id) => id.toLowerCase())).checks;
  expect(check).toMatchObject({ outcome: 'failed' });
  expect(check!.counterexample!.exchange.difference).toBe('an id that differs in the case of one letter');
  expect(check!.counterexample!.hint).toMatch(/collation/);
});

test.concurrent('a receiver that tells them apart passes', async () => {
  expect((await tested((id) => id)).checks).toMatchObject([{ outcome: 'passed' }]);
});
