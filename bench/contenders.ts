import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import autocannon from 'autocannon';
import fc from 'fast-check';
import { Pool } from 'undici';

import { createDeliverer } from '../runner/http/deliverer.ts';
import { runReceiver } from '../runner/receiver/runReceiver.ts';
import { receiverPlan } from '../runner/receiver/receiverPlan.ts';
import { receiverCheck } from '../suites/check.ts';
import type { Delivery } from '../suites/delivery.ts';
import { expectAccepted } from '../suites/receiver/expectation.ts';
import type { Notification } from '../generators/notification/notification.ts';

/** Something that sends deliveries to one URL. Resolves to its deliveries per second. */
export type Contender = (url: URL, deliveries: readonly Delivery[]) => Promise<number>;

/** As many as a service with some load has to one receiver. */
export const connections = 50;

/** The least that a client can do with undici: a pool, a loop for each connection, and answers that are dropped. */
export const bareUndici: Contender = async (url, deliveries) => {
  const pool = new Pool(url.origin, { connections });
  const headers = deliveries.map((delivery) => Object.fromEntries(delivery.headers));
  const rate = await inLoops(deliveries.length, async (index) => {
    const { method, body } = deliveries[index]!;
    const answer = await pool.request({ path: url.pathname, method, headers: headers[index]!, body });
    await answer.body.dump();
    requireAccepted(answer.statusCode);
  });
  await pool.close();
  return rate;
};

/** The engine's deliverer: time-outs, slots, raw headers, and answers that are read, timed and kept. */
export const deliverer: Contender = async (url, deliveries) => {
  const sender = createDeliverer({ url, timeout: 10_000, concurrency: connections, headers: [], insecure: false });
  const rate = await inLoops(deliveries.length, async (index) => {
    const answer = await sender.deliver(deliveries[index]!);
    requireAccepted(answer.kind === 'answered' ? answer.status : 0);
  });
  await sender.close();
  return rate;
};

/** Different requests that autocannon repeats: it puts each together once for every connection, before it starts. */
const cannonballs = 50;

/**
 * A load generator that does nothing else: it writes requests that were put together beforehand.
 *
 * @param seconds - for which it does
 */
export async function cannon(url: URL, deliveries: readonly Delivery[], seconds: number): Promise<number> {
  const requests = deliveries
    .slice(0, cannonballs)
    .map(({ headers, body }) => ({ headers: Object.fromEntries(headers), body }));
  const { method } = deliveries[0]!;
  const result = await autocannon({ url: url.href, method, connections, duration: seconds, requests });
  if (result.errors + result.non2xx > 0) throw new Error('autocannon was not answered with 2xx throughout');
  return result.requests.total / result.duration;
}

const casesAtThorough = 400;

/**
 * The whole engine with one cheap check, after its positive control: it generates, signs, sends, judges and reports each
 * delivery.
 */
export const engine: Contender = (url, { length }) => engineRun(url, length, 1);

/** @param ofEach - deliveries of each case. @returns deliveries per second */
export async function engineRun(url: URL, deliveries: number, ofEach: number): Promise<number> {
  const checks = [acceptsAnything(deliveries / ofEach / casesAtThorough, ofEach)];
  const options = { secret: ['bench'], intensity: 'thorough', seed: 1, concurrency: connections } as const;
  const plan = await receiverPlan(url.href, { checks, ...options });
  let start = 0;
  let sent = 0;
  for await (const event of runReceiver(plan)) {
    if (event.type === 'control.finished') start = performance.now();
    if (event.type === 'delivery.finished' && event.check !== 'control') sent += 1;
    if (event.type === 'check.finished' && event.outcome !== 'passed') throw new Error(`the check ${event.outcome}`);
  }
  if (sent !== deliveries) throw new Error(`${sent} of ${deliveries} deliveries were sent`);
  return (sent * 1000) / (performance.now() - start);
}

/** The program of that name, where the machine has it. A script of it writes the deliveries one after the other. */
export async function wrk(url: URL, deliveries: readonly Delivery[]): Promise<number | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'seaworthy-wrk-'));
  try {
    const script = join(folder, 'deliveries.lua');
    await writeFile(script, scriptOf(deliveries.slice(0, cannonballs)));
    const words = ['-t', '1', '-c', String(connections), '-d', '1s', '-s', script, url.href];
    const { stdout, error } = spawnSync('wrk', words, { encoding: 'utf8' });
    if (error !== undefined) return undefined;
    if (/Non-2xx|Socket errors/.test(stdout)) throw new Error(`wrk was not answered with 2xx throughout: ${stdout}`);
    return Number(/Requests\/sec:\s*([\d.]+)/.exec(stdout)?.[1]);
  } finally {
    await rm(folder, { recursive: true });
  }
}

function scriptOf(deliveries: readonly Delivery[]): string {
  const text = (bytes: string | Buffer): string =>
    `"${[...Buffer.from(bytes)].map((byte) => `\\${String(byte).padStart(3, '0')}`).join('')}"`;
  const requests = deliveries.map(({ method, headers, body }) => {
    const fields = headers.map(([name, value]) => `[${text(name)}]=${text(value)}`);
    return `wrk.format(${text(method)}, nil, {${fields.join(',')}}, ${text(body)})`;
  });
  const next = 'request = function() at = at % #all + 1 return all[at] end';
  return `local all, at = {}, 0\ninit = function()\nall = {${requests.join(',\n')}}\nend\n${next}\n`;
}

function acceptsAnything(weight: number, ofEach: number) {
  return receiverCheck<readonly Notification[]>({
    id: 'receiver/bench/accepts',
    title: 'accepts plain deliveries',
    requirements: ['RCV-1'],
    needs: [],
    weight,
    hint: '',
    cases: (draw) => [fc.array(draw.notification(), { minLength: ofEach, maxLength: ofEach })],
    async run(kit, notifications) {
      for (const notification of notifications) {
        const found = await expectAccepted(kit, kit.compose(notification), { requirement: 'RCV-1' });
        if (found) return found;
      }
      return undefined;
    },
  });
}

/** Calls `send` for every index, `connections` at a time. Resolves to the calls per second. */
async function inLoops(count: number, send: (index: number) => Promise<void>): Promise<number> {
  const start = performance.now();
  let next = 0;
  const loop = async () => {
    while (next < count) await send(next++);
  };
  await Promise.all(Array.from({ length: connections }, loop));
  return (count * 1000) / (performance.now() - start);
}

function requireAccepted(status: number): void {
  if (status !== 202) throw new Error(`the server answered ${status || 'nothing'} instead of 202`);
}
