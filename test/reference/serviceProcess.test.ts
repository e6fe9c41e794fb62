import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import type { Readable } from 'node:stream';

import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';

import { type Api, catalogue, ServiceClient } from './serviceClient.ts';
import { type Script, type ServiceEndpoint, ServiceEndpoints, type Treatment } from './serviceEndpoints.ts';
import { program, room } from '../programs.ts';

type Process = ChildProcessByStdio<null, Readable, Readable>;

const main = program('service');
const running: Process[] = [];
let endpoints: ServiceEndpoints;
let folder: string;
let database: string;

beforeAll(async () => {
  endpoints = await new ServiceEndpoints().start();
});

afterAll(() => endpoints.close());

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'seaworthy-test-'));
  database = join(folder, 'service.db');
});

afterEach(async () => {
  for (const child of running.splice(0)) {
    if (child.exitCode === null && child.signalCode === null) await stop(child, 'SIGKILL');
  }
  await rm(folder, { recursive: true });
});

function run(options: readonly string[], environment: NodeJS.ProcessEnv = {}): Process {
  const child = spawn(process.execPath, [...room, main, '--port', '0', ...options], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...environment },
  });
  running.push(child);
  return child;
}

async function start(options: readonly string[], environment: NodeJS.ProcessEnv = {}) {
  const child = run(['--database', database, ...options], environment);
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  const reported = JSON.parse(line) as Api;
  return { child, reported, client: new ServiceClient(reported) };
}

async function stop(child: Process, signal: NodeJS.Signals) {
  const ended = once(child, 'exit');
  child.kill(signal);
  return (await ended) as [code: number | null, signal: string | null];
}

/** Settles when so many attempts have come to all endpoints together. */
async function attemptsOf(hooks: readonly ServiceEndpoint[], count: number): Promise<void> {
  const total = () => hooks.reduce((sum, { attempts }) => sum + attempts.length, 0);
  while (total() < count) await Promise.race(hooks.map((endpoint) => once(endpoint, 'caught')));
}

const failing = (failures: number, then: Treatment): Script =>
  [...Array<Treatment>(failures).fill(500), then] as unknown as Script;

test('killed again and again, it loses nothing, and sends nothing more than 13 times', async () => {
  const options = ['--token', 'key', '--backoff', '1s,20ms,40ms', '--timeout', '1s'];
  const sure = [[200], failing(1, 204), failing(3, 200), failing(6, 202), ['reset', 'half', 200], ['hang', 201]];
  const scripts = [...sure, failing(11, 200), failing(12, 200), [500], ['reset']] as readonly Script[];
  const hooks = scripts.map((script) => endpoints.add(...script));
  let service = await start(options);
  for (const { url } of hooks) await service.client.webhook(url);
  const events = 4;
  const counts = await Promise.all(Array.from({ length: events }, (_, at) => service.client.emit(catalogue[at]!)));
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(10 * events);
  const before = await service.client.all('listWebhookNotifications');

  // Of about 280 attempts.
  const kills = [28, 80, 175];
  for (const count of kills) {
    await attemptsOf(hooks, count);
    expect(await stop(service.child, 'SIGKILL')).toEqual([null, 'SIGKILL']);
    service = await start(options);
  }
  const after = await service.client.settled(10 * events, 150_000);
  expect(after.map(({ id }) => id)).toEqual(before.map(({ id }) => id));
  const statuses = new Map(after.map(({ id, attributes }) => [id, attributes.delivery_status]));
  expect(await stop(service.child, 'SIGTERM')).toEqual([0, null]);

  const counted = countedAttempts();
  for (const [at, endpoint] of hooks.entries()) {
    const sent = endpoint.byId();
    expect(sent.size).toBe(events);
    for (const [id, attempts] of sent) {
      expect(attempts.length).toBeLessThanOrEqual(counted.get(id)!);
      expect(counted.get(id)).toBeLessThanOrEqual(13);
      expect(attempts.every(({ body }) => body.equals(attempts[0]!.body))).toBe(true);
      if (at < sure.length) continue;
      const fewest = statuses.get(id) === 'failed' ? 13 - kills.length : scripts[at]!.length;
      expect(attempts.length).toBeGreaterThanOrEqual(fewest);
    }
    const ends = new Set([...sent.keys()].map((id) => statuses.get(id)));
    // A kill during the last attempts may cost one that would have been accepted.
    const possible = at < sure.length ? ['succeeded'] : at < scripts.length - 2 ? ['succeeded', 'failed'] : ['failed'];
    for (const end of ends) expect(possible).toContain(end);
  }
});

