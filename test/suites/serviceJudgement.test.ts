import { createHash, randomBytes, randomUUID } from 'node:crypto';

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import type { Json } from '../../generators/json/json.ts';
import { addressesIn } from '../../suites/service/ipAddress.ts';
import {
  badAuthorization,
  describeBadAuthorization,
  missingAuthorizations,
  wrongAuthorizations,
} from '../../suites/service/authentication/badAuthorization.ts';
import { hostileBodies, polluted } from '../../suites/service/robustness/hostileBodies.ts';
import { sameUrl } from '../../suites/service/creation.ts';
import { secretWeakness } from '../../suites/service/identity/checks.ts';

describe('secretWeakness', () => {
  const webhooks = Array.from({ length: 6 }, (_, n) => ({ id: randomUUID(), url: `https://a.example/hooks/${n}` }));
  const judged = (secretOf: (webhook: { id: string; url: string }, index: number) => string) =>
    secretWeakness(webhooks.map((each, n) => ({ secret: secretOf(each, n), known: [each.id, each.url] })));

  test.each([
    ['random hex', () => randomBytes(16).toString('hex')],
    ['random base64 after a prefix', () => `whsec_${randomBytes(24).toString('base64')}`],
    ['a random uuid', () => randomUUID()],
    ['the id with something random', ({ id }: { id: string }) => `${id}.${randomBytes(8).toString('hex')}`],
    // Eight bits more than are enough: six of them may begin or end alike.
    ['40 random bits', () => randomBytes(5).toString('hex')],
  ])('%s is a random token', (_, secretOf) => {
    for (let round = 0; round < 200; round += 1) expect(judged(secretOf)).toBeUndefined();
  });

  test.each([
    ['nothing', () => '', 'empty'],
    ['a constant', () => 'secret', 'same secret'],
    ['the id', ({ id }: { id: string }) => id, 'a member of the webhook itself'],
    ['the id without hyphens', ({ id }: { id: string }) => `whsec_${id.replaceAll('-', '')}`, 'without its hyphens'],
    ['a hash of the url', ({ url }: { url: string }) => createHash('md5').update(url).digest('hex'), 'md5 hash'],
    [
      'the beginning of a hash of the id',
      ({ id }: { id: string }) => createHash('sha256').update(id).digest('hex').slice(0, 32),
      'sha256 hash',
    ],
    ['the url in base64', ({ url }: { url: string }) => Buffer.from(url).toString('base64'), 'in base64'],
    ['a counter', (_: unknown, n: number) => `secret-${1000 + n}`, 'guessed'],
    ['the time', (_: unknown, n: number) => String(1_790_000_000_000 + 17 * n), 'guessed'],
    ['a few characters', () => randomBytes(3).toString('hex'), /guessed|same/],
  ])('%s is none', (_, secretOf, words) => {
    expect(judged(secretOf)).toMatch(words);
  });
});

describe('sameUrl', () => {
  test.each([
    ['https://a.example', 'https://a.example/'],
    ['HTTPS://A.example:443/x', 'https://a.example/x'],
    ['https://a.example/caf%c3%a9', 'https://a.example/caf%C3%A9'],
    ['https://a.example/%7Ex?q=%2d', 'https://a.example/~x?q=-'],
  ])('%s is %s', (one, other) => {
    expect(sameUrl(one, other)).toBe(true);
  });

  test.each([
    ['https://a.example/x', 'https://a.example/x/'],
    ['https://a.example/?q=%2B', 'https://a.example/?q=+'],
    ['https://a.example/x?q=1', 'https://a.example/x'],
    [undefined, 'https://a.example/'],
  ])('%s is not %s', (one, other) => {
    expect(sameUrl(one, other)).toBe(false);
  });
});

