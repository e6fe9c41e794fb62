import type { RequestListener, Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { Access, RefusedAddress, Lookup } from '../../../runner/http/access.ts';
import { answers, takesConnections } from '../../../runner/process/presence.ts';
import { startProxy } from '../../../runner/prism/proxy/proxy.ts';
import { openContract } from '../../../runner/options/openContract.ts';
import { startRecovery } from '../../../runner/receiver/receiverSession.ts';
import { ApiClient } from '../../../runner/service/apiClient.ts';
import { EventTrigger } from '../../../runner/service/eventTrigger.ts';
import { servicePlan } from '../../../runner/service/servicePlan.ts';
import { describeAnswer } from '../../../suites/answer.ts';
import type { Answer } from '../../../suites/delivery.ts';
import { makeCertificate, type Certificate } from '../certificate.ts';
import { body, byHand, delivery, head } from '../deliveries.ts';
import { useTargets } from '../targets.ts';
import { createProbe } from '../../../runner/receiver/createProbe.ts';

const targets = useTargets();
const { signal } = new AbortController();
/** Of the documentation (RFC 5737): no test connects to it. */
const away = '192.0.2.1';

/** A resolver that leads to these addresses in turn, and to the last one ever after. */
function leadingTo(...turns: readonly (readonly string[])[]): Lookup {
  let asked = 0;
  return () => {
    const turn = turns[Math.min(asked, turns.length - 1)]!;
    asked += 1;
    return Promise.resolve(turn.map((address) => ({ address })));
  };
}

function words(answer: Answer): string {
  return answer.kind === 'answered' ? `${answer.status} ${answer.body}` : describeAnswer(answer);
}

/** What was done, or why it was not. */
async function failure(work: Promise<string>): Promise<string> {
  return work.catch((error: unknown) => (error as Error).message);
}

function apiClient(url: URL, access: Access): ApiClient {
  const client = new ApiClient({
    base: url,
    timeout: 5000,
    concurrency: 2,
    bounds: { bytes: 1024 * 1024, depth: 100 },
    ...access,
  });
  targets.closeAfterwards(() => client.close());
  return client;
}

async function apiCall(url: URL, access: Access, bytes: number): Promise<string> {
  const request = { operationId: '', method: 'POST', path: '/', headers: [], body: Buffer.alloc(bytes) };
  return words(await apiClient(url, access).send(request));
}

async function emitted(emit: string, access: Access): Promise<string> {
  const plan = await servicePlan('http://localhost:1/v2', {});
  const eventTrigger = new EventTrigger(
    { ...plan, ...access, insecure: access.insecure ?? false, emit },
    undefined as never,
    () => plan.signal,
  );
  const caused = await eventTrigger.cause(plan.contract.events[0]!.name);
  return caused.caused ? '200 here' : caused.reason;
}

async function throughProxy(url: URL, access: Access): Promise<string> {
  const options = { ...access, host: '127.0.0.1', port: 0, target: url, onCall: () => {} };
  const proxy = await startProxy(openContract(), options);
  targets.closeAfterwards(() => proxy.close());
  const answer = await fetch(new URL('/', proxy.url));
  return `${answer.status} ${await answer.text()}`;
}

async function probed(url: URL, access: Access): Promise<string> {
  const probe = createProbe(`${url.origin}/{id}`, access);
  targets.closeAfterwards(() => probe.close());
  return failure(probe.count(['a']).then((counts) => `200 here ${counts.get('a')}`));
}

/** Every kind of connection that there is; what comes of it begins with `200 here`, or says what came instead. */
const kinds: Readonly<Record<string, (url: URL, access: Access) => Promise<string>>> = {
  'a delivery': async (url, access) => words(await targets.deliverer(url, access).deliver(delivery())),
  'a delivery from an address': async (url, access) =>
    words(await targets.deliverer(url, { ...access, localAddress: '127.0.0.1' }).deliver(delivery())),
  'a delivery by hand': async (url, access) =>
    words(await targets.deliverer(url, access).deliver(byHand([head, body]))),
  'deliveries together': async (url, access) =>
    words((await targets.deliverer(url, access).together([delivery()]))[0]!),
  'a look for the receiver': async (url, access) =>
    (await targets.deliverer(url, access).reachable()) ? '200 here' : 'not reachable',
  'idle connections': async (url, access) =>
    failure(targets.deliverer(url, access).besideIdle(2, () => Promise.resolve('200 here'))),
  'a call of the API': (url, access) => apiCall(url, access, 2),
  'a long call of the API': (url, access) => apiCall(url, access, 2 * 1024 * 1024),
  'a look for the service': async (url, access) =>
    (await apiClient(url, access).reachable()) ? '200 here' : 'not reachable',
  'a probe': probed,
  '--emit': (url, access) => emitted(url.href, access),
  '--recover': async (url, access) => failure(startRecovery(url.href, { ...access, signal }).then(() => '200 here')),
  'the proxy': throughProxy,
  'a look for a started target': async (url, access) =>
    (await takesConnections(url, access)) ? '200 here' : 'not there',
  'a look for a container': async (url, access) => ((await answers(url, access)) ? '200 here' : 'not there'),
};

/** Says where it is, and counts effects. */
const here: RequestListener = (request, response) =>
  void request.resume().on('end', () => response.end(request.method === 'GET' ? '{"count":1}' : 'here'));

describe.each(Object.entries(kinds))('%s', (kind, connect) => {
  async function tried(host: string, lookup?: Lookup) {
    const requests: string[] = [];
    const server = await targets.http((request, response) => {
      requests.push(request.url!);
      here(request, response);
    });
    const refusals: RefusedAddress[] = [];
    const onRefused = (refusal: RefusedAddress): void => void refusals.push(refusal);
    const url = new URL(`http://${host}:${server.port}/`);
    const outcome = await connect(url, { onRefused, ...(lookup && { lookup }) });
    return { outcome, requests, refusals };
  }

  test('leads to the address that its name was decided about', async () => {
    const { outcome, refusals } = await tried('receiver.test', leadingTo(['127.0.0.1']));
    expect(outcome).toMatch(kind === 'the proxy' ? /^200 / : /^200 here/);
    expect(refusals).toEqual([]);
  });

  test.each([
    ['receiver.test', leadingTo([away])],
    ['hooks.localhost', leadingTo([away])],
    ['localhost', leadingTo([away])],
    ['LOCALHOST.', leadingTo(['2001:db8::1'])],
    ['receiver.test', leadingTo(['127.0.0.1', away])],
    ['receiver.test', leadingTo(['::ffff:192.0.2.1'])],
    ['receiver.test', leadingTo(['169.254.169.254'])],
    ['receiver.test', leadingTo(['fd00:ec2::254'])],
  ])('does not lead where %s leads', async (host, lookup) => {
    const [last] = (await lookup(host, { all: true })).slice(-1);
    const { requests, refusals } = await tried(host, lookup);
    expect(requests).toEqual([]);
    const [refusal] = refusals;
    expect(refusal!.message).toContain(`${host.toLowerCase()} leads to ${last!.address}, which is `);
    expect(refusal!.end.advice).toContain('--allow-remote');
  });

  test.each([
    [away, away],
    ['[2001:db8::1]', '2001:db8::1'],
    ['169.254.169.254', '169.254.169.254'],
    ['2852039166', '169.254.169.254'],
    ['0xa9.0376.0xa9fe', '169.254.169.254'],
    ['[::ffff:a9fe:a9fe]', '::ffff:a9fe:a9fe'],
    ['[fe80::1]', 'fe80::1'],
    ['[64:ff9b::a9fe:a9fe]', '64:ff9b::a9fe:a9fe'],
    ['0.1.2.3', '0.1.2.3'],
  ])('does not lead to %s', async (host, address) => {
    const { refusals } = await tried(host);
    expect(refusals[0]!.message).toContain(`${address} is `);
  });
});

test('a kept name that leads elsewhere at the next connection is followed no more', async () => {
  const url = await targets.http((request, response) => {
    response.setHeader('Connection', 'close');
    here(request, response);
  });
  url.hostname = 'receiver.test';
  const refusals: string[] = [];
  const access: Access = {
    lookup: leadingTo(['127.0.0.1'], [away]),
    onRefused: ({ message }) => void refusals.push(message),
  };
  const deliverer = targets.deliverer(url, access);
  expect(words(await deliverer.deliver(delivery()))).toBe('200 here');
  expect(words(await deliverer.deliver(delivery()))).toBe(
    'no answer: the address is not one that may be connected to (ADDRESS_REFUSED)',
  );
  expect(refusals).toEqual([
    'receiver.test leads to 192.0.2.1, which is neither a loopback nor a private address; no connection was made',
  ]);
});

describe('over https', () => {
  let certificate: Certificate;
  beforeAll(async () => {
    certificate = await makeCertificate();
  });
  afterAll(() => certificate.remove());

  async function secure(): Promise<URL> {
    const { key, cert } = certificate;
    const server = createSecureServer({ key, cert }, here) as unknown as Server;
    const { port } = await targets.listen(server, 'https');
    return new URL(`https://localhost:${port}/`);
  }

  const trusting = Object.entries(kinds).filter(([kind]) => !/started|container|idle/.test(kind));

  test.each(trusting)('%s trusts as the target does', async (_, connect) => {
    const url = await secure();
    expect(await connect(url, { ca: certificate.cert })).toMatch(/^200 /);
    expect(await connect(url, { insecure: true })).toMatch(/^200 /);
    expect(await connect(url, {})).not.toMatch(/^200 /);
  });
});

test.each(['a probe', '--emit', '--recover'])('%s sends the user and the password of its address', async (kind) => {
  const seen: (string | undefined)[] = [];
  const url = await targets.http((request, response) => {
    seen.push(request.headers.authorization);
    here(request, response);
  });
  const open = url.href.replace('//', '//me:s3%23cret@');
  const connect = {
    'a probe': async () => {
      const probe = createProbe(`${open}&id={id}`);
      targets.closeAfterwards(() => probe.close());
      await probe.count(['a']);
    },
    '--emit': () => emitted(open, {}),
    '--recover': () => startRecovery(open, { signal }),
  }[kind]!;
  await connect();
  expect(seen).toEqual([`Basic ${btoa('me:s3#cret')}`]);
});
