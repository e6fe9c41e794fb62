import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { receiverFaults } from '../../../reference/faults/receiver/index.ts';
import { conformingPolicies } from '../../../reference/receiver/conformingPolicies.ts';
import { startReceiver, type RunningReceiver } from '../../../reference/receiver/receiver.ts';
import type { RunEvent } from '../../../reports/model/events.ts';
import { runReceiver } from '../../../runner/receiver/runReceiver.ts';
import { receiverPlan, type ReceiverPlanOptions } from '../../../runner/receiver/receiverPlan.ts';
import { runHere } from '../runHere.ts';
import { useTargets } from '../targets.ts';

const secret = ['a secret of late redeliveries'];
const late = 'receiver/idempotency/late-redelivery';
const targets = useTargets();

async function reference(fault?: string, port = 0): Promise<RunningReceiver> {
  const policies = fault === undefined ? {} : receiverFaults[fault]!.change(conformingPolicies);
  const receiver = await startReceiver({ secrets: secret, policies, port });
  targets.closeAfterwards(() => receiver.close());
  return receiver;
}

async function eventsOf(url: string, options: ReceiverPlanOptions): Promise<readonly RunEvent[]> {
  return Array.fromAsync(runReceiver(await receiverPlan(url, { secret, intensity: 'quick', seed: 7, ...options })));
}

function finished(events: readonly RunEvent[]) {
  return events.filter((event) => event.type === 'check.finished');
}

/** The gap that a text names, in milliseconds. */
function gapIn(text: string | undefined): number {
  return Number(/^redelivered ([\d.]+) s after the first delivery/.exec(text ?? '')?.[1]) * 1000;
}

describe('a late redelivery', () => {
  test('is what a run ends with, of all that came first, and the report says how late it was', async () => {
    const { url, probe } = await reference();
    const events = await eventsOf(url, { probe, only: [late, 'receiver/idempotency/first-delivery-failed', 'VRF-1'] });
    expect(finished(events).at(-1)).toMatchObject({ check: late, outcome: 'passed', cases: 1 });
    const sent = events.filter((event) => event.type === 'delivery.finished');
    expect(new Set(sent.slice(sent.findIndex(({ check }) => check === late)).map(({ check }) => check))).toEqual(
      new Set([late]),
    );
    const first = new Set(sent.filter(({ check }) => check === 'control').map(({ id }) => id));
    const again = sent.filter(({ check }) => check === late);
    expect(again.length).toBeGreaterThan(20);
    expect(again.every(({ id }) => first.has(id))).toBe(true);
    const seen = events.find((event) => event.type === 'observed' && event.gap === 'IDM-2');
    const { value, evidence } = seen as Extract<RunEvent, { type: 'observed' }>;
    expect(value).toBe('ids are remembered until the end of the run');
    const apart = again[0]!.ms - sent.findLast(({ check }) => check === 'control')!.ms;
    expect(gapIn(evidence)).toBeGreaterThanOrEqual(1200);
    expect(gapIn(evidence)).toBeLessThanOrEqual(apart);
  });

  test.each(['forgets-ids-after-one-second', 'forgets-ids-after-five-others'])(
    'finds a receiver that %s, and shows both deliveries',
    async (fault) => {
      const { url, probe } = await reference(fault);
      const [check] = finished(await eventsOf(url, { probe, only: [late] }));
      expect(check).toMatchObject({ outcome: 'failed', counterexample: { actual: '2 effects' } });
      const { attempts, difference } = check!.counterexample!.exchange;
      expect(gapIn(difference)).toBeGreaterThanOrEqual(1200);
      expect(attempts).toHaveLength(2);
      expect(attempts[1]!.request.body).toEqual(attempts[0]!.request.body);
    },
  );

  test('is no effect that comes once more by itself, in the look at the end of the run', async () => {
    const { url, probe } = await reference('forgets-ids-after-one-second');
    const checks = finished(await eventsOf(url, { probe, only: [late, 'receiver/idempotency/stays-once'] }));
    expect(checks.map(({ check, outcome }) => `${check} ${outcome}`).toSorted()).toEqual([
      `${late} failed`,
      'receiver/idempotency/stays-once passed',
    ]);
  });

  test.each([
    ['refuses-what-it-archived', ['IDM-1']],
    ['shares-what-it-verifies', []],
  ])('finds a refusal only where it is one of what is known, beside nothing else: %s', async (fault, broken) => {
    const { url, probe } = await reference(fault);
    const [check] = finished(await eventsOf(url, { probe, only: [late] }));
    expect(check?.counterexample?.requirements ?? []).toEqual(broken);
  });

  test('shows nothing where the effects of the beginning cannot be seen any more', async () => {
    let began: number | undefined;
    let received = '';
    const { href, origin } = await targets.http((request, answer) => {
      if (request.method === 'POST') {
        request.on('data', (bytes: Buffer) => (received += bytes.toString())).on('end', () => answer.end());
        return;
      }
      const isRecent = performance.now() - (began ??= performance.now()) < 500;
      answer.end(JSON.stringify({ count: isRecent && received.includes(request.url!.slice(1)) ? 1 : 0 }));
    });
    const only = [late, 'receiver/idempotency/stays-once'];
    expect(finished(await eventsOf(href, { probe: `${origin}/{id}`, only }))).toMatchObject([
      {
        outcome: 'not-observable',
        reason: 'no notification of the beginning of the run shows exactly one effect at its end',
      },
      {
        outcome: 'not-observable',
        reason: 'what took effect first is counted no more: let the probe count since the beginning of the run',
      },
    ]);
  });

  test('is not called fixed by a replay, which is too short for that', async () => {
    const cwd = await mkdtemp(join(tmpdir(), 'seaworthy-late-'));
    const here = process.cwd();
    // The failed case is saved below the directory that the process is in.
    process.chdir(cwd);
    targets.closeAfterwards(() => {
      process.chdir(here);
      return rm(cwd, { recursive: true });
    });
    const cli = (...words: readonly string[]) => runHere(words, cwd, { SEAWORTHY_SECRET: secret[0]! });
    const faulty = await reference('forgets-ids-after-one-second');
    const held = await cli('receiver', faulty.url, '--probe', faulty.probe, '--only', late, '--intensity', 'quick');
    const file = /\S+late-redelivery\.json/.exec(held.stdout)![0];
    expect((await cli('replay', file, '--url', faulty.url)).stdout).toContain(`FAILS       ${file}\n`);
    await faulty.close();
    await reference(undefined, Number(new URL(faulty.url).port));
    const { stdout, code } = await cli('replay', file, '--url', faulty.url);
    expect(stdout).toMatch(/^CANNOT RUN /);
    expect(stdout.replace(/\s+/g, ' ')).toContain('it depends on how long a run has been, and a replay is short');
    expect(code).toBe(3);
  });
});
