import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';

import { afterAll, describe, expect, test } from 'vitest';

import { connectionFaults } from '../../../reference/faults/receiver/connections.ts';
import { conformingPolicies } from '../../../reference/receiver/conformingPolicies.ts';
import { startReceiver } from '../../../reference/receiver/receiver.ts';
import { exitCode } from '../../../reports/model/exitCode.ts';
import { summarise } from '../../../reports/model/summary.ts';
import { runReceiver } from '../../../runner/receiver/runReceiver.ts';
import { receiverPlan, type ReceiverPlanOptions } from '../../../runner/receiver/receiverPlan.ts';
import type { RunSummary } from '../../../reports/model/runSummary.ts';
import type { Reply } from '../../../reference/receiver/records.ts';
import { fourAtATime } from '../fourAtATime.ts';
import { useTargets } from '../targets.ts';
import { brokenIn } from '../../brokenIn.ts';
import { further } from '../../proof/testReceiver.ts';

const secret = ['a secret of the control'];
const targets = useTargets(afterAll);

/** One check for each thing that a signature is for: what is right is accepted, a forgery and a change are not, and how. */
const verifying = ['every-spelling', 'forged', 'changed-after-signing', 'refusal'].map(
  (name) => `receiver/signature/${name}`,
);

/** What is accepted, without what costs most. */
const accepting = ['every-event', 'timestamps', 'unknown-members'].map((name) => `receiver/acceptance/${name}`);

/** The reference, which refuses every genuine delivery whose body the pattern does not find. */
async function taking(pattern: RegExp, status: number): Promise<string> {
  const refusal: Reply = { status, body: 'refused' };
  const receiver = await startReceiver({
    secrets: secret,
    policies: {
      answer: (outcome, delivery, notification) =>
        outcome === 'forged' || pattern.test(delivery.body.toString())
          ? conformingPolicies.answer(outcome, delivery, notification)
          : refusal,
    },
  });
  targets.closeAfterwards(() => receiver.close());
  return receiver.url;
}

async function held(url: string, only: readonly string[], options: ReceiverPlanOptions = {}): Promise<RunSummary> {
  const plan = await receiverPlan(url, { secret, only, intensity: 'quick', seed: 7, shrinkTime: 0, ...options });
  return summarise(await Array.fromAsync(runReceiver(plan)));
}

test.concurrent('one that takes long for an event is not taken for one that serves one connection at a time', async () => {
  const receiver = await startReceiver({
    secrets: secret,
    policies: {
      accept: async (...given) => {
        // The event of plain deliveries, and longer than it is waited for beside other connections.
        if (given[0].event === 'container.transport.vessel_arrived')
          await new Promise((resolve) => setTimeout(resolve, 1800));
        return conformingPolicies.accept(...given);
      },
    },
  });
  targets.closeAfterwards(() => receiver.close());
  const { observations, verdict } = await held(receiver.url, ['receiver/acceptance/timestamps']);
  expect(observations.filter(({ value }) => value.includes('at a time'))).toEqual([]);
  expect(verdict).not.toBe('does-not-conform');
});

test.concurrent('one that serves one connection at a time is tested over one after the other, its probe as well', async () => {
  const policies = connectionFaults['takes-one-connection-at-a-time']!.change(conformingPolicies);
  const receiver = await startReceiver({ secrets: secret, policies });
  targets.closeAfterwards(() => receiver.close());
  const only = ['receiver/idempotency/repeated-names', 'receiver/robustness/idle-connections'];
  const { probe, url } = receiver;
  const { lost, checks, observations } = await held(url, only, { probe, settle: 100 });
  expect(lost).toBeUndefined();
  expect(checks.map(({ id, outcome }) => `${id} ${outcome}`)).toEqual([
    'receiver/idempotency/repeated-names passed',
    'receiver/robustness/idle-connections warned',
  ]);
  expect(observations.map(({ value }) => value)).toContainEqual(
    expect.stringContaining('one connection is served at a time'),
  );
});

// Alone: what others compute in this process would look like a wait for a connection.
test('of one that serves four connections at a time none is kept, by its probe neither', async () => {
  const receiver = await startReceiver({
    secrets: secret,
    policies: {
      tune: (server) => {
        conformingPolicies.tune(server);
        server.keepAliveTimeout = 60_000;
      },
    },
  });
  targets.closeAfterwards(() => receiver.close());
  const { port } = await targets.listen(fourAtATime(Number(new URL(receiver.url).port)));
  const only = ['receiver/acceptance/every-event'];
  const probe = '/effects/{id}';
  const { lost, checks, observations } = await held(`http://127.0.0.1:${port}/hooks`, only, { probe, settle: 100 });
  expect(lost).toBeUndefined();
  expect(checks.map(({ outcome }) => outcome)).toEqual(['passed']);
  expect(observations.map(({ value }) => value)).toContainEqual(
    expect.stringContaining('fewer than 17 connections are served at a time'),
  );
});

