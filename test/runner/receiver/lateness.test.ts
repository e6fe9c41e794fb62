import { afterEach, describe, expect, test } from 'vitest';

import { startReceiver } from '../../../reference/receiver/receiver.ts';
import { summarise } from '../../../reports/model/summary.ts';
import { Lateness } from '../../../runner/engine/lateness.ts';
import { receiverPlan } from '../../../runner/receiver/receiverPlan.ts';
import { runReceiver } from '../../../runner/receiver/runReceiver.ts';
import { receiverCheck, type Finding } from '../../../suites/check.ts';
import type { ReceiverKit } from '../../../suites/kit.ts';
import { body, byHand, delivery, head, outcome } from '../deliveries.ts';
import { useTargets } from '../targets.ts';
import { beLate } from '../../beLate.ts';

const targets = useTargets();
const cleanUps: (() => unknown)[] = [];

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp();
});

describe.each([
  ['over a kept connection', delivery()],
  ['over one of its own', byHand([head, body])],
])('an answer that the kit could not read before the time-out, %s', (_, sent) => {
  const answered = async (lateness?: Lateness) => {
    const url = await targets.http((request, response) => {
      beLate(150);
      request.resume().on('end', () => response.end());
    });
    const deliverer = targets.deliverer(url, { timeout: 120, lateness });
    return outcome(await deliverer.deliver(sent));
  };

  test('is one in time', async () => {
    const lateness = new Lateness();
    cleanUps.push(() => lateness.stop());
    expect(await answered(lateness)).toBe(200);
  });

  test('would be a time-out if nobody knew that the kit was late', async () => {
    expect(await answered()).toBe('timed-out');
  });
});

test('what comes within the time that somebody waits adds up', () => {
  let clock = 0;
  const lateness = new Lateness(() => clock);
  cleanUps.push(() => lateness.stop());
  for (const pause of [0, 200, 10, 300, 10, 10, 10, 400, 10]) {
    clock += pause;
    lateness.within(0, clock);
  }
  expect(lateness.within(0, clock)).toBe(400);
  expect(lateness.within(0, clock, 320)).toBe(500);
  expect(lateness.within(0, clock, 900)).toBe(900);
  expect(lateness.within(0, 520, 900)).toBe(500);
});

/** What becomes of a case that fails while the kit is late, as often as is said. */
async function heldLate(failures: number, absence = true) {
  const receiver = await startReceiver({ secrets: ['s'] });
  cleanUps.push(() => receiver.close());
  let tries = 0;
  const run = async (kit: ReceiverKit): Promise<Finding | undefined> => {
    await kit.deliver(kit.compose(kit.control));
    tries += 1;
    if (tries > failures) return undefined;
    beLate(150);
    return { requirements: ['RCV-1'], expected: 'it comes', actual: 'seen', attempts: kit.attempts, absence };
  };
  const check = receiverCheck({
    id: 'receiver/test/late',
    title: 'is late',
    requirements: ['RCV-1'],
    needs: [],
    weight: 0.01,
    cases: (draw) => [draw.notification()],
    run,
    hint: '',
  });
  const plan = await receiverPlan(receiver.url, { secret: ['s'], intensity: 'quick', seed: 1, checks: [check] });
  const [{ outcome: ended, reason } = {}] = summarise(await Array.fromAsync(runReceiver(plan))).checks;
  return { outcome: ended, ...(reason !== undefined && { reason }) };
}

describe('where the kit itself was late', () => {
  test('an absence that does not recur is none', async () => {
    expect(await heldLate(1)).toEqual({ outcome: 'passed' });
  });

  test('one that recurs counts', async () => {
    expect(await heldLate(9)).toMatchObject({ outcome: 'failed' });
  });

  test('what is certain counts at once', async () => {
    expect(await heldLate(1, false)).toMatchObject({ outcome: 'failed' });
  });
});