/** The attempts that the service counted, by the id of the notification. */
function countedAttempts(): ReadonlyMap<string, number> {
  const file = new DatabaseSync(database);
  const rows = file.prepare('SELECT id, attempts FROM webhook_notifications').all() as {
    id: string;
    attempts: number;
  }[];
  file.close();
  return new Map(rows.map(({ id, attempts }) => [id, attempts]));
}

test('a last attempt that a kill cut short is not made again', async () => {
  const endpoint = endpoints.add(...failing(12, 'hang'));
  const first = await start(['--backoff', '1ms', '--token', 'key']);
  await first.client.webhook(endpoint.url);
  await first.client.emit(catalogue[0]!);
  await endpoint.caught(13);
  await stop(first.child, 'SIGKILL');
  const second = await start(['--backoff', '1ms', '--token', 'key']);
  const [notification] = await second.client.settled(1);
  expect(notification!.attributes.delivery_status).toBe('failed');
  expect(endpoint.attempts).toHaveLength(13);
});

test('a voyage goes on after a kill, and sends nothing twice', async () => {
  const endpoint = endpoints.add(200);
  const options = ['--token', 'key', '--speed', '1500000'];
  let service = await start(options);
  await service.client.webhook(endpoint.url);
  const body = { data: { type: 'tracking_request', attributes: {} } };
  const [scac, number] = service.reported.trackable.split(':');
  body.data.attributes = { request_type: 'container', request_number: number, scac };
  await service.client.call('createTrackingRequest', { body });
  for (const count of [5, 15, 30]) {
    await endpoint.caught(count);
    await stop(service.child, 'SIGKILL');
    service = await start(options);
  }
  await service.client.until('listTrackingRequests', ([request]) => request!.attributes.status === 'tracking_stopped');
  const listed = await service.client.settled(40);
  const counts = [...Map.groupBy(listed, ({ attributes }) => attributes.event).values()].map((all) => all.length);
  expect(counts).toHaveLength(41);
  const shipments = await service.client.all('listShipments');
  const containers = await service.client.all('listContainers');
  expect([shipments.length, Math.max(...counts)]).toEqual([1, containers.length]);
});

test.each(['SIGTERM', 'SIGINT'] as const)(
  'it ends cleanly on %s, also while a receiver keeps it waiting',
  async (signal) => {
    const endpoint = endpoints.add('hang');
    const { child, client } = await start([]);
    await client.webhook(endpoint.url);
    await client.emit(catalogue[0]!);
    await endpoint.caught(1);
    expect(await stop(child, signal)).toEqual([0, null]);
  },
);

test('it says where it listens, what the key is and what can be tracked, and takes its pauses from the environment', async () => {
  const { reported, client } = await start(['--token', 'key', '--host', '127.0.0.1'], { BACKOFF: '10ms, 1ms' });
  const origin = /^http:\/\/127\.0\.0\.1:\d+/.exec(reported.url)![0];
  expect(reported).toEqual({
    url: `${origin}/v2`,
    token: 'key',
    emit: `${origin}/emit`,
    trackable: 'MAEU:MAEU123456789',
    untrackable: 'MAEU:MAEU123456404',
  });
  const endpoint = endpoints.add(500, 500, 200);
  await client.webhook(endpoint.url);
  await client.emit(catalogue[0]!);
  await endpoint.caught(3);
  expect((await client.settled(1))[0]!.attributes.delivery_status).toBe('succeeded');
});

test('a database serves one process at a time', async () => {
  await start([]);
  const child = run(['--database', database]);
  const [error, [code]] = await Promise.all([child.stderr.toArray(), once(child, 'exit')]);
  expect(Buffer.concat(error as Buffer[]).toString()).toMatch(
    /service\.db cannot be used: .*locked\. A file serves one/,
  );
  expect(code).toBe(2);
});

test.each([
  [['--fault', 'sinks'], /No fault is named sinks\. Valid are: /],
  [['--speed', 'fast'], /speed is NaN; valid is any number above 0/],
  [['--colour'], /Unknown option '--colour'/],
])('it says what is wrong with %j and how it is used', async (options, message) => {
  const child = run(options);
  const [error, [code]] = await Promise.all([child.stderr.toArray(), once(child, 'exit')]);
  const text = Buffer.concat(error as Buffer[]).toString();
  expect(text).toMatch(message);
  expect(text).toContain('Usage: node reference/service/main.ts');
  expect(code).toBe(2);
});
