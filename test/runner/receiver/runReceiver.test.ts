import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterEach, describe, expect, test } from 'vitest';

import { receiverFaults } from '../../../reference/faults/receiver/index.ts';
import { conformingPolicies } from '../../../reference/receiver/conformingPolicies.ts';
import { startReceiver } from '../../../reference/receiver/receiver.ts';
import type { CheckFinished, DeliveryFinished, RunEvent } from '../../../reports/model/events.ts';
import { summarise } from '../../../reports/model/summary.ts';
import { runReceiver } from '../../../runner/receiver/runReceiver.ts';
import { receiverPlan, type ReceiverPlanOptions } from '../../../runner/receiver/receiverPlan.ts';
import { receiverCheck, type ReceiverCheck } from '../../../suites/check.ts';

const secret = ['a secret of the engine'];
const cleanUps: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp();
});

async function reference(fault?: string) {
  const policies = fault === undefined ? {} : receiverFaults[fault]!.change(conformingPolicies);
  const receiver = await startReceiver({ secrets: secret, policies });
  cleanUps.push(() => receiver.close());
  return receiver;
}

async function listening(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  cleanUps.push(() => new Promise((resolve) => server.close(resolve)));
  cleanUps.push(() => Promise.resolve(server.closeAllConnections()));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`;
}

async function eventsOf(url: string, options: ReceiverPlanOptions = {}): Promise<readonly RunEvent[]> {
  return Array.fromAsync(runReceiver(await receiverPlan(url, { secret, intensity: 'quick', seed: 7, ...options })));
}

function finished(events: readonly RunEvent[]): readonly CheckFinished[] {
  return events.filter((event) => event.type === 'check.finished');
}

function deliveries(events: readonly RunEvent[]): readonly DeliveryFinished[] {
  return events.filter((event) => event.type === 'delivery.finished');
}

describe('a run against the reference receiver', () => {
  test('begins and ends with its own events, and every check that starts finishes once', async () => {
    const { url, probe } = await reference();
    const events = await eventsOf(url, { probe, only: ['IDM-*'] });
    expect(events[0]!.type).toBe('run.started');
    expect(events.at(-1)).toMatchObject({ type: 'run.finished', complete: true, interrupted: false });
    const started = events.flatMap((event) => (event.type === 'check.started' ? [event.check] : []));
    expect(
      finished(events)
        .map(({ check }) => check)
        .toSorted(),
    ).toEqual(started.toSorted());
    expect(new Set(started).size).toBe(started.length);
    expect(JSON.parse(JSON.stringify(events))).toEqual(events);
  });

  test('sees of all effects side by side that they are there when the answer comes', async () => {
    const done = new Set<string>();
    const url = await listening((request, response) => {
      let body = '';
      request.on('data', (bytes: Buffer) => (body += bytes.toString()));
      request.on('end', () => {
        done.add(/"id":"([^"]+)"/.exec(body)?.[1] ?? '');
        response.writeHead(202).end();
      });
    });
    const probe = async (id: string) => Promise.resolve(done.has(id) ? 1 : 0);
    const events = await eventsOf(url, { probe, only: ['receiver/load/backlog'], events: ['shipment.*'] });
    expect(summarise(events).observations.find(({ gap }) => gap === 'RCV-4')).toMatchObject({
      value: 'effects come before the answer',
      evidence: '10 of 10 effects were there when the answer came, 10 of 10 a little later',
    });
  });

  test('tries the same cases for the same seed, whatever else is selected, and never the same delivery twice', async () => {
    const { url, probe } = await reference();
    const more = await eventsOf(url, { probe, only: ['VRF-1', 'VRF-3', 'RCV-1'] });
    const some = await eventsOf(url, { probe, only: ['VRF-3'] });
    const check = 'receiver/signature/changed-after-signing';
    const casesOf = (events: readonly RunEvent[]) =>
      deliveries(events)
        .filter((delivery) => delivery.check === check)
        .map((delivery) => `${delivery.case} ${delivery.event} ${delivery.bytes}`)
        .toSorted();
    expect(casesOf(more).length).toBeGreaterThan(10);
    expect(casesOf(some)).toEqual(casesOf(more));
    const distinct = new Set(deliveries(more).map(({ digest, ms, id }) => `${digest} ${id} ${ms}`));
    expect(distinct.size / deliveries(more).length).toBeGreaterThan(0.9);
  });

  test('stops at the first failure under --bail', async () => {
    const { url, probe } = await reference('verifies-nothing');
    const summary = summarise(await eventsOf(url, { probe, bail: true, only: ['VRF-2', 'VRF-3'] }));
    expect(summary.summary.failed).toBeGreaterThan(0);
    expect(summary.run.complete).toBe(false);
    expect(summary.lost).toBeUndefined();
  });

  test.each([
    ['refuses-with-200', true],
    ['verifies-nothing', false],
  ])('what is accepted of one that %s is said to have been refused: %s', async (fault, isRefused) => {
    const { url, probe } = await reference(fault);
    const { checks } = summarise(await eventsOf(url, { probe, settle: 100, only: ['receiver/signature/refusal'] }));
    const hint = checks.find(({ id }) => id === 'receiver/signature/refusal')?.counterexample?.hint ?? '';
    expect(hint).not.toBe('');
    expect(hint.includes('only the status says otherwise')).toBe(isRefused);
  });

  test('is complete in what it says when it is interrupted', async () => {
    const { url, probe } = await reference();
    const interruption = new AbortController();
    const plan = await receiverPlan(url, { secret, probe, intensity: 'thorough', signal: interruption.signal });
    const events: RunEvent[] = [];
    for await (const event of runReceiver(plan)) {
      events.push(event);
      if (deliveries(events).length === 100) interruption.abort();
    }
    expect(events.at(-1)).toMatchObject({ type: 'run.finished', complete: false, interrupted: true });
    expect(finished(events).every(({ outcome }) => outcome !== 'failed' && outcome !== 'errored')).toBe(true);
  });
});

describe('what cannot be tested', () => {
  test('a receiver that refuses a plain delivery is named with its answer', async () => {
    const url = await listening((_request, answer) => answer.writeHead(403, { 'Content-Type': 'text/html' }).end());
    const summary = summarise(await eventsOf(url));
    expect(summary.lost?.reason).toBe(
      'The secret or the sender address may be wrong: a plain valid delivery was not accepted, the receiver answered 403 Forbidden',
    );
    expect(summary.lost?.advice).toContain('It answered with an HTML page');
    expect(summary.summary.deliveries).toBeLessThan(60);
    expect(summary.checks.every(({ outcome }) => outcome === 'not-observable')).toBe(true);
  });
});

test('a page that says that nothing is there is not taken for a protection before the receiver', async () => {
  const url = await listening((_request, answer) => answer.writeHead(404, { 'Content-Type': 'text/html' }).end());
  const { lost } = summarise(await eventsOf(url));
  expect(lost?.reason).toMatch(/^The address may be wrong/);
  expect(lost?.advice).not.toContain('HTML');
});

test('the case that a receiver died of is shown, although nothing is left to ask', async () => {
  const { url, probe } = await reference('dies-of-deep-nesting');
  const summary = summarise(await eventsOf(url, { probe, only: ['receiver/robustness/unusual-json'] }));
  const nested = summary.checks.find(({ id }) => id === 'receiver/robustness/unusual-json');
  expect(nested?.outcome).toBe('warned');
  expect(nested?.counterexample?.requirements).toEqual(['ROB-1']);
  expect(summary.lost?.reason).toContain('after a case of receiver/robustness/unusual-json');
});

/** Neither of them sends anything. */
const broken: ReceiverCheck = receiverCheck({
  id: 'receiver/test/throws',
  title: 'throws',
  requirements: ['RCV-1'],
  needs: [],
  cases: (draw) => [draw.notification()],
  run: () => Promise.reject(new TypeError('a bug of the check')),
  hint: '',
});
const passing: ReceiverCheck = { ...broken, id: 'receiver/test/passes', run: () => Promise.resolve(undefined) };

test('a check that throws is a fault of the kit, and stops no other', async () => {
  const { url } = await reference();
  const summary = summarise(await eventsOf(url, { checks: [broken, passing] }));
  expect(summary.checks.map(({ outcome }) => outcome)).toEqual(['errored', 'passed']);
  expect(summary.errors.map(({ message }) => message)).toEqual(['a bug of the check']);
});

test('a check whose schedule has no phase is a bug of the kit, and not one for which there was no time', async () => {
  const { url } = await reference();
  const waiting = { ...passing, id: 'receiver/test/waits', schedule: { kind: 'waiting' } } as unknown as ReceiverCheck;
  const { errors } = summarise(await eventsOf(url, { checks: [passing, waiting] }));
  expect(errors.map(({ message }) => message)).toEqual([
    "No phase tries receiver/test/waits: add the checks of the schedule 'waiting' to phases of the side of a receiver.",
  ]);
});

test('a check that the contract leaves without a case is not observable, and its requirement is not observed', async () => {
  const { url } = await reference();
  const empty: ReceiverCheck = { ...passing, id: 'receiver/test/nothing', cases: () => [] };
  const summary = summarise(await eventsOf(url, { checks: [empty] }));
  expect(summary.checks).toMatchObject([
    { outcome: 'not-observable', cases: 0, reason: expect.stringContaining('the contract leaves nothing to try') },
  ]);
  expect(summary.requirements.find(({ id }) => id === 'RCV-1')?.outcome).toBe('not-observed');
  expect(summary.errors).toEqual([]);
});
