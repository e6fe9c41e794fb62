import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { listen } from '../../runner/http/listen.ts';
import { testReceiver } from './testReceiver.ts';

/** What one check says of a receiver under a contract that promises this. */
async function tested(check: string, promises: object, receive: RequestListener, timeout?: number) {
  const contract = join(mkdtempSync(join(tmpdir(), 'seaworthy-contract-')), 'contract.yaml');
  const event = { at: '$request.body#/type' };
  writeFileSync(contract, JSON.stringify({ contract: 1, title: 'Till', event, events: { sold: true }, ...promises }));
  const server = createServer((request, response) => {
    request.resume().once('end', () => receive(request, response));
  });
  const origin = await listen(server, { host: '127.0.0.1', port: 0 });
  const receiver = { url: origin, probe: '', close: async () => void server.close() };
  const waiting = timeout === undefined ? {} : { timeout };
  const options = { contract, only: [check], secret: [], probe: undefined, seed: 42, shrinkTime: 0, ...waiting };
  return (await testReceiver(receiver, options)).checks[0];
}

test.concurrent.each([
  [1000, 'warned'],
  [0, 'passed'],
])('of half a second, an answer after %d ms, where the user waits longer: %s', async (ms, outcome) => {
  const answer: RequestListener = (_, response) => void setTimeout(() => response.end(), ms);
  const check = await tested('receiver/acceptance/answers-in-time', { timeout: '500ms' }, answer, 20_000);
  expect(check).toMatchObject({ outcome });
  expect(check?.counterexample?.expected ?? 'an answer within 500 ms').toMatch(/^an answer within 500 ms/);
});

test.concurrent('of a JSON type of its own, which a receiver refuses that takes application/json', async () => {
  const mediaType = 'application/cloudevents+json';
  const check = await tested('receiver/acceptance/every-event', { mediaType }, ({ headers }, response) => {
    response.writeHead(headers['content-type'] === 'application/json' ? 202 : 415).end();
  });
  expect(check).toMatchObject({ outcome: 'failed' });
  expect(check?.counterexample?.exchange.difference).toBe(`the header Content-Type: ${mediaType}`);
  expect(check?.counterexample?.hint).toMatch(/body parser/);
});
