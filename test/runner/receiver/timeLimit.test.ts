import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RequestListener } from 'node:http';

import { afterAll, expect, test } from 'vitest';

import { receiverFaults } from '../../../reference/faults/receiver/index.ts';
import { conformingPolicies } from '../../../reference/receiver/conformingPolicies.ts';
import type { ReceiverPolicies } from '../../../reference/receiver/policies.ts';
import { startReceiver } from '../../../reference/receiver/receiver.ts';
import { headLines } from '../../../reports/formats/terminal/closing.ts';
import { pageOf } from '../../../reports/formats/terminal/page.ts';
import { createPrinter } from '../../../reports/sink.ts';
import type { RunEvent } from '../../../reports/model/events.ts';
import { exitCode } from '../../../reports/model/exitCode.ts';
import { summarise } from '../../../reports/model/summary.ts';
import { runReceiver } from '../../../runner/receiver/runReceiver.ts';
import { receiverPlan, type ReceiverPlanOptions } from '../../../runner/receiver/receiverPlan.ts';
import { useTargets } from '../targets.ts';
import { brokenIn } from '../../brokenIn.ts';
import { isProof } from '../../proof/testReceiver.ts';

const targets = useTargets(afterAll);

/** The tenth that a run may take longer, and what a machine takes that has ten times as much to do. */
const onBusyMachine = 1.6;

/** A listener that reads the whole request first. */
function reading(answer: (count: number, response: Parameters<RequestListener>[1]) => void): RequestListener {
  let count = 0;
  return (request, response) => {
    request.resume().on('end', () => answer((count += 1), response));
    for (const stream of [request, response]) stream.on('error', () => {});
  };
}

async function run(listener: RequestListener, options: ReceiverPlanOptions, hears?: (event: RunEvent) => void) {
  const url = await targets.http(listener);
  const plan = await receiverPlan(url.href, { intensity: 'quick', seed: 7, ...options });
  const events: RunEvent[] = [];
  for await (const event of runReceiver(plan)) {
    events.push(event);
    hears?.(event);
  }
  return { summary: summarise(events) };
}

test.concurrent('a receiver that hangs for ever is noticed, and the report says what it answered last', async () => {
  const hanging = reading((count, response) => (count > 120 ? undefined : response.writeHead(202).end()));
  const { summary } = await run(hanging, { timeout: 300, time: 60_000 });
  expect(summary.run.outOfTime).toBeUndefined();
  expect(summary.lost?.reason).toContain('the receiver hangs: it takes requests, and answers none');
  expect(summary.lost?.advice).toMatch(/The last that were answered: a delivery of \S+ \(\S+\): 202/);
  const hung = summary.checks.filter(({ counterexample }) => counterexample?.actual.includes('answered nothing'));
  expect(hung).toHaveLength(1);
  expect(hung[0]!.counterexample!.hint).toContain('One request must never keep the others waiting for ever');
  expect(exitCode(summary)).toBe(1);
});

test.concurrent('a receiver that has nothing left after what it refused is noticed, and named as broken', async ({
  onTestFinished,
}) => {
  const policies = receiverFaults['leaks-a-slot-at-each-refusal']!.change(conformingPolicies);
  const receiver = await startReceiver({ secrets: ['s3cret'], policies });
  onTestFinished(() => receiver.close());
  const plan = await receiverPlan(receiver.url, { intensity: 'quick', seed: 7, secret: ['s3cret'] });
  const summary = summarise(await Array.fromAsync(runReceiver(plan)));
  expect(summary.lost?.reason).toMatch(
    /^the receiver serves nobody any more: it answers plain requests with 503: \d+ requests in a row, the first a delivery of /,
  );
  expect(summary.lost?.advice).toMatch(
    /^It had accepted plain requests before\. \d\d requests had been refused before, the last /,
  );
  const found = summary.checks.flatMap(({ counterexample }) => counterexample ?? []);
  expect(found).toMatchObject([{ requirements: ['ROB-1'], hint: expect.stringContaining('also where you refuse it') }]);
  expect(found[0]!.actual).toMatch(
    /\d\d requests had been refused before, the last of them a delivery of \S+ \(receiver\/\S+\): 4\d\d$/,
  );
  expect(summary.run.durationMs).toBeLessThan(60_000);
  expect(exitCode(summary)).toBe(1);
});

