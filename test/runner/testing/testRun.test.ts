import { once } from 'node:events';
import { createServer } from 'node:http';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { startReceiver } from '../../../reference/receiver/receiver.ts';
import { startService } from '../../../reference/service/service.ts';
import { freePort } from '../../../runner/catcher/freePort.ts';
import { shellWord } from '../../../reports/curl/shell.ts';
import { callerOf, TestRun } from '../../../runner/testing/testRun.ts';
import { openTarget } from '../../../runner/testing/testTarget.ts';
import { receiverTests, serviceTests } from '../../../runner/testing/tests.ts';
import { secret, shop } from './projects/shop.ts';

let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'seaworthy-test-run-'));
});

afterAll(() => rm(directory, { recursive: true }));

/** Where journals go, so that none is left in this repository. */
const report = (): string => `journal=${join(directory, 'journal.ndjson')}`;

it('a service is tested with a function that raises its events', async () => {
  const service = await startService({ backoff: [10] });
  onTestFinished(() => service.close());
  const raised: string[] = [];
  const emit = async (event: string): Promise<void> => {
    raised.push(event);
    const headers = { 'content-type': 'application/json' };
    expect(await fetch(service.emit, { method: 'POST', headers, body: JSON.stringify({ event }) })).toMatchObject({
      ok: true,
    });
  };
  const only = 'service/signature/every-attempt';
  const options = { url: service.url, token: service.token, emit, only, intensity: 'quick', report: report() } as const;
  const tests = serviceTests(options, 'describeService');
  const run = new TestRun(tests, callerOf(serviceTests));
  await run.begin([only]);
  expect(tests.requirements).toMatchObject([{ checks: [{ id: only }] }]);
  expect(await run.verdict(tests.requirements[0]!.checks[0]!)).toEqual({ notes: [] });
  expect(raised.length).toBeGreaterThan(0);
  await run.end();
});

it('a receiver that reads its senders from the API finds it where the kit plays it', async () => {
  const port = await freePort('127.0.0.1', new Set());
  const api = { url: `http://127.0.0.1:${port}/v2`, key: 'any' };
  const receiver = await startReceiver({ secrets: [secret], api, publishedFromApi: true, refresh: 150 });
  onTestFinished(() => receiver.close());
  const only = 'receiver/source/changed-list';
  const played = { apiListen: `127.0.0.1:${port}`, published: ['127.0.0.1', '127.0.0.2'] };
  const tests = receiverTests(
    { url: receiver.url, secret, only, intensity: 'quick', settle: 400, report: report(), ...played },
    'describeReceiver',
  );
  const run = new TestRun(tests, callerOf(receiverTests));
  await run.begin([only]);
  expect(await run.verdict(tests.requirements[0]!.checks[0]!)).toEqual({ notes: [] });
  await run.end();
});

it('a command that prints its port is asked by paths, and recovers', async () => {
  const port = await freePort('127.0.0.1', new Set());
  const recovering = join(import.meta.dirname, '../../proof/receivers/recoveringNode.ts');
  const words = [process.execPath, recovering, '0', `http://127.0.0.1:${port}/v2`, directory, 'on request'];
  const start = { command: words.map(shellWord).join(' '), wait: { stdout: /on (?<port>\d+)/ } };
  const linked = { apiListen: `127.0.0.1:${port}`, recover: '/recover', probe: '/effects/{id}' };
  const only = ['receiver/recovery/after-an-outage', 'receiver/crash/acknowledged'];
  const tests = receiverTests(
    { start, url: '/hooks', secret, only, intensity: 'quick', settle: 400, seed: 1, report: report(), ...linked },
    'describeReceiver',
  );
  const run = new TestRun(tests, callerOf(receiverTests));
  await run.begin(only);
  for (const check of tests.requirements.flatMap(({ checks }) => checks))
    expect(await run.verdict(check)).toEqual({ notes: [] });
  await run.end();
});

it('a run that is ended early closes its app, and says nothing of what it did not see', async () => {
  const server = createServer((request, response) => void shop()(request, response));
  const only = 'receiver/signature/*';
  const tests = receiverTests({ app: server, url: '/hooks', secret, only, report: report() }, 'describeReceiver');
  const checks = tests.requirements.flatMap((requirement) => requirement.checks);
  const run = new TestRun(tests, callerOf(receiverTests));
  await run.begin(checks.map(({ id }) => id));
  expect(server.listening).toBe(true);
  await run.end();
  expect(server.listening).toBe(false);
  const forged = checks.find(({ id }) => id === 'receiver/signature/forged');
  expect(await run.verdict(forged!)).toEqual({ notes: [], skipped: expect.any(String) });
});

it('nothing is opened where no test is needed', async () => {
  const server = createServer();
  const tests = receiverTests({ app: server, url: '/hooks' }, 'describeReceiver');
  const run = new TestRun(tests, callerOf(receiverTests));
  void run.begin([]);
  await run.end();
  expect(server.listening).toBe(false);
});

describe('options of tests', () => {
  it.each([
    [{}, 'neither url nor app was given'],
    [{ app: shop(), url: 'http://localhost:3000' }, 'app was given with a whole url'],
    [{ app: shop(), start: 'node a.js' }, 'app and start were given together'],
    [{ url: 'http://localhost:3000', secrets: 'x' }, 'describeReceiver: there is no key "receiver.secrets"'],
    [{ url: 'http://localhost:3000', intensity: 'fast' }, 'describeReceiver: receiver.intensity cannot be "fast"'],
    [{ url: 'http://localhost:3000', only: 'VRF-99' }, '--only VRF-99 matches nothing'],
    [{ url: 'http://localhost:3000', expectFailures: [{ id: 'VRF-2' }] }, 'entry 1 has no reason'],
  ])('are refused as soon as tests are listed: %j', (options, message) => {
    expect(() => receiverTests(options as object, 'describeReceiver')).toThrow(message);
  });

  it('use what runs already, where that is asked for', async () => {
    const server = createServer().listen(0, 'localhost');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const address = server.address();
    const url = `http://localhost:${typeof address === 'object' ? address?.port : ''}/hooks`;
    const start = { command: 'node server.js', wait: { stdout: /up/ } };
    const reused = await openTarget({ url, start: { ...start, reuseExisting: true } });
    expect(reused.located).toEqual({ url, start: undefined, env: {}, secretEnv: undefined });
    const started = await openTarget({ url, start });
    expect(started.located).toEqual({ url, wait: /up/ });
  });
});
