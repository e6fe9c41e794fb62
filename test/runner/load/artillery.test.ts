import { readFileSync, mkdtempSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';

import { receiverFaults } from '../../../reference/faults/receiver/index.ts';
import { conformingPolicies } from '../../../reference/receiver/conformingPolicies.ts';
import type { ReceiverPolicies } from '../../../reference/receiver/policies.ts';
import { startReceiver } from '../../../reference/receiver/receiver.ts';
import { ArtilleryEngine } from '../../../runner/load/artillery.ts';
import { parseScheme, verifySignature } from '../../../spec/signature.ts';
import { useTargets } from '../targets.ts';
import { throughEngine, throughProcessor } from './users.ts';

const secret = 'the secret of a load';
const shares = { seed: 1, redeliveries: 0.25, forgeries: 0.25 };
const size = { users: 4, deliveries: 40 };
const targets = useTargets();
let printed: string[];

beforeEach(() => {
  printed = [];
  vi.stubEnv('SEAWORTHY_SECRET', undefined);
  const write = vi.spyOn(process.stderr, 'write').mockImplementation((line) => printed.push(String(line)) > 0);
  return () => {
    write.mockRestore();
    vi.unstubAllEnvs();
  };
});

async function receiverWith(policies: Partial<ReceiverPolicies> = {}) {
  const receiver = await startReceiver({ secrets: [secret], policies });
  onTestFinished(() => receiver.close());
  return { target: receiver.url, options: { ...shares, secret, probe: receiver.probe, settle: '300ms' } };
}

function faulty(name: string): ReceiverPolicies {
  return receiverFaults[name]!.change(conformingPolicies);
}

/** Acknowledges each delivery of this number in turn, and never lets it take effect. */
function losingEach(number: number): Partial<ReceiverPolicies> & { readonly lost: string[] } {
  const lost: string[] = [];
  let taken = 0;
  return {
    lost,
    accept: async (notification, store, delivery) => {
      if (++taken % number > 0) return conformingPolicies.accept(notification, store, delivery);
      const acceptance = store.remember({ ...notification, key: notification.id });
      if (acceptance === 'new') lost.push(notification.id);
      return acceptance;
    },
  };
}

describe.each([
  ['the processor of the HTTP engine', throughProcessor],
  ['the engine', throughEngine],
])('%s', (_, run) => {
  it('finds nothing in a receiver that conforms', async () => {
    const { counts, started, ended } = await run({ ...(await receiverWith()), ...size });
    const { 'seaworthy.delivered': plain, 'seaworthy.redelivered': again, 'seaworthy.forged': forged } = counts;
    expect([plain! + again! + forged!, started, ended]).toEqual([160, 4, [null, null, null, null]]);
    expect([plain, again, forged].map((count) => count! > 20)).toEqual([true, true, true]);
    expect(counts).toMatchObject({
      'seaworthy.accepted': plain! + again!,
      'seaworthy.refused': forged,
      'seaworthy.lost': 0,
      'seaworthy.repeated': 0,
      'seaworthy.violations': 0,
    });
    expect(counts['seaworthy.effects_counted']).toBeGreaterThanOrEqual(plain! + forged!);
    expect(printed).toEqual(['seaworthy: contract tracking, seed 1, redeliveries 0.25, forgeries 0.25\n']);
  });

  it.each([
    [
      'verifies-nothing',
      'VRF-2',
      'forged',
      /a forged delivery was accepted with status 202 .*(signature|secret|hash|HMAC)/,
    ],
    ['takes-effect-although-it-refuses', 'VRF-2', 'forged', /a forged delivery took effect/],
    ['deduplicates-nothing', 'IDM-2', 'repeated', /a notification took effect \d+ times/],
    ['answers-409-to-a-redelivery', 'IDM-1', 'redelivered', /what was accepted before was refused with status 409/],
  ])('finds that a receiver %s', async (fault, id, each, says) => {
    const { counts } = await run({ ...(await receiverWith(faulty(fault))), ...size });
    expect(counts[`seaworthy.violations.${id}`]).toBeGreaterThan(0);
    expect(counts['seaworthy.violations']).toBe(counts[`seaworthy.violations.${id}`]);
    expect(counts['seaworthy.violations']).toBe(counts[`seaworthy.${each}`]);
    expect(printed.find((line) => line.startsWith(`seaworthy: ${id} is broken: `))).toMatch(says);
  });

  it('finds each delivery that a receiver loses, and names it', async () => {
    const policies = losingEach(50);
    const { counts } = await run({ ...(await receiverWith(policies)), ...size });
    expect(policies.lost.length).toBeGreaterThan(0);
    expect(counts).toMatchObject({
      'seaworthy.lost': policies.lost.length,
      'seaworthy.violations.RTY-1': policies.lost.length,
      'seaworthy.violations': policies.lost.length,
    });
    for (const id of policies.lost) expect(printed.join('')).toContain(id);
  });

  it('sends the bytes that it signed, whatever Artillery would fill in, and follows no redirect', async () => {
    const received: { path: string | undefined; body: string; isGenuine: boolean }[] = [];
    const url = await targets.listen(
      createServer(async (request, response) => {
        const body = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>));
        const lookup = (name: string) => request.headers[name.toLowerCase()] as string | undefined;
        const isGenuine = verifySignature(parseScheme('hmac-sha256-hex'), 'X-Signature', lookup, { secret, body });
        received.push({ path: request.url, body: body.toString(), isGenuine });
        response.writeHead(307, { location: '/elsewhere' }).end();
      }),
    );
    const options = { contract: templated(), secret, redeliveries: 0, forgeries: 0 };
    const { counts } = await run({ target: `${url.origin}/hooks`, options, users: 1, deliveries: 2 });
    const body = expect.stringContaining('"text":"{{ target }}"');
    expect(received).toEqual(Array.from({ length: 2 }, () => ({ path: '/hooks', body, isGenuine: true })));
    expect(counts).toMatchObject({ 'seaworthy.violations.RCV-2': 2 });
  });

  it('counts what a receiver refuses that has too much to do as no violation', async () => {
    const target = await targets.http((request, response) =>
      request.resume().on('end', () => response.writeHead(503).end()),
    );
    const { counts } = await run({ target: target.href, options: { secret }, users: 1, deliveries: 5 });
    expect(counts).toMatchObject({ 'seaworthy.overloaded': expect.any(Number), 'seaworthy.violations': 0 });
  });

  it('ends each user once, with an error, where the probe never counts', async () => {
    const { target, options } = await receiverWith();
    const probe = options.probe.replace('/effects/', '/nowhere/');
    const { counts, started, ended } = await run({ target, options: { ...options, probe }, users: 2, deliveries: 3 });
    expect([started, ended.length, ended.includes(null)]).toEqual([2, 2, false]);
    expect(counts['errors.SW_PROBE_UNUSABLE']).toBe(2);
    expect(printed.join('')).toContain('answered 404');
  });
});