test.concurrent('a receiver that takes fractions of a second alone is tested with these, and found', async () => {
  const url = await taking(/"created_at":"[^"]*\.\d{3}Z"/, 422);
  const only = ['RCV-1', 'RCV-2', 'receiver/signature/forged', 'receiver/signature/changed-after-signing'];
  const { lost, checks, requirements } = await held(url, only);
  expect(lost).toBeUndefined();
  expect(brokenIn({ requirements })).toEqual(['RCV-2']);
  expect(requirements.find(({ id }) => id === 'RCV-1')?.outcome).toBe('holds');
  const { counterexample } = checks.find(({ id }) => id === 'receiver/acceptance/timestamps')!;
  expect(counterexample!.exchange.twin!.request.body.text).toMatch(/"created_at":"[^"]*:\d\d\.000Z"/);
  expect(checks.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id)).toEqual([
    'receiver/acceptance/timestamps',
  ]);
});

test.concurrent.each([500, 'nothing'] as const)(
  'one that answers %s to whole seconds, because nobody handles what their parser throws, is tested and found as well',
  async (answer) => {
    const url = await answering((isRight, _, body) => {
      if (!isRight) return 401;
      return /"created_at":"[^"]*\.\d+Z"/.test(body) ? 202 : answer;
    });
    const { lost, checks, requirements } = await held(url, [...accepting, 'receiver/signature/forged']);
    expect(lost).toBeUndefined();
    expect(brokenIn({ requirements })).toEqual(['RCV-2']);
    expect(resultOf({ checks }, 'acceptance/timestamps')?.counterexample?.summary).toContain('whole seconds');
  },
);

