import { createHmac } from 'node:crypto';

import { afterAll, expect, test } from 'vitest';

import { conformingPolicies } from '../../../reference/receiver/conformingPolicies.ts';
import type { ReceiverPolicies } from '../../../reference/receiver/policies.ts';
import { startReceiver } from '../../../reference/receiver/receiver.ts';
import { exitCode } from '../../../reports/model/exitCode.ts';
import { summarise } from '../../../reports/model/summary.ts';
import type { RunSummary } from '../../../reports/model/runSummary.ts';
import { receiverFuzzPlan } from '../../../runner/fuzz/fuzzPlan.ts';
import { runFuzz } from '../../../runner/fuzz/runFuzz.ts';
import { receiverPlan } from '../../../runner/receiver/receiverPlan.ts';
import { runReceiver } from '../../../runner/receiver/runReceiver.ts';
import { signatureReadings } from '../../../runner/receiver/signatureReadings.ts';
import { parseScheme } from '../../../spec/signature.ts';
import { brokenIn } from '../../brokenIn.ts';
import { useTargets } from '../targets.ts';

const targets = useTargets(afterAll);

/** A run with a secret against a receiver that has another one. */
async function held(
  secret: string,
  own: string,
  policies: Partial<ReceiverPolicies> = {},
  only: readonly string[] = ['VRF-1'],
): Promise<RunSummary> {
  const receiver = await startReceiver({ secrets: [own], policies });
  targets.closeAfterwards(() => receiver.close());
  const plan = await receiverPlan(receiver.url, { secret: [secret], only, intensity: 'quick', seed: 7 });
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

/** A body as a serialiser writes it that sorts the members of objects. */
function sorted(body: Buffer): Buffer {
  const inOrder = (_: string, value: unknown): unknown =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : value;
  return Buffer.from(JSON.stringify(JSON.parse(body.toString()), inOrder));
}

const ofSorted: ReceiverPolicies['verify'] = (delivery) =>
  conformingPolicies.verify({ ...delivery, body: sorted(delivery.body) });

test.concurrent('of one that verifies what its own serialiser writes, that is found, and nothing else is tested', async () => {
  const { lost, control, checks, requirements } = await held('a secret', 'a secret', { verify: ofSorted }, [
    'VRF-1',
    'RCV-1',
  ]);
  expect(lost).toBeUndefined();
  expect(control?.instead).toContain('a body is accepted only with its members sorted');
  expect(brokenIn({ requirements })).toEqual(['VRF-1']);
  const [found, ...others] = checks.filter(({ outcome }) => outcome !== 'not-observable');
  expect(others).toEqual([]);
  expect(found).toMatchObject({ id: 'receiver/signature/every-spelling', outcome: 'failed' });
  expect(found?.counterexample?.exchange.difference).toBe(
    'the body as JSON.stringify of JavaScript writes it, not with its members sorted',
  );
});

test.concurrent('a search in such a receiver ends with what is wrong, for no plain delivery is accepted', async () => {
  const receiver = await startReceiver({ secrets: ['a secret'], policies: { verify: ofSorted } });
  targets.closeAfterwards(() => receiver.close());
  const summary = summarise(
    await Array.fromAsync(runFuzz(await receiverFuzzPlan(receiver.url, { secret: ['a secret'], runs: 40, seed: 7 }))),
  );
  expect(exitCode(summary)).toBe(3);
  expect(brokenIn(summary)).toEqual([]);
  expect(summary.lost?.reason).toMatch(/^the signature is not verified over the raw body: .* with its members sorted/);
});

test.concurrent.each([
  ['a secret', 'with the digest in base64', 'a secret', 'base64'],
  ['whsec_c2VjcmV0', 'with the secret behind its first "_" as the key, read as base64,', 'secret', 'hex'],
] as const)('given %j, the kit says that the receiver takes what is signed %s', async (given, words, key, digest) => {
  const verify: ReceiverPolicies['verify'] = ({ body, signature }) =>
    signature === createHmac('sha256', key).update(body).digest(digest);
  const { lost } = await held(given, given, { verify });
  expect(lost?.advice).toMatch(
    `A delivery that was signed ${words} was accepted: the receiver and the contract differ`,
  );
});

test('a signature of many parts has readings of each, and a secret that has no other reading has fewer of them', () => {
  const readings = signatureReadings(parseScheme('standard-webhooks'), 'webhook-signature', 'whsec_c2VjcmV0');
  expect(readings.filter(({ of }) => of === 'the contract').map(({ words }) => words)).toEqual([
    'with all of the secret as the key, read as text,',
    'with the secret behind its first "_" as the key, read as text,',
    'over the body alone',
    'with a timestamp in milliseconds',
    'with the digest in hex',
    'with the digest in base64url',
    'by HMAC-SHA1',
    'by HMAC-SHA512',
  ]);
  const github = signatureReadings(parseScheme('sha256=hmac-sha256-hex'), 'X-Hub-Signature-256', '"a"');
  expect(github.filter(({ of }) => of === '--secret').map(({ secret }) => secret)).toEqual([
    '"a"\n',
    '"a"\r\n',
    '"a" ',
    '""a""',
    `'"a"'`,
    'a',
  ]);
  expect(github.at(-1)).toMatchObject({
    words: 'by HMAC-SHA1 in X-Hub-Signature',
    scheme: { algorithm: 'sha1', headers: [{ name: 'X-Hub-Signature', template: 'sha1={digest}' }] },
  });
});
