import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { expect, test, type TestContext } from 'vitest';

import { runReceiver } from '../../../runner/receiver/runReceiver.ts';
import { receiverPlan } from '../../../runner/receiver/receiverPlan.ts';

/** Runs one check against a receiver that takes everything. @returns what it was sent, in order */
async function sent(only: string, assume: Readonly<Record<string, string>>, { onTestFinished }: TestContext) {
  const bodies: { readonly type: string | undefined; readonly bytes: number }[] = [];
  const server = createServer((request, response) => {
    let bytes = 0;
    request.on('data', (chunk: Buffer) => (bytes += chunk.length));
    request.on('end', () => {
      bodies.push({ type: request.headers['content-type'], bytes });
      response.writeHead(200).end();
    });
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`;
  const plan = await receiverPlan(url, { secret: ['a secret'], intensity: 'quick', seed: 7, only: [only], assume });
  await Array.fromAsync(runReceiver(plan));
  return bodies;
}

test('a delivery has the media type that is assumed', async (context) => {
  const bodies = await sent('receiver/acceptance/every-event', { 'body.mediaType': 'application/hal+json' }, context);
  expect(new Set(bodies.map(({ type }) => type))).toEqual(new Set(['application/hal+json']));
});

test.for([
  ['64KiB', 16, 80],
  ['8KiB', 2, 16],
] as const)('the bodies of cases go up to %s where that is assumed', async ([judged, least, most], context) => {
  const bodies = await sent('receiver/acceptance/included', { 'body.judged': judged }, context);
  const largest = Math.max(...bodies.map(({ bytes }) => bytes));
  expect(largest).toBeGreaterThan(least * 1024);
  // The observation of the largest body that is taken goes on from where it always does.
  const all = bodies.map(({ bytes }) => bytes / 1024).filter((kib) => kib < 63);
  expect(Math.max(...all)).toBeLessThanOrEqual(most);
});
