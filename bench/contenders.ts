import autocannon from 'autocannon';
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

const connections = 10;

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

/** A load generator that does nothing else: for a second it writes requests that were put together beforehand. */
export const cannon: Contender = async (url, deliveries) => {
  const requests = deliveries
    .slice(0, cannonballs)
    .map(({ headers, body }) => ({ headers: Object.fromEntries(headers), body }));
  const { method } = deliveries[0]!;
  const result = await autocannon({ url: url.href, method, connections, duration: 1, requests });
  if (result.errors + result.non2xx > 0) throw new Error('autocannon was not answered with 2xx throughout');
  return result.requests.total / result.duration;
};

const casesAtThorough = 400;

/**
 * The whole engine with one cheap check, after its positive control: it generates, signs, sends, judges and tells each
 * delivery.
 */
export const engine: Contender = async (url, deliveries) => {
  const checks = [acceptsAnything(deliveries.length / casesAtThorough)];
  const plan = await receiverPlan(url.href, { checks, secret: ['bench'], intensity: 'thorough', seed: 1 });
  let start = 0;
  let sent = 0;
  for await (const event of runReceiver(plan)) {
    if (event.type === 'control.finished') start = performance.now();
    if (event.type === 'delivery.finished' && event.check !== 'control') sent += 1;
    if (event.type === 'check.finished' && event.outcome !== 'passed') throw new Error(`the check ${event.outcome}`);
  }
  return (sent * 1000) / (performance.now() - start);
};

function acceptsAnything(weight: number) {
  return receiverCheck<Notification>({
    id: 'receiver/bench/accepts',
    title: 'accepts a plain delivery',
    requirements: ['RCV-1'],
    needs: [],
    weight,
    hint: '',
    cases: (draw) => [draw.notification()],
    run: (kit, notification) => expectAccepted(kit, kit.compose(notification), { requirement: 'RCV-1' }),
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
