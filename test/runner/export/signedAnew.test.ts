import { execFileSync } from 'node:child_process';

import { describe, expect, test } from 'vitest';

import { signedAnew } from '../../../runner/export/signedAnew.ts';
import { hasTimestamp, signatureHeaders, type SignatureScheme, verifySignature } from '../../../spec/signature.ts';
import { providedSchemes } from '../../spec/signatureForms.ts';

const [old, fresh] = ['an-old-id', 'a-fresh-id'];
const header = 'X-Signature';

type Headers = readonly (readonly [name: string, value: string])[];

interface Request {
  readonly scheme: SignatureScheme;
  readonly secret: string;
  readonly headers: Headers;
  readonly skew?: number;
}

/** The headers of the request under a fresh id, as the shell makes them. */
function anew({ scheme, secret, headers, skew = 0 }: Request): Headers | 'no' | 'stale' {
  const request = { headers, body: bodyOf(old), skew };
  const how = signedAnew(request, { scheme, header, secrets: ['another', secret] }, '"$id"');
  if (typeof how === 'string') return how;
  const values = headers.map(([name, value]) => how.valueOf(name, value) ?? (value === old ? '$id' : value));
  const script = [
    `id=${fresh}; body() { printf '{"id": "%s"}' "$id"; }`,
    ...how.lines,
    ...values.map((value) => `printf '%s\\n' "${value}"`),
  ].join('\n');
  const env = { ...process.env, SEAWORTHY_SECRET_2: secret };
  const lines = execFileSync('sh', ['-c', script], { env, encoding: 'utf8' }).split('\n');
  return headers.map(([name], at) => [name, lines[at] ?? '']);
}

function bodyOf(id: string): Buffer {
  return Buffer.from(`{"id": "${id}"}`);
}

function signed(scheme: SignatureScheme, secret: string): Headers {
  return signatureHeaders(scheme, header, { secret, body: bodyOf(old), id: old, timestamp: 1_700_000_000 });
}

describe.each(providedSchemes)('a request signed as by %s', (_, scheme, secret) => {
  const headers = signed(scheme, secret);
  const isGenuine = (all: Headers): boolean =>
    verifySignature(scheme, header, (name) => new Map(all).get(name), { secret, body: bodyOf(fresh) });

  test('is signed anew under another id', () => {
    const again = anew({ scheme, secret, headers }) as Headers;
    expect(isGenuine(again)).toBe(true);
    expect(String(again)).not.toContain('1700000000');
  });

  const forged = headers.map(([name, value], at) => [name, at === 0 ? `${value}00` : value] as const);

  test.runIf(hasTimestamp(scheme))('is stale where it is forged and grows old', () => {
    expect(anew({ scheme, secret, headers: forged })).toBe('stale');
  });

  test.skipIf(hasTimestamp(scheme))('keeps what is wrong with it where it does not grow old', () => {
    const again = anew({ scheme, secret, headers: forged }) as Headers;
    expect(isGenuine(again)).toBe(false);
    expect(isGenuine(again.map(([name, value]) => [name, value.slice(0, -2)]))).toBe(true);
  });
});

test('a timestamp stays as far from the clock as it was', () => {
  const [, scheme, secret] = providedSchemes.find(([name]) => name === 'svix')!;
  const again = new Map(anew({ scheme, secret, headers: signed(scheme, secret), skew: -3600 }) as Headers);
  const age = Date.now() / 1000 - Number(again.get('svix-timestamp'));
  expect(age).toBeGreaterThanOrEqual(3600);
  expect(age).toBeLessThan(3700);
});

test('a signature beside the right one stays as it is', () => {
  const [, scheme, secret] = providedSchemes.find(([name]) => name === 'stripe')!;
  const [[name, value] = ['', '']] = signed(scheme, secret);
  const wrong = `v1=${'0'.repeat(64)}`;
  const again = anew({ scheme, secret, headers: [[name, `${value.replace(',', `,${wrong},`)},v0=old`]] }) as Headers;
  expect(again[0]?.[1]).toMatch(new RegExp(`^t=\\d+,${wrong},v1=[0-9a-f]{64},v0=old$`));
});