test.concurrent('a receiver that takes any fraction, and no whole seconds, is found too', async () => {
  const { checks } = await held(await taking(/"created_at":"[^"]*\.\d+Z"/, 400), ['receiver/acceptance/*']);
  const failed = checks.filter(({ outcome }) => outcome === 'failed');
  expect(failed.map(({ id, counterexample }) => [id, counterexample?.summary])).toMatchObject([
    ['receiver/acceptance/timestamps', expect.stringContaining('whole seconds: 400')],
  ]);
});

test.concurrent.each([400, 415, 422])(
  'where a plain delivery is refused with %i, the content may be why',
  async (status) => {
    const { lost, summary } = await held(await taking(/nothing says so/, status), ['RCV-1']);
    expect(lost?.reason).toContain(`the receiver answered ${status}`);
    expect(lost?.advice).toMatch(
      /the signature may have been right\. It was the event container\.transport\.vessel_arrived as application\/json, created at "20[\d:T-]+Z", with the delivery status "pending" and \d+ bytes in all\. .* Check --secret/,
    );
    expect(summary.deliveries).toBeLessThan(70);
  },
);

test.concurrent('where it is refused with 401, nothing is said of the content', async () => {
  const { lost } = await held(await taking(/nothing says so/, 401), ['RCV-1']);
  expect(lost?.advice).toMatch(/^Check --secret, the path of the URL, --events, and --contract/);
});

test.concurrent('where a digest that is refused is that of the shortest body without a meaning, longer ones tell', async () => {
  const url = await taking(/^(?!\{$)[^]{0,1300}$/, 401);
  const { checks, requirements } = await held(url, ['receiver/acceptance/every-event']);
  expect(checks.map(({ outcome }) => outcome)).toEqual(['inconclusive']);
  expect(brokenIn({ requirements })).toEqual([]);
});

test.concurrent('where the secret is no key as the contract has it, this is said first', async () => {
  const url = await taking(/nothing says so/, 401);
  const { lost } = await held(url, ['RCV-1'], { contract: 'standard-webhooks', secret: ['whsec_not base64'] });
  expect(lost?.advice).toMatch(
    /^By the contract the secret is a key in base64 \(with its padding\), and what was given is not, so its text was the key\. Check --secret/,
  );
});

test.concurrent('a receiver that is overloaded for ever is not asked for one event after the other', async () => {
  const came: string[] = [];
  const url = await answering((_isRight, _request, body) => {
    came.push(/"id":"([^"]+)"/.exec(body)![1]!);
    return 503;
  });
  const { lost } = await held(url, ['RCV-1'], { events: ['container.transport.*'] });
  expect(lost?.reason).toMatch(
    /^The receiver fails, or the address, the secret or the contract may be wrong: .* 503 Service Unavailable$/,
  );
  expect(lost?.advice).toContain('it failed, or is not ready');
  const [first, second, third] = [...new Set(came)];
  expect(came.indexOf(second!)).toBeGreaterThan(came.lastIndexOf(first!));
  expect(came.indexOf(third!)).toBeLessThan(came.lastIndexOf(second!));
});

test.concurrent('where a spelling is refused otherwise than a forgery, the hint is about what reads the body', async () => {
  const url = await answering((isRight, _, body) => {
    if (!isRight) return 401;
    return /"[^"]*\\u[^"]*"\s*:/.test(body) ? 400 : 202;
  });
  const only = ['receiver/signature/every-spelling'];
  const summary = await held(url, only, { intensity: 'standard' });
  expect(brokenIn(summary)).toEqual(['VRF-1']);
  expect(resultOf(summary, 'signature/every-spelling')?.counterexample?.hint).toContain(
    'found right, and it is the content',
  );
});

describe.concurrent('a receiver that refuses a body without a list of related resources', () => {
  const observed = { gap: 'GAP-1', value: 'a body without a list of related resources is not accepted' };

  test('breaks nothing, and that is observed', async () => {
    const { requirements, checks, observations } = await held(await taking(/"included":/, 400), ['RCV-1', 'RCV-2']);
    expect(brokenIn({ requirements })).toEqual([]);
    expect(checks.find(({ id }) => id === 'receiver/acceptance/included')?.outcome).toBe('passed');
    expect(observations).toContainEqual({ ...observed, evidence: '400 Bad Request' });
  });

  test.each([
    ['optional', ['RCV-2']],
    ['always', []],
  ])('where its presence is assumed to be %s, %j is broken', async (presence, broken) => {
    const url = await taking(/"included":/, 400);
    const summary = await held(url, ['receiver/acceptance/included'], { assume: { 'included.presence': presence } });
    const { requirements, observations } = summary;
    expect(brokenIn({ requirements })).toEqual(broken);
    expect(observations).not.toContainEqual(expect.objectContaining(observed));
  });
});

/** A receiver in a few lines: its answer follows from whether the signature is the right one, and from the request. */
async function answering(
  answer: (isRight: boolean, request: IncomingMessage, body: string) => number | 'nothing',
  key = secret[0]!,
): Promise<string> {
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>).catch(() => []));
    const right = createHmac('sha256', key).update(body).digest('hex');
    const status = answer(request.headers['x-svc-webhook-signature'] === right, request, body.toString());
    if (status === 'nothing') return void request.socket.destroy();
    response.writeHead(status, status >= 300 && status < 400 ? { Location: '/elsewhere' } : {}).end();
  });
  const { origin } = await targets.listen(server);
  return `${origin}/hooks`;
}

function resultOf({ checks }: Pick<RunSummary, 'checks'>, id: string) {
  return checks.find((check) => check.id === `receiver/${id}`);
}

describe.concurrent('a plain delivery is answered with a status that is no refusal', () => {
  test.each([302, ...further(203, 206, 304)])(
    '%i breaks RCV-1, and the other checks take it for acceptance',
    async (status) => {
      const summary = await held(await answering((isRight) => (isRight ? status : 401)), [
        'RCV-1',
        ...accepting,
        ...verifying,
      ]);
      expect(brokenIn(summary)).toEqual(['RCV-1']);
      const { counterexample } = resultOf(summary, 'acceptance/every-event')!;
      expect(counterexample!.exchange.attempts).toMatchObject([{ answer: { status } }]);
      expect(exitCode(summary)).toBe(1);
      expect(summary.requirements.filter(({ outcome }) => outcome === 'holds').map(({ id }) => id)).toEqual(
        expect.arrayContaining(['VRF-1', 'VRF-2', 'VRF-3']),
      );
      expect(summary.control).toMatchObject({
        accepted: false,
        instead: expect.stringContaining(`take ${status} for`),
      });
    },
  );

  test('a success that comes for forgeries, too, accepts them', async () => {
    const summary = await held(await answering(() => 203), ['RCV-1', 'receiver/signature/forged']);
    expect(brokenIn(summary)).toEqual(['RCV-1', 'VRF-2']);
    const { counterexample } = resultOf(summary, 'signature/forged')!;
    expect(counterexample!.actual).toBe(
      '203 Non-Authoritative Information, the answer that a plain delivery gets, too',
    );
  });

  test('a redirect that comes whatever is sent shows nothing but itself', async () => {
    const summary = await held(await answering(() => 302), [...accepting, 'receiver/signature/forged']);
    expect(brokenIn(summary)).toEqual(['RCV-1']);
    expect(resultOf(summary, 'signature/forged')?.reason).toContain('whatever is sent is answered with 302');
    expect(exitCode(summary)).toBe(1);
  });
});

