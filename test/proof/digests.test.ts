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

/** Only the body is signed, and the id stands in a header: all deliveries of one body have one digest. */
const contract = `contract: 1
title: Till
event: { at: $request.header.X-Event }
id: { at: $request.header.X-Id }
signature: { algorithm: sha512, headers: { X-Signature: '{digest}' } }
events: { sale: { type: object } }
`;

/** A receiver that compares a signature with what it writes a digest as. */
async function startComparing(written: (digest: Buffer) => string): Promise<StartedReceiver> {
  const server = createServer(async (request, response) => {
    const digest = createHmac('sha512', secret)
      .update(await buffer(request))
      .digest();
    response.writeHead(request.headers['x-signature'] === written(digest) ? 204 : 401).end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    probe: '',
    close: async () => {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}

test.each([
  ['all of its digits', (digest: Buffer) => digest.toString('hex'), []],
  [
    'a number, which has no zeros before it',
    (digest: Buffer) => BigInt(`0x${digest.toString('hex')}`).toString(16),
    ['VRF-1'],
  ],
] as const)('a digest of every kind is found, where a receiver writes %s', async (_, written, broken) => {
  const file = join(await mkdtemp(join(tmpdir(), 'seaworthy-digests-')), 'contract.yaml');
  await writeFile(file, contract);
  const receiver = await startComparing(written);
  const only = ['receiver/signature/every-digest'];
  const summary = await testReceiver(receiver, {
    contract: file,
    probe: undefined,
    only,
    seed: 7,
    shrinkTime: 0,
  });
  const found = summary.requirements.filter(({ outcome }) => outcome === 'broken').map(({ id }) => id);
  expect({ found, undecided: summary.summary.inconclusive, complaints: complaints(summary) }).toMatchObject({
    found: broken,
    undecided: 0,
  });
});