test.concurrent('a receiver that closes every connection, once an error has poisoned its lock, is noticed, and no check blames its own case', async () => {
  const url = await targets.http((request, response) => {
    void json(request).then(
      () => (isPoisoned ? request.socket.destroy() : response.writeHead(202).end()),
      () => ((isPoisoned = true), request.socket.destroy()),
    );
  });
  let isPoisoned = false;
  const plan = await receiverPlan(url.href, { intensity: 'quick', seed: 7, time: 60_000 });
  const summary = summarise(await Array.fromAsync(runReceiver(plan)));
  expect(summary.lost?.reason).toMatch(
    /closes their connections without a whole answer: \d+ requests in a row, the first a /,
  );
  expect(summary.lost?.advice).toContain('a lock that an error has left locked or poisoned');
  expect(summary.checks.flatMap(({ counterexample }) => counterexample ?? [])).toEqual([]);
});

test.concurrent('a receiver that answers 503 for a while is waited for, and goes on being tested', async () => {
  let until: number | undefined;
  const resting = reading((count, response) => {
    if (count === 50) until = performance.now() + 5000;
    response.writeHead(until === undefined || performance.now() > until ? 202 : 503).end();
  });
  const { summary } = await run(resting, { time: 60_000, only: ['RCV-2', 'RCV-3'] });
  expect(summary.lost).toBeUndefined();
  expect(summary.run.complete).toBe(true);
});

test.concurrent('that a receiver hangs among many requests at once is a finding, and the report says how to see of which', async () => {
  let left = Infinity;
  const hanging = reading((_, response) => (left-- > 0 ? response.writeHead(202).end() : undefined));
  const options = { timeout: 1000, time: 60_000, concurrency: 8, only: ['receiver/acceptance/every-event'] };
  const { summary } = await run(hanging, options, ({ type }) => {
    if (type === 'check.started') left = 6;
  });
  const found = summary.checks.flatMap(({ counterexample }) => counterexample ?? []);
  expect({ lost: summary.lost, found }).toMatchObject({
    lost: { reason: expect.stringContaining('the receiver hangs') },
    found: [
      {
        requirements: ['ROB-1'],
        actual: expect.stringMatching(/^it hung while several cases were at work: from then on it answered nothing/),
        hint: expect.stringContaining('--concurrency 1 and the same --seed'),
      },
    ],
  });
  expect(exitCode(summary)).toBe(1);
});

/** A listener that serves one request at a time, each for so many milliseconds. */
function oneByOne(ms: number, statusOf: (body: string) => number = () => 202): RequestListener {
  let turn: Promise<unknown> = Promise.resolve();
  return (request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    request.on('end', () => (turn = turn.then(() => sleep(ms)).then(() => response.writeHead(statusOf(body)).end())));
  };
}

test.concurrent('that a receiver takes one delivery at a time is seen first, where it is too slow for all cases', async () => {
  const { summary } = await run(oneByOne(60), { intensity: 'standard', time: 12_000, timeout: 1000 });
  expect(brokenIn(summary)).toContain('RCV-4');
});

test.concurrent('of a receiver that is too slow for all cases, as many MUSTs are decided as there is time for', async () => {
  const { summary } = await run(oneByOne(60), { intensity: 'standard', time: 12_000, timeout: 10_000 });
  expect(summary.run.durationMs).toBeLessThan(12_000 * onBusyMachine);
  const outcomes = Object.fromEntries(summary.requirements.map(({ id, outcome }) => [id, outcome]));
  expect(outcomes).toMatchObject({ 'IDM-1': 'holds', 'RCV-1': 'holds', 'RCV-2': 'inconclusive' });
  const [, ...head] = headLines(summary, pageOf({ columns: 1000, printer: createPrinter(false) }));
  expect(head.join(' ').replaceAll(/\s+/g, ' ')).toMatch(
    /The time \(--time, 12 s\) did not suffice: .* Undecided for that: RCV-2 and \d requirements that are no MUST\. There was time for \d+ deliveries: give --time \d+m for all, or test a part, such as --only RCV-2\./,
  );
});

