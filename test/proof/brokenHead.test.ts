import { connect, createServer, type AddressInfo } from 'node:net';

import { expect, test } from 'vitest';

import { serviceFaults } from '../../reference/faults/service/index.ts';
import { conformingPolicies } from '../../reference/service/conformingPolicies.ts';
import { startService } from '../../reference/service/service.ts';
import { asFound } from './testReceiver.ts';
import { pace, testService } from './testService.ts';

/** Sends all on to a port, and writes a header as a client does that takes a line feed into its value. */
async function startRelay(port: () => number) {
  const server = createServer((socket) => {
    const onward = connect(port(), '127.0.0.1');
    socket.on('data', (bytes) => {
      onward.write(bytes.toString('latin1').replace(/^(X-Kit: a)\r\n/im, '$1\n\r\n'), 'latin1');
    });
    onward.pipe(socket);
    for (const each of [socket, onward]) each.on('error', () => [socket, onward].forEach((one) => one.destroy()));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: (server.address() as AddressInfo).port, close: () => server.close() };
}

test('a custom header that breaks the head of a request apart is found', { timeout: 60_000 }, async () => {
  let caught = 0;
  const relay = await startRelay(() => caught);
  const { headerProblems } = serviceFaults['matches-headers-up-to-a-line-break']!.change(conformingPolicies);
  const policies: typeof conformingPolicies = {
    ...conformingPolicies,
    headerProblems,
    headerName: (name) => conformingPolicies.headerName(name.trim()),
    customHeaders: ({ webhook }) => (webhook.headers ?? []).map(({ name, value }) => ({ name, value: value.trim() })),
    destination: ({ webhook }) => {
      const url = new URL(webhook.url);
      caught = Number(url.port);
      return Object.assign(url, { port: String(relay.port) }).href;
    },
  };
  const { checks } = await testService(await startService({ ...pace, policies }), {
    only: ['service/custom-headers/harmless'],
    secondOpinion: false,
    intensity: 'standard',
    seed: 42,
    settle: 400,
    retryWindow: 4000,
    ...asFound,
  });
  relay.close();
  expect(checks[0]?.counterexample).toMatchObject({
    requirements: ['DLV-1'],
    actual: expect.stringContaining('a line of its head is none'),
  });
});
