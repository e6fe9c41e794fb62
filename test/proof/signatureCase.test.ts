import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';

import { expect, test } from 'vitest';

import type { RunSummary } from '../../reports/model/runSummary.ts';
import { rawBody } from './libraries/served.ts';
import { asFound, secret, testReceiver } from './testReceiver.ts';
import { listen } from '../../runner/http/listen.ts';

/** Tests a receiver of Shopify, whose signatures are base64, that compares them in this spelling. */
async function tested(spelling: (signature: string) => string): Promise<RunSummary> {
  const done = new Set<string>();
  const server = createServer((request, response) => {
    const { url = '', headers } = request;
    if (url.startsWith('/count/')) return void response.end(JSON.stringify({ count: Number(done.has(url.slice(7))) }));
    void rawBody(request).then((body) => {
      const expected = createHmac('sha256', secret).update(body).digest('base64');
      const isRight = spelling(String(headers['x-shopify-hmac-sha256'])) === spelling(expected);
      if (isRight) done.add(String(headers['x-shopify-event-id']));
      response.writeHead(isRight ? 200 : 401).end();
    });
  });
  const origin = await listen(server, { host: '127.0.0.1', port: 0 });
  const close = async () => void server.close();
  const only = ['receiver/signature/forged'];
  const target = { url: `${origin}/hook`, probe: `${origin}/count/{id}`, close };
  return testReceiver(target, { contract: 'shopify', secret: [secret], only, seed: 42, ...asFound });
}

test.concurrent('a base64 signature whose letters have the other case is a forgery', async () => {
  const [check] = (await tested((signature) => signature.toLowerCase())).checks;
  expect(check).toMatchObject({ outcome: 'failed', counterexample: { requirements: ['VRF-2'] } });
  expect(check!.counterexample!.exchange.difference).toBe('the letters of the signature in the other case');
  expect(check!.counterexample!.hint).toMatch(/without regard to case/);
});

test.concurrent('a receiver that tells the letters apart passes', async () => {
  expect((await tested((signature) => signature)).checks).toMatchObject([{ outcome: 'passed' }]);
});