test.concurrent('an accepting status whose body is cut off breaks RCV-1, and the kit says how it ends', async () => {
  const { url } = await targets.raw((socket) =>
    socket.on('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{"ok":')),
  );
  const summary = await held(url.href, ['RCV-1', 'VRF-2'], { events: ['shipment.*'] });
  expect([brokenIn(summary), exitCode(summary)]).toEqual([['RCV-1'], 1]);
  const { actual, hint } = resultOf(summary, 'acceptance/every-event')!.counterexample!;
  expect(actual).toBe(
    'no whole answer: the status 200 came, and the connection was closed within the body after it (TRUNCATED)',
  );
  expect(hint).toMatch(/^End the answer: /);
});

describe.concurrent('a plain delivery is refused, and a forged one is accepted', () => {
  test.each([
    ['whatever is not signed', (_: boolean, { headers }: IncomingMessage) => !('x-svc-webhook-signature' in headers)],
    ['every wrong signature', (isRight: boolean) => !isRight],
  ])('a receiver that takes %s breaks VRF-1 and VRF-2', async (_, takes) => {
    const url = await answering((isRight, request) => (takes(isRight, request) ? 200 : 401));
    const summary = await held(url, [...accepting, ...verifying]);
    expect(brokenIn(summary)).toEqual(['VRF-1', 'VRF-2']);
    expect(exitCode(summary)).toBe(1);
    const { exchange } = resultOf(summary, 'signature/every-spelling')!.counterexample!;
    expect([exchange.attempts, exchange.twin]).toMatchObject([
      [{ answer: { status: 401 } }],
      { answer: { status: 200 } },
    ]);
    const forged = resultOf(summary, 'signature/forged')!.counterexample!;
    expect(forged.exchange.attempts).toMatchObject([{ answer: { status: 401 } }, { answer: { status: 200 } }]);
    // What is not about signatures is tested with what it takes.
    expect(resultOf(summary, 'acceptance/unknown-members')?.outcome).toBe('passed');
    expect(summary.requirements.find(({ id }) => id === 'RCV-1')?.outcome).toBe('inconclusive');
  });

  test('a receiver without its secret verifies with an empty one', async () => {
    const url = await answering((isRight) => (isRight ? 200 : 401), '');
    const summary = await held(url, [...accepting, ...verifying]);
    expect(brokenIn(summary)).toEqual(['VRF-1', 'VRF-2']);
    const { attempts } = resultOf(summary, 'signature/forged')!.counterexample!.exchange;
    expect(attempts).toMatchObject([{ answer: { status: 401 } }, { answer: { status: 200 } }]);
    expect(resultOf(summary, 'acceptance/unknown-members')?.outcome).toBe('passed');
  });
});

test.concurrent('a receiver that takes another media type alone breaks RCV-1, and is tested with that one', async () => {
  const url = await answering((isRight, { headers }) => {
    if (!isRight) return 401;
    return headers['content-type'] === 'application/vnd.api+json' ? 200 : 415;
  });
  const summary = await held(url, [...accepting, 'receiver/signature/forged']);
  expect(brokenIn(summary)).toEqual(['RCV-1']);
  expect(summary.control?.instead).toContain('application/vnd.api+json');
});

test.concurrent.each([
  [400, 'The secret may be wrong, or the contract may be another'],
  [401, 'The secret may be wrong'],
  [404, 'The address may be wrong'],
  [500, 'The receiver fails, or the address, the secret or the contract may be wrong'],
])('where everything is answered with %i, the first words say what may be wrong', async (status, words) => {
  const summary = await held(await answering(() => status), ['RCV-1', 'VRF-2']);
  expect(brokenIn(summary)).toEqual([]);
  expect(exitCode(summary)).toBe(3);
  expect(summary.lost?.reason).toMatch(new RegExp(`^${words}: .*${status}`));
  expect(summary.lost?.advice).toContain(
    status === 404 ? 'Check the path of the URL, --secret' : 'Check --secret, the path of the URL',
  );
});

test.concurrent('a secret that is a word of the kit stays in what the kit says of it', async () => {
  const url = await answering(() => 401);
  for (const word of ['secret', 'wrong', 'delivery']) {
    const { lost } = await held(url, ['VRF-2'], { secret: [word] });
    expect(lost?.reason).toMatch(/^The secret may be wrong: a plain valid delivery was not accepted/);
    expect(lost?.advice).toMatch(/^Check --secret, the path/);
  }
});
