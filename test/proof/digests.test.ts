import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';

import { expect, test } from 'vitest';

import type { StartedReceiver } from './receivers/start.ts';
import { complaints, secret, testReceiver } from './testReceiver.ts';
import { brokenIn } from '../brokenIn.ts';
import { closeServer } from '../../runner/http/listen.ts';

/** Only the body is signed, and the id stands in a header: all deliveries of one body have one digest. */
const contract = `contract: 1
title: Till
event: { at: $request.header.X-Event }
id: { at: $request.header.X-Id }
signature: { algorithm: sha512, headers: { X-Signature: '{digest}' } }
events: { sale: { type: object } }
`;

/** Deliveries that a receiver takes within so many milliseconds, where it takes no more. */
const limit = { deliveries: 8, ms: 100 } as const;

/**
 * A receiver that compares a signature with what it writes a digest as.
 *
 * @param isLimited - whether it answers 429 to what comes too fast, forged or not
 */
async function startComparing(written: (digest: Buffer) => string, isLimited: boolean): Promise<StartedReceiver> {
  let recent: readonly number[] = [];
  const server = createServer(async (request, response) => {
    const digest = createHmac('sha512', secret)
      .update(await buffer(request))
      .digest();
    const now = performance.now();
    recent = [...recent.filter((at) => now - at < limit.ms), now];
    if (isLimited && recent.length > limit.deliveries) response.writeHead(429).end();
    else response.writeHead(request.headers['x-signature'] === written(digest) ? 204 : 401).end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    probe: '',
    close: () => closeServer(server),
  };
}

test.each([
  ['all of its digits', (digest: Buffer) => digest.toString('hex'), false, []],
  ['all of its digits, and takes a few deliveries at a time', (digest: Buffer) => digest.toString('hex'), true, []],
  [
    'a number, which has no zeros before it',
    (digest: Buffer) => BigInt(`0x${digest.toString('hex')}`).toString(16),
    false,
    ['VRF-1'],
  ],
] as const)('a digest of every kind is found, where a receiver writes %s', async (_, written, isLimited, broken) => {
  const file = join(await mkdtemp(join(tmpdir(), 'seaworthy-digests-')), 'contract.yaml');
  await writeFile(file, contract);
  const receiver = await startComparing(written, isLimited);
  const only = ['receiver/signature/every-digest'];
  const summary = await testReceiver(receiver, {
    contract: file,
    probe: undefined,
    only,
    seed: 7,
    shrinkTime: 0,
  });
  const found = brokenIn(summary);
  expect({ found, undecided: summary.summary.inconclusive, complaints: complaints(summary) }).toMatchObject({
    found: broken,
    undecided: 0,
  });
});
