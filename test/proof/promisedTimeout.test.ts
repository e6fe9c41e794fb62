import { createServer } from 'node:http';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { listen } from '../../runner/http/listen.ts';
import { testReceiver } from './testReceiver.ts';

/** Tests a receiver that answers after so long, under a contract whose sender waits for half a second, and waits longer. */
async function answeringAfter(ms: number) {
  const contract = join(mkdtempSync(join(tmpdir(), 'seaworthy-contract-')), 'contract.yaml');
  const event = { at: '$request.body#/type' };
  writeFileSync(
    contract,
    JSON.stringify({ contract: 1, title: 'Till', event, timeout: '500ms', events: { sold: true } }),
  );
  const server = createServer((request, response) => {
    request.resume().once('end', () => void setTimeout(() => response.end(), ms));
  });
  const origin = await listen(server, { host: '127.0.0.1', port: 0 });
  const only = ['receiver/acceptance/answers-in-time'];
  const receiver = { url: origin, probe: '', close: async () => void server.close() };
  const options = { contract, only, secret: [], probe: undefined, timeout: 20_000, seed: 42, shrinkTime: 0 };
  const [check] = (await testReceiver(receiver, options)).checks;
  return check;
}

test.concurrent('an answer that the sender does not wait for is late, however long the user waits', async () => {
  const check = await answeringAfter(1000);
  expect(check).toMatchObject({ outcome: 'warned' });
  expect(check?.counterexample?.expected).toMatch(/^an answer within 500 ms/);
});

test.concurrent('an answer within what the sender waits for is not', async () => {
  expect(await answeringAfter(0)).toMatchObject({ outcome: 'passed' });
});
