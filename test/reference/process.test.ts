import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { conformingPolicies } from '../../reference/receiver/conformingPolicies.ts';
import { NotificationStore } from '../../reference/receiver/store.ts';
import { notification, Target } from './target.ts';
import { program } from '../programs.ts';

const main = program('receiver');
const secrets = ['whsec-process'];
const running: ChildProcessByStdio<null, Readable, Readable>[] = [];
let folder: string;
let database: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'seaworthy-test-'));
  database = join(folder, 'receiver.db');
});

afterEach(async () => {
  for (const child of running.splice(0)) child.kill('SIGKILL');
  await rm(folder, { recursive: true });
});

function run(...options: string[]) {
  const child = spawn(process.execPath, [main, '--port', '0', ...options], { stdio: ['ignore', 'pipe', 'pipe'] });
  running.push(child);
  return child;
}

async function start(...options: string[]) {
  const child = run('--secret', secrets[0]!, '--database', database, ...options);
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  return { child, target: new Target(JSON.parse(line) as { url: string; probe: string }, secrets) };
}

async function stop(child: ChildProcessByStdio<null, Readable, Readable>, signal: NodeJS.Signals) {
  const ended = once(child, 'exit');
  child.kill(signal);
  return (await ended) as [code: number | null, signal: string | null];
}

test('what was acknowledged before a kill takes effect once after the restart', async () => {
  const ids = Array.from({ length: 50 }, () => randomUUID());
  const first = await start();
  const answers = await Promise.all(ids.map((id) => first.target.send({ body: notification(id) })));
  expect(await stop(first.child, 'SIGKILL')).toEqual([null, 'SIGKILL']);
  expect(answers.every(({ status }) => status === 202)).toBe(true);

  const second = await start();
  const again = await Promise.all(ids.map((id) => second.target.send({ body: notification(id) })));
  expect(again.every(({ status }) => status === 200)).toBe(true);
  await second.target.settledEffects(ids.at(-1)!);
  const effects = await Promise.all(ids.map((id) => second.target.effects(id)));
  expect(effects).toEqual(ids.map(() => 1));
});

test('what was stored and never processed takes effect at the next start', async () => {
  const id = randomUUID();
  const store = new NotificationStore(database);
  const stored = conformingPolicies.read(Buffer.from(notification(id)))!;
  expect(await store.accept({ ...stored, key: id })).toBe('new');
  expect(store.effects(id)).toBe(0);
  store.close();

  const { target } = await start();
  await target.effective(id);
  expect(await target.effects(id)).toBe(1);
});

test.each(['SIGTERM', 'SIGINT'] as const)('it ends cleanly on %s', async (signal) => {
  const { child, target } = await start();
  expect((await target.send()).status).toBe(202);
  expect(await stop(child, signal)).toEqual([0, null]);
});

test('it runs with a fault', async () => {
  const { target } = await start('--fault', 'verifies-nothing');
  expect((await target.send({ signature: null })).status).toBe(202);
});

test.each([
  [['--secret', 's', '--fault', 'sinks'], /No fault is named sinks\. Valid are: verifies-nothing, /],
  [[], /No secret was given/],
  [['--colour'], /Unknown option '--colour'/],
])('it says what is wrong with %j and how it is used', async (options, message) => {
  const child = run(...options);
  const [error, [code]] = await Promise.all([child.stderr.toArray(), once(child, 'exit')]);
  expect(error.join('')).toMatch(message);
  expect(error.join('')).toContain('Usage: node reference/receiver/main.ts');
  expect(code).toBe(2);
});
