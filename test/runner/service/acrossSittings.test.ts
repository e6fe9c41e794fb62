import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';

import { startService } from '../../../reference/service/service.ts';
import type { AwaitedFirst, RetriesAwaited } from '../../../reports/model/events.ts';
import type { RunSummary } from '../../../reports/model/runSummary.ts';
import { freePort } from '../../../runner/catcher/freePort.ts';
import { runService } from '../../../runner/service/runService.ts';
import { servicePlan } from '../../../runner/service/servicePlan.ts';
import { testService } from '../../proof/testService.ts';
import { brokenIn } from '../../brokenIn.ts';

const check = 'service/retries/same-notification';
const header = 'X-SVC-Webhook-Signature';
/** What an endpoint of the kit answers where it knows nothing of a path, and where it refuses. */
const unknown = 404;

/** A retry of a notification that came first in an earlier sitting. */
interface Retry {
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly createdAt: string;
  readonly event: string;
  readonly id: string;
}

const right: Retry = {
  query: '?tenant=kit&mode=retry',
  headers: { 'X-Team': 'sea', [header]: 'signature' },
  createdAt: '2026-01-02T03:04:05.000Z',
  event: 'tracking_request.succeeded',
  id: randomUUID(),
};

function bodyOf({ id, event, createdAt }: Retry): string {
  const attributes = { event, delivery_status: 'pending', created_at: createdAt };
  return JSON.stringify({ data: { id, type: 'webhook_notification', attributes }, included: [] });
}

/** What the journal says of a first attempt that was right. */
function awaited(port: number, name: string): RetriesAwaited {
  const url = `http://127.0.0.1:${port}/${name}`;
  const headers = [['Content-Type', 'application/json'], ...Object.entries(right.headers)] as const;
  const signature = { header, sha256: createHash('sha256').update('signature').digest('hex') };
  const request = { method: 'POST', path: `/${name}${right.query}`, headers, body: bodyOf(right) };
  const first: AwaitedFirst = { ...request, from: '127.0.0.1', signature };
  return { type: 'retries.awaited', ms: 1, check, case: 1, url, id: right.id, attempts: 5, first };
}

/** Sends a retry until the endpoint is there, and says what it answered. */
async function retried(url: string, retry: Retry, isOver: () => boolean): Promise<number> {
  const init = {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...retry.headers },
    body: bodyOf(retry),
  };
  for (let status = unknown; ; await pause(20)) {
    status = await fetch(`${url}${retry.query}`, init).then(
      (answer) => answer.status,
      () => unknown,
    );
    if (status !== unknown || isOver()) return status;
  }
}

const planned = { only: [check], seed: 1, retryWindow: 20_000, assume: { 'delivery.timeout': '500ms' } } as const;

function started(): ReturnType<typeof startService> {
  return startService({ backoff: [60], timeout: 500 });
}

/** Goes on with a run that awaited retries, of which one comes. */
async function goneOn(change: Partial<Retry>): Promise<{ readonly summary: RunSummary; readonly status: number }> {
  const name = randomUUID().replaceAll('-', '');
  const one = awaited(await freePort('127.0.0.1', new Set()), name);
  const earlier = { id: 'a run', at: right.createdAt, settled: new Set<string>(), endpoints: [], learned: [] };
  let isOver = false;
  const run = testService(await started(), { ...planned, earlier: { ...earlier, awaited: [one] } }).finally(
    () => (isOver = true),
  );
  const [summary, status] = await Promise.all([run, retried(one.url, { ...right, ...change }, () => isOver)]);
  return { summary, status };
}

test('the first attempt is written down, with a hash of the signature that its retries have to carry', async () => {
  const service = await started();
  const { url, token, emit } = service;
  const written: RetriesAwaited[] = [];
  const plan = await servicePlan(url, { ...planned, token, emit, secondOpinion: false, intensity: 'quick' });
  for await (const event of runService(plan)) if (event.type === 'retries.awaited') written.push(event);
  await service.close();
  expect(new Set(written.map((event) => event.case)).size).toBe(7);
  for (const { first, id, attempts, url: at } of written) {
    expect(attempts).toBe(1);
    expect(JSON.parse(first.body)).toMatchObject({ data: { id } });
    expect(first.path.replace(/^\/kit%2F[a-z]+/, '')).toBe(`${new URL(at).pathname}${right.query}`);
    const value = first.headers.find(([name]) => name === header)?.[1] ?? '';
    expect(first.signature).toEqual({ header, sha256: createHash('sha256').update(value).digest('hex') });
  }
});

describe.concurrent('a retry of a notification that an earlier sitting caught', () => {
  const { headers } = right;
  const wrong: readonly (readonly [what: string, change: Partial<Retry>, broken: readonly string[]])[] = [
    ['is right', {}, []],
    ['is signed otherwise', { headers: { ...headers, [header]: 'another' } }, ['SIG-2', 'WHK-9']],
    ['is not signed', { headers: { 'X-Team': 'sea' } }, ['SIG-1']],
    ['goes to another URL', { query: '?tenant=kit' }, ['SVC-2']],
    ['says another time of creation', { createdAt: '2026-01-02T03:04:06.000Z' }, ['NTF-7']],
    ['is another notification', { id: randomUUID(), headers: {} }, []],
  ];

  test.each(wrong)('%s', { timeout: 120_000 }, async (_, change, broken) => {
    const { summary, status } = await goneOn(change);
    expect(status).not.toBe(unknown);
    const found = brokenIn(summary);
    expect(found.toSorted()).toEqual(broken.toSorted());
    const { outcome, counterexample } = summary.checks.find(({ id }) => id === check)!;
    expect(outcome).toBe(broken.length === 0 ? 'passed' : 'failed');
    const seen = counterexample?.exchange.attempts.map((attempt) => ('number' in attempt ? attempt.number : 0));
    expect(seen).toEqual(broken.length === 0 ? undefined : [1, 6]);
  });
});
