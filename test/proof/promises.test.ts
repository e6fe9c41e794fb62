import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { listen } from '../../runner/http/listen.ts';
import { testReceiver } from './testReceiver.ts';

/** What a run of one check says of a receiver under a contract that promises this. */
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
  return testReceiver(receiver, options);
}

test.concurrent.each([
  [2000, 'warned'],
  [0, 'passed'],
])('of a second, an answer after %d ms, where the user waits longer: %s', async (ms, outcome) => {
  const answer: RequestListener = (_, response) => void setTimeout(() => response.end(), ms);
  const [check] = (await tested('receiver/acceptance/answers-in-time', { timeout: '1s' }, answer, 20_000)).checks;
  expect(check).toMatchObject({ outcome });
  expect(check?.counterexample?.expected ?? 'an answer within 1000 ms').toMatch(/^an answer within 1000 ms/);
});

test.concurrent('of a JSON type of its own, which a receiver refuses that takes application/json', async () => {
  const mediaType = 'application/cloudevents+json';
  const receive: RequestListener = ({ headers }, response) =>
    void response.writeHead(headers['content-type'] === 'application/json' ? 202 : 415).end();
  const [check] = (await tested('receiver/acceptance/every-event', { mediaType }, receive)).checks;
  expect(check).toMatchObject({ outcome: 'failed' });
  expect(check?.counterexample?.exchange.difference).toBe(`the header Content-Type: ${mediaType}`);
  expect(check?.counterexample?.hint).toMatch(/body parser/);
});

test.concurrent.each([
  [{ type: 'integer', minimum: 2 ** 53 }, ['not in any delivery, so not seen: 1 part of the contract']],
  [{ type: 'integer' }, []],
])('of what no delivery has, %j: a run says how much that is', async (far, said) => {
  const sold = { type: 'object', properties: { amount: { oneOf: [{ type: 'string' }, far] } } };
  const receive: RequestListener = (_, response) => void response.end();
  const { checks, observations } = await tested('receiver/acceptance/every-event', { events: { sold } }, receive);
  expect(checks).toMatchObject([{ outcome: 'passed' }]);
  expect(observations.filter(({ gap }) => gap === 'RCV-2').map(({ value }) => value)).toEqual(said);
});
