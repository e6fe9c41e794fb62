import { afterAll, expect, test } from 'vitest';

import { startReceiver } from '../../../reference/receiver/receiver.ts';
import { exitCode } from '../../../reports/model/exitCode.ts';
import { summarise } from '../../../reports/model/summary.ts';
import type { RunSummary } from '../../../reports/model/runSummary.ts';
import { receiverPlan } from '../../../runner/receiver/receiverPlan.ts';
import { runReceiver } from '../../../runner/receiver/runReceiver.ts';
import { secretReadings } from '../../../runner/receiver/secretReadings.ts';
import { useTargets } from '../targets.ts';

const targets = useTargets(afterAll);

/** A run with a secret against a receiver that has another one. */
async function held(secret: string, own: string): Promise<RunSummary> {
  const receiver = await startReceiver({ secrets: [own] });
  targets.closeAfterwards(() => receiver.close());
  const plan = await receiverPlan(receiver.url, { secret: [secret], only: ['VRF-1'], intensity: 'quick', seed: 7 });
  return summarise(await Array.fromAsync(runReceiver(plan)));
}

test.concurrent.each([
  ['a secret', 'a secret\n', 'the secret with a line feed behind it'],
  ['a secret', '"a secret"', 'the secret in quotation marks'],
  ['a secret ', 'a secret', 'the secret without the white space around it'],
])('given %j, the kit says that the receiver has %j', async (given, own, words) => {
  const summary = await held(given, own);
  expect(exitCode(summary)).toBe(3);
  expect(summary.lost?.advice).toMatch(new RegExp(`^A delivery that was signed with ${words} was accepted: `));
});

test.concurrent('of a secret that is another one nothing is said but that it may be wrong', async () => {
  const { lost } = await held('a secret', 'another secret');
  expect(lost?.advice).toMatch(/^Check --secret/);
});

test('a secret that has no other reading has fewer of them', () => {
  expect(secretReadings('"a"').map(({ text }) => text)).toEqual(['"a"\n', '"a"\r\n', '"a" ', '""a""', `'"a"'`, 'a']);
});
