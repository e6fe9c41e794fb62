import { expect, test } from 'vitest';

import { startReceiver } from '../../../reference/receiver/receiver.ts';
import type { RunEvent } from '../../../reports/model/events.ts';
import { receiverPlan } from '../../../runner/receiver/receiverPlan.ts';
import { runReceiver } from '../../../runner/receiver/runReceiver.ts';
import { useTargets } from '../targets.ts';

const secret = ['a secret of waits'];
const beside = 'receiver/idempotency/concurrent-copies';
/** The first one waits for effects too. */
const alone = ['receiver/retries/broken-connection', 'receiver/robustness/oversized-bodies'];
const targets = useTargets();

/** The events of a run against the reference. */
async function eventsOf(settle: number): Promise<readonly RunEvent[]> {
  const receiver = await startReceiver({ secrets: secret });
  targets.closeAfterwards(() => receiver.close());
  const { url, probe } = receiver;
  const only = [beside, ...alone];
  const limits = { settle, time: 20_000 };
  const plan = await receiverPlan(url, { secret, probe, only, intensity: 'quick', seed: 1, ...limits });
  return Array.fromAsync(runReceiver(plan));
}

function finished(events: readonly RunEvent[], check: string) {
  return events.filter((event) => event.type === 'check.finished').find((event) => event.check === check)!;
}

test('the next checks are tried while others wait for effects that must not come', async () => {
  const events = await eventsOf(1000);
  const sent = events.filter((event) => event.type === 'delivery.finished');
  expect(sent.find(({ check }) => alone.includes(check))!.ms).toBeLessThan(finished(events, beside).ms);
  for (const check of [beside, ...alone]) expect(finished(events, check)).toMatchObject({ outcome: 'passed' });
});
