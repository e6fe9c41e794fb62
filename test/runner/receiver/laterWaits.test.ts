import { expect, test } from 'vitest';

import type { Notification } from '../../../generators/notification/notification.ts';
import { startReceiver } from '../../../reference/receiver/receiver.ts';
import type { RunEvent } from '../../../reports/model/events.ts';
import { receiverPlan, type ReceiverPlanOptions } from '../../../runner/receiver/receiverPlan.ts';
import { runReceiver } from '../../../runner/receiver/runReceiver.ts';
import { receiverCheck, type ReceiverCheck } from '../../../suites/check.ts';
import { receiverChecks } from '../../../suites/receiver/index.ts';
import { useTargets } from '../targets.ts';
import { endOf } from '../endOf.ts';

const secret = ['a secret of waits'];
const beside = 'receiver/idempotency/concurrent-copies';
/** The first one waits for effects too. */
const alone = ['receiver/retries/broken-connection', 'receiver/robustness/oversized-bodies'];
const targets = useTargets();

/** The events of a run against the reference. */
async function eventsOf(chosen: Pick<ReceiverPlanOptions, 'only' | 'checks'>): Promise<readonly RunEvent[]> {
  const receiver = await startReceiver({ secrets: secret });
  targets.closeAfterwards(() => receiver.close());
  const { url, probe } = receiver;
  const limits = { settle: 1000, time: 20_000 };
  const plan = await receiverPlan(url, { secret, probe, intensity: 'quick', seed: 1, ...limits, ...chosen });
  return Array.fromAsync(runReceiver(plan));
}

test('the next checks are tried while others wait for effects that must not come', async () => {
  const events = await eventsOf({ only: [beside, ...alone] });
  const sent = events.filter((event) => event.type === 'delivery.finished');
  expect(sent.find(({ check }) => alone.includes(check))!.ms).toBeLessThan(endOf(events, beside).ms);
  for (const check of [beside, ...alone]) expect(endOf(events, check)).toMatchObject({ outcome: 'passed' });
});

test('what interrupts the receiver does so one case at a time, also where only checks that ran side by side came before', async () => {
  const counts = { now: 0, most: 0 };
  const interrupting = receiverCheck<Notification>({
    id: 'receiver/test/interrupts',
    title: 'interrupts',
    requirements: ['RCV-3'],
    needs: [],
    schedule: { kind: 'interrupting' },
    cases: (draw) => [draw.notification(), draw.notification(), draw.notification()],
    run: async (kit, notification) => {
      counts.most = Math.max(counts.most, (counts.now += 1));
      await kit.deliver(kit.compose(notification));
      counts.now -= 1;
      return undefined;
    },
    hint: '',
  });
  const checks: readonly ReceiverCheck[] = [...receiverChecks.filter(({ id }) => id === beside), interrupting];
  const events = await eventsOf({ checks });
  for (const { id } of checks) expect(endOf(events, id)).toMatchObject({ outcome: 'passed' });
  expect(counts).toEqual({ now: 0, most: 1 });
});
