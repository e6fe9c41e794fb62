import { describe, expect, test } from 'vitest';

import { startReceiver } from '../../reference/receiver/receiver.ts';
import type { ReceiverCheck } from '../../suites/check.ts';
import { conclusively } from './conclusively.ts';
import { inTurn } from './inTurn.ts';
import { complaints, intensity, testReceiver, secret, urlChecks } from './testReceiver.ts';
import { conformingReceivers } from './receivers/index.ts';
import { start as classicMistake } from './receivers/classicMistake.ts';
import type { StartReceiver } from './receivers/start.ts';

const receivers: Readonly<Record<string, StartReceiver>> = { reference: startReceiver, ...conformingReceivers };

/** In CI those that are not the reference share the checks: each meets a sixth of them, and each check a sixth of the receivers. */
function checksFor(name: string): readonly ReceiverCheck[] {
  const place = Object.keys(conformingReceivers).indexOf(name);
  if (place < 0 || intensity === 'standard') return urlChecks;
  return urlChecks.filter((_, index) => index % 6 === place % 6);
}

/** The first six, which meet all checks together, take one delivery at a time. */
function concurrencyFor(name: string): { readonly concurrency?: number } {
  const place = Object.keys(conformingReceivers).indexOf(name);
  return place >= 0 && place < 6 ? { concurrency: 1 } : {};
}

describe.concurrent('no check finds fault with a receiver that keeps the contract', () => {
  test.each(Object.entries(receivers))('%s', { timeout: 300_000 }, async (name, start) => {
    const options = { checks: checksFor(name), seed: 20_261_120, ...concurrencyFor(name) };
    const summary = await conclusively((only) =>
      inTurn(async () => testReceiver(await start({ secrets: [secret] }), { ...options, ...only })),
    );
    expect(complaints(summary)).toEqual([]);
    const isWhole = summary.checks.length === urlChecks.length;
    expect(isWhole ? ['conforms'] : ['conforms', 'inconclusive']).toContain(summary.verdict);
    const observed = summary.requirements.filter(({ checks }) => checks.length > 0);
    expect(observed.map(({ id, outcome }) => `${id} ${outcome}`)).toEqual(observed.map(({ id }) => `${id} holds`));
  });
});

test('the classic mistake (the signature of re-serialised JSON) is found, with one detail that shows it', async () => {
  const summary = await testReceiver(await classicMistake({ secrets: [secret] }), { only: ['VRF-1'], seed: 1 });
  expect(summary.requirements.find(({ id }) => id === 'VRF-1')?.outcome).toBe('broken');
  const spelling = summary.checks.find(({ id }) => id === 'receiver/signature/every-spelling');
  const { exchange } = spelling!.counterexample!;
  const [sent] = exchange.attempts;
  expect(JSON.parse(sent!.request.body.text!).data.attributes).toEqual(
    JSON.parse(exchange.twin!.request.body.text!).data.attributes,
  );
  expect(sent!.request.body.bytes - exchange.twin!.request.body.bytes).toBeLessThan(8);
  expect(exchange.difference).not.toContain(';');
});