// On a busy machine the time that is kept may be too short: `npm run proof` asks for it.
test
  .runIf(isProof)
  .concurrent('that the work of a receiver has ended is seen, though it is too slow for all cases', async () => {
    const done = new Set<string>();
    const slow = oneByOne(40, (body) => {
      const id = /"id":"([^"]*)"/.exec(body)?.[1] ?? '';
      if (done.size < 30) done.add(id);
      return 202;
    });
    const working: RequestListener = (request, response) => {
      if (request.method !== 'GET') return slow(request, response);
      response.end(JSON.stringify({ count: Number(done.has(request.url!.slice('/effects/'.length))) }));
    };
    const { summary } = await run(working, { time: 60_000, timeout: 10_000, probe: '/effects/{id}' });
    const found = summary.checks.find(({ id }) => id === 'receiver/load/still-at-work')!;
    expect(found).toMatchObject({ outcome: 'failed', counterexample: { requirements: ['RTY-1'] } });
    expect(found.counterexample!.actual).toMatch(
      /^nothing took effect for \d+ s; the last effect was of one before \S+ \(.* bytes\)$/,
    );
  });

test.concurrent('a receiver that works off more than it can answer in time, one request after the other, does not hang', async () => {
  const only = ['receiver/signature/every-spelling', 'receiver/acceptance/every-event', 'RTY-*'];
  const { summary } = await run(oneByOne(250), { intensity: 'standard', time: 25_000, timeout: 1000, only });
  expect(summary.lost).toBeUndefined();
  expect(brokenIn(summary)).toEqual([]);
});

test.concurrent('what a receiver breaks that is too slow for all cases is tried again while there is time', async () => {
  const refusing = oneByOne(60, (body) => (body.includes('container.transport.vessel_loaded') ? 422 : 202));
  const { summary } = await run(refusing, { intensity: 'standard', time: 12_000, timeout: 10_000 });
  expect(summary.requirements.find(({ id }) => id === 'RCV-1')?.outcome).toBe('broken');
  expect(exitCode(summary)).toBe(1);
});

test.concurrent.each([
  { delay: 1, groups: false },
  { delay: 300, groups: true },
])('unknown events come one at a time, in groups where an answer takes long: %o', async ({ delay, groups }) => {
  let atOnce = 0;
  const seen = new AbortController();
  const known = new Set<unknown>();
  const url = await targets.http(async (request, response) => {
    const { data } = (await json(request)) as { readonly data: { readonly attributes: { readonly event: unknown } } };
    const counts = known.has(data.attributes.event) ? 0 : 1;
    atOnce += counts;
    if (atOnce > 1) seen.abort();
    await sleep(delay);
    atOnce -= counts; // The next request may come before it is known here that the answer went out.
    response.writeHead(202).end();
  });
  // The fewer cases there are, the longer may an answer take before they come in groups, also on a busy machine.
  const only = ['receiver/acceptance/unknown-event'];
  const plan = await receiverPlan(url.href, { intensity: 'quick', seed: 7, only, signal: seen.signal });
  for (const { value } of plan.contract.events) known.add(value);
  await Array.fromAsync(runReceiver(plan));
  expect(seen.signal.aborted).toBe(groups);
});

test.concurrent('a receiver that an unknown event keeps busy for ever hangs of that event', async () => {
  const busy = new Set<string>();
  const hanging: RequestListener = (request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    request.on('end', () => {
      if (/"event":"[a-z._]{40,}[^a-z._"]"/.test(text)) busy.add(text);
      if (busy.size === 0) response.writeHead(202).end();
    });
  };
  const only = ['receiver/acceptance/unknown-event', 'receiver/acceptance/every-event'];
  // Long enough that no other answer is late on a busy machine, where several cases would be at work, too.
  const { summary } = await run(hanging, { timeout: 1000, time: 60_000, intensity: 'standard', only, concurrency: 1 });
  const found = summary.checks.find(({ id }) => id === only[0])!.counterexample!;
  expect(found.requirements).toEqual(['RCV-6', 'ROB-1']);
  expect(found.actual).toMatch(/^no answer within 1(?:\.\d)? s; from then on it answered nothing/);
  expect(found.hint).toContain('pattern');
  expect(exitCode(summary)).toBe(1);
});

