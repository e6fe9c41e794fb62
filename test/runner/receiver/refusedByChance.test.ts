import { expect, test } from 'vitest';

import { conformingPolicies } from '../../../reference/receiver/conformingPolicies.ts';
import { startReceiver } from '../../../reference/receiver/receiver.ts';
import { ChanceRefusals } from '../../../runner/receiver/refusedByChance.ts';
import type { Answer } from '../../../suites/delivery.ts';
import { finding } from '../../../suites/finding.ts';
import { receiverChecks } from '../../../suites/receiver/index.ts';
import { secret, testReceiver } from '../../proof/testReceiver.ts';
import { brokenIn } from '../../brokenIn.ts';

const answer = (status: number): Answer => ({ kind: 'answered', status, headers: [], body: '', ms: 1 });

const delivery = { id: 'x', event: 'x', method: 'POST', headers: [], body: Buffer.alloc(0) };

const refused = finding(
  { requirement: 'RCV-2' },
  { attempts: [{ delivery, answer: answer(400) }], expected: '', actual: '400', absence: true },
);

/** Whether this finding may be chance where plain deliveries get these answers, and then the last one of them. */
async function mayBeChance(statuses: readonly number[], found = refused, id = 'receiver/acceptance/text') {
  const check = receiverChecks.find((each) => each.id === id)!;
  let sent = 0;
  const next = () => answer(statuses[Math.min(sent++, statuses.length - 1)]!);
  const refusals = new ChanceRefusals(
    false,
    async () => next(),
    (each) => each.kind === 'answered' && each.status < 300,
  );
  return { chance: await refusals.mayExplain(check, found), sent };
}

test('a refusal between two plain deliveries that are accepted is chance, and nothing more is sent', async () => {
  expect(await mayBeChance([500, 200, 200, 404, 200, 200])).toEqual({ chance: true, sent: 5 });
});

test('what is refused until it is accepted, from some moment on, or for its number is not', async () => {
  for (const statuses of [[200], [500], [403, 403, 403, 200], [200, 200, 500], [200, 429, 503, 200]])
    expect(await mayBeChance(statuses)).toEqual({ chance: false, sent: 20 });
});

test('nothing is sent for what is no refusal, is certain, or came of an interruption', async () => {
  const [attempt] = refused.attempts;
  const late = { ...refused, attempts: [{ ...attempt!, answer: { kind: 'timed-out', ms: 9 } as Answer }] };
  const none = { chance: false, sent: 0 };
  expect(await mayBeChance([200, 500, 200], late)).toEqual(none);
  expect(await mayBeChance([200, 500, 200], { ...refused, absence: false })).toEqual(none);
  expect(await mayBeChance([200, 500, 200], refused, 'receiver/crash/acknowledged')).toEqual(none);
});

test('a receiver that refuses some deliveries, whatever they hold, breaks RCV-1 and nothing else', async () => {
  let arrived = 0;
  const admit = () => (++arrived % 7 === 0 ? { status: 404, body: 'no such thing' } : undefined);
  const receiver = await startReceiver({ secrets: [secret], policies: { ...conformingPolicies, admit } });
  const only = ['receiver/acceptance/*'];
  const summary = await testReceiver(receiver, { only, seed: 42, settle: 400, intensity: 'quick', shrinkTime: 0 });
  const broken = brokenIn(summary);
  expect(broken).toEqual(['RCV-1']);
  const found = summary.checks.find(({ id }) => id === 'receiver/acceptance/every-event')!.counterexample!;
  expect(found.exchange.difference).toMatch(/^a notification of .*, which is accepted under another id$/);
});