/** A contract whose bodies hold what Artillery takes for a variable. */
function templated(change: object = {}): string {
  const file = join(mkdtempSync(join(tmpdir(), 'seaworthy-load-')), 'contract.yaml');
  const event = { type: 'object', required: ['text'], properties: { text: { const: '{{ target }}' } } };
  const at = (name: string) => ({ at: `$request.body#/${name}` });
  const signature = { signed: '{body}', headers: { 'X-Signature': '{digest}' } };
  const form = { contract: 1, title: 'A', source: 'https://a.example', event: at('type'), id: at('id'), signature };
  writeFileSync(file, JSON.stringify({ ...form, events: { 'a.b': event }, ...change }));
  return file;
}

it('makes the same bodies of the same seed, under ids of their own', async () => {
  const bodies = async (seed: number) => {
    const received: string[] = [];
    const url = await targets.http((request, response) => {
      void request
        .setEncoding('utf8')
        .toArray()
        .then((parts) => {
          received.push(parts.join('').replaceAll(/[\da-f]{8}-[\da-f-]{27}|\d{4}-\d\d-\d\dT[\d:.]+Z/g, ''));
          response.writeHead(202).end();
        });
    });
    await throughEngine({ target: url.href, options: { secret, ...shares, seed }, users: 1, deliveries: 10 });
    return received;
  };
  const first = await bodies(7);
  expect(await bodies(7)).toEqual(first);
  expect(await bodies(8)).not.toEqual(first);
});

it('counts a receiver that is not there as errors, and goes on', async () => {
  const options = { secret, forgeries: 0, redeliveries: 0 };
  const { counts, ended } = await throughEngine({
    target: 'http://127.0.0.1:9/hooks',
    options,
    users: 1,
    deliveries: 3,
  });
  expect([counts, ended]).toEqual([{ 'seaworthy.delivered': 3, 'errors.ECONNREFUSED': 3 }, [null]]);
});

it.each([
  [{ redeliverys: 1 }, 'config.engines.seaworthy has no option "redeliverys"'],
  [{ forgeries: 2 }, 'config.engines.seaworthy: forgeries cannot be "2"'],
  [{ forgeries: 0.5 }, 'SEAWORTHY_SECRET'],
  [{ secret, forgeries: 0.6, redeliveries: 0.6 }, 'more than 1 together'],
  [{ contract: templated({ id: undefined }), probe: 'http://127.0.0.1:9/{id}' }, 'whose deliveries have an id'],
  [{ events: 'nothing.*' }, 'nothing.*'],
  [{ probe: 'http://example.com/{id}' }, 'neither a loopback nor a private address'],
])('refuses %j', async (options, says) => {
  const script = { config: { target: 'http://127.0.0.1:9', engines: { seaworthy: options } } };
  await expect(new ArtilleryEngine(script, null, null as never).init()).rejects.toThrow(says);
  expect(printed.join('')).toContain(says);
});

it('sends nothing to a remote target without leave', async () => {
  const target = 'http://192.0.2.1/hooks';
  await expect(throughEngine({ target, options: { secret }, users: 1, deliveries: 1 })).rejects.toThrow(
    '--allow-remote',
  );
  const { counts } = await throughProcessor({ target, options: { secret }, users: 1, deliveries: 1 });
  expect(counts).toEqual({ 'errors.SW_TARGET_REMOTE': 1 });
});

it('knows its steps, and is what Artillery waits for and finds', () => {
  const engine = new ArtilleryEngine({ config: { target: 'http://127.0.0.1:9' } }, null, null as never);
  expect(() => engine.createScenario({ flow: [{ get: '/' }] }, { emit: () => true })).toThrow('no step {"get":"/"}');
  expect(engine.init.constructor.name).toBe('AsyncFunction');
  const [kit, own] = ['../../../package.json', '../../../artillery-engine-seaworthy/package.json'].map(
    (path) => JSON.parse(readFileSync(join(import.meta.dirname, path), 'utf8')) as Record<string, unknown>,
  );
  expect(own).toMatchObject({
    name: 'artillery-engine-seaworthy',
    version: kit!['version'],
    peerDependencies: { seaworthy: kit!['version'] },
  });
});