describe('badAuthorization', () => {
  const kinds = [...missingAuthorizations, ...wrongAuthorizations({ scheme: 'Token' })];

  test.each(['Token k', 'Token 0123456789abcdef', 'Token aB.cD-eF_gh==', 'Token AAAA'])('is never %s', (right) => {
    const values = fc
      .sample(fc.oneof(...kinds), { seed: 1, numRuns: 500 })
      .map((bad) => badAuthorization(bad, right, 'Token'));
    expect(values.filter((value) => value === right)).toEqual([]);
    expect(new Set(values).size).toBeGreaterThan(10);
  });

  test('is described without the key', () => {
    const key = 'averysecretkey';
    for (const bad of fc.sample(fc.oneof(...kinds), { seed: 1, numRuns: 200 })) {
      expect(describeBadAuthorization(bad)).not.toContain(key.slice(0, 6));
    }
  });

  test('says where the key cannot be spoilt', () => {
    expect(badAuthorization({ kind: 'other letter case' }, 'Token 1234', 'Token')).toBeUndefined();
    expect(badAuthorization({ kind: 'the key cut off', missing: 1 }, 'Token 1', 'Token')).toBeUndefined();
  });

  test.each([1, 2, 3, 4, 12])('leaves a part of the shortest key where %i characters are cut off', (missing) => {
    const cut = { kind: 'the key cut off', missing } as const;
    expect(['Token k', 'Token ke']).toContain(badAuthorization(cut, 'Token key', 'Token'));
    expect(['Token y', 'Token ey']).toContain(
      badAuthorization({ ...cut, from: 'its beginning' }, 'Token key', 'Token'),
    );
  });
});

describe('addressesIn', () => {
  const found = (body: string) =>
    addressesIn(
      {
        kind: 'call',
        at: 0,
        request: { operationId: 'list', method: 'GET', path: '/', headers: [], body: Buffer.alloc(0) },
        answer: { kind: 'answered', status: 200, headers: [], body, ms: 1 },
      },
      { json: ({ answer }) => parsed(answer.kind === 'answered' ? answer.body : '') },
    );

  test('finds addresses and blocks wherever they stand', () => {
    const body = { data: [{ attributes: { ips: ['192.0.2.1', '2001:db8::/32', 'none'], name: '10.0' } }, '::1'] };
    expect(found(JSON.stringify(body))).toEqual(['192.0.2.1', '2001:db8::/32', '::1']);
  });

  test('reads plain text too', () => {
    expect(found('192.0.2.1\n198.51.100.0/24\nhello')).toEqual(['192.0.2.1', '198.51.100.0/24']);
  });

  test('takes nothing else for an address', () => {
    expect(found('["300.1.1.1", "1.2.3", "192.0.2.0/33", "12:30", "hooks.example.com"]')).toEqual([]);
  });

  function parsed(text: string): Json | undefined {
    try {
      return JSON.parse(text) as Json;
    } catch {
      return undefined;
    }
  }
});

describe('hostileBodies', () => {
  const plain = '{"data":{"type":"webhook","attributes":{"url":"https://a.example/","active":false,"events":["x.y"]}}}';
  const made = hostileBodies.map((hostile) => ({ ...hostile, body: Buffer.from(hostile.make(plain, 70)) }));

  test('what may be taken is JSON with everything of the valid one, or differs in its headers or its encoding', () => {
    const exempt = ['bytes that are no UTF-8 in a string', 'a byte order mark'];
    const whole = made.filter((each) => each.taken && !exempt.includes(each.name) && !/ events?$/.test(each.name));
    expect(whole.length).toBeGreaterThan(15);
    for (const { body } of whole) expect(JSON.parse(body.toString())).toMatchObject(JSON.parse(plain) as object);
  });

  test('what may not be taken is no JSON, or lacks what is required', () => {
    const harmful = made.filter((each) => !each.taken);
    expect(harmful.length).toBeGreaterThan(15);
    expect(harmful.filter(({ body }) => isCreation(body)).map(({ name }) => name)).toEqual([]);
  });

  test('poison shows where it works', () => {
    const poisoned = made.filter(({ body }) => body.toString().includes(polluted)).map(({ name }) => name);
    expect(poisoned).toEqual([
      'a __proto__ member',
      'a __proto__ member in the attributes',
      'a constructor.prototype member',
    ]);
  });

  function isCreation(body: Buffer): boolean {
    try {
      const { data } = JSON.parse(body.toString()) as { data: { attributes: { url: string; events: string[] } } };
      return typeof data.attributes.url === 'string' && data.attributes.events.length < 10;
    } catch {
      return false;
    }
  }
});