test.concurrent('a receiver that answers no redelivery at all does not hang: its redeliveries are what is broken', async () => {
  const known = new Set<string | undefined>();
  const listener: RequestListener = (request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    request.on('end', () => {
      const [id] = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(text) ?? [];
      if (!known.has(id)) response.writeHead(202).end();
      known.add(id);
    });
  };
  // Each redelivery takes the whole time-out, so that the time is over before all cases were tried.
  const { summary } = await run(listener, { timeout: 800, time: 10_000, only: ['RCV-*', 'IDM-*', 'RTY-*'] });
  expect(summary.lost).toBeUndefined();
  expect(summary.requirements.find(({ id }) => id === 'IDM-1')?.outcome).toBe('broken');
  expect(exitCode(summary)).toBe(1);
});

test.concurrent('a pause of all answers is waited for, and is no hang', async () => {
  let paused: Promise<unknown> | undefined;
  const pausing = reading((count, response) => {
    if (count === 50) paused = sleep(900);
    void Promise.resolve(paused).then(() => response.writeHead(202).end());
  });
  const { summary } = await run(pausing, { timeout: 400, time: 60_000, only: ['RCV-2', 'RCV-3'] });
  expect(summary.lost).toBeUndefined();
  expect(summary.run.complete).toBe(true);
});

test.concurrent.for(['nothing', 'bytes'] as const)(
  'the run ends within its time and a tenth where the answers become %s',
  async (what) => {
    const stuck = reading((count, response) => {
      if (count <= 50) return void response.writeHead(202).end();
      if (what === 'nothing') return;
      response.writeHead(202);
      const timer = setInterval(() => response.write('a'), 20);
      response.on('close', () => clearInterval(timer));
    });
    const { summary } = await run(stuck, { timeout: 10_000, time: 3000 });
    expect(summary.run.durationMs).toBeLessThan(3000 * onBusyMachine);
    expect(summary.run).toMatchObject({ outOfTime: true, complete: true });
    expect(summary.lost).toBeUndefined();
    expect(summary.verdict).toBe('inconclusive');
  },
);

test.concurrent('checks that were cut short say so, and nothing holds of which not every kind was tried', async () => {
  const { summary } = await run(oneByOne(20), { timeout: 10_000, time: 3000, intensity: 'standard' });
  expect(summary.run.durationMs).toBeLessThan(3000 * onBusyMachine);
  const cut = summary.checks.filter(({ planned = 0, cases }) => planned > cases);
  expect(cut.length).toBeGreaterThan(3);
  const untried = summary.checks.filter(({ untriedKinds = 0 }) => untriedKinds > 0);
  expect(untried.filter(({ outcome }) => outcome === 'passed')).toEqual([]);
  const open = untried.filter(({ outcome }) => outcome === 'inconclusive');
  expect(open.filter(({ reason = '' }) => !reason.includes('--time'))).toEqual([]);
  const doubtful = new Set(untried.flatMap(({ requirements }) => requirements));
  expect(summary.requirements.filter(({ id, outcome }) => doubtful.has(id) && outcome === 'holds')).toEqual([]);
});

test.concurrent('a receiver that bans the sender of forgeries turns the kit away: nothing is broken by that', async ({
  onTestFinished,
}) => {
  let refused = 0;
  const policies: ReceiverPolicies = {
    ...conformingPolicies,
    verify: (delivery) => {
      const isRight = refused < 20 && conformingPolicies.verify(delivery);
      if (!isRight) refused += 1;
      return isRight;
    },
  };
  const receiver = await startReceiver({ secrets: ['s3cret'], policies });
  onTestFinished(() => receiver.close());
  const plan = await receiverPlan(receiver.url, { intensity: 'quick', seed: 7, secret: ['s3cret'], time: 20_000 });
  const summary = summarise(await Array.fromAsync(runReceiver(plan)));
  expect(summary.lost?.reason).toMatch(
    /^the receiver turns the kit away: it answers plain requests with 401: \d+ requests in a row, the first a delivery of /,
  );
  expect(summary.checks.filter(({ outcome }) => outcome === 'failed' || outcome === 'warned')).toEqual([]);
  expect(exitCode(summary)).toBe(3);
});
