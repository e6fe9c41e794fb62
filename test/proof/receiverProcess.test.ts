import { describe, expect, test } from 'vitest';

import { receiverFaultNames, receiverFaults } from '../../reference/faults/receiver/index.ts';
import type { ReceiverCheck } from '../../suites/check.ts';
import { receiverChecks } from '../../suites/receiver/index.ts';
import { conclusively } from './conclusively.ts';
import { expectFound } from './expectFound.ts';
import { asFound, complaints, intensity } from './testReceiver.ts';
import { testLiving } from './testLiving.ts';
import { livingReceivers, type LivingReceiver, locking, type Place, reference } from './livingReceivers/index.ts';
import { provenBy } from './provenBy.ts';
import { brokenIn } from '../brokenIn.ts';

/** The checks that need process control of the receiver, or keep it busy, and nothing else that has to be set up. */
const checks = receiverChecks.filter(
  ({ id, needs }) =>
    (needs.includes('process-control') && !needs.includes('api') && !needs.includes('secret-variable')) ||
    id.startsWith('receiver/load/'),
);
/** Milliseconds: the reference is quick, so that a short wait for what must not come is enough. */
const settle = 400;

const proofs = Object.entries(provenBy).filter(([check]) => checks.some(({ id }) => id === check));
const proven = new Set(proofs.map(([, fault]) => fault));
/** In CI those that prove a check; all of them at `standard`. */
const faults = receiverFaultNames.filter((name) => {
  const { processControl, setting } = receiverFaults[name]!;
  return processControl === true && setting === undefined && (intensity === 'standard' || proven.has(name));
});

/** In CI they share the checks: each check meets one of them, and on the reference each fails with its fault. */
function shareOf(receiver: LivingReceiver): readonly ReceiverCheck[] {
  const all = Object.values(livingReceivers);
  return checks.filter((_, index) => index % all.length === all.indexOf(receiver));
}

describe.concurrent('no check finds fault with a receiver that keeps what it acknowledges', () => {
  test.each(Object.entries(livingReceivers))('%s', { timeout: 300_000 }, async (_, receiver) => {
    const own = intensity === 'standard' ? checks : shareOf(receiver);
    const summary = await conclusively((only) => testLiving(receiver, { checks: own, ...only, seed: 20_261_121 }));
    expect(complaints(summary)).toEqual([]);
    expect(summary.errors).toEqual([]);
  });
});

/** What costs more than CI has for it, `npm run proof` tries. */
const isProof = intensity === 'standard';

test.runIf(isProof)('a refusal that a later redelivery overcomes is no loss', { timeout: 120_000 }, async () => {
  const summary = await testLiving(locking, { only: ['receiver/crash/unacknowledged'], seed: 3 });
  expect(complaints(summary)).toEqual([]);
  expect(summary.requirements.find(({ id }) => id === 'IDM-5')?.outcome).toBe('holds');
});

describe.concurrent('faults that show only where a receiver is ended, or busy, are found', () => {
  test.each(faults)('%s', { timeout: 300_000 }, async (name) => {
    const { breaks, timeout } = receiverFaults[name]!;
    const concerned = checks.filter(({ id, requirements }) =>
      intensity === 'standard' ? requirements.some((one) => breaks.includes(one)) : provenBy[id] === name,
    );
    const time = timeout === undefined ? {} : { timeout };
    const proves = proofs.filter(([, fault]) => fault === name).map(([check]) => check);
    await expectFound({ breaks, proven: proves }, () =>
      testLiving(reference(name), { checks: concerned, seed: 42, settle, ...asFound, ...time }),
    );
  });
});

test.runIf(isProof)(
  'ids that a restart took are not said to be forgotten for their age alone',
  { timeout: 120_000 },
  async () => {
    const only = ['receiver/outage/first-deliveries', 'receiver/idempotency/late-redelivery'];
    const { checks: ended } = await testLiving(reference('deduplicates-in-memory'), {
      only,
      seed: 42,
      settle,
      ...asFound,
    });
    const late = ended.find(({ id }) => id === 'receiver/idempotency/late-redelivery');
    expect(late?.counterexample?.summary).toMatch(/, and after the receiver was stopped or paused: 2 effects$/);
  },
);

// Each refusal is waited out, for a receiver may be starting: half a minute.
test.runIf(isProof)('one that serves nobody after an end is not said to lose work', { timeout: 120_000 }, async () => {
  const refusing = `require('node:http').createServer((request, response) => response.writeHead(503).end()).listen(Number(process.argv[1]), '127.0.0.1')`;
  const kept = reference();
  // The lock file of a process that was killed is still there.
  const command = (place: Place): string =>
    `if mkdir "${place.database}.lock"; then ${kept.command(place)}; else exec node -e "${refusing}" ${place.port}; fi`;
  const { checks: ended } = await testLiving(
    { ...kept, command },
    { only: ['receiver/crash/acknowledged'], seed: 42, settle, ...asFound },
  );
  expect(ended[0]!.counterexample?.requirements).toEqual(['RTY-1']);
  expect(ended[0]!.counterexample?.hint).toMatch(
    /^It came up, and goes on refusing what it accepted before\..* a lock file/,
  );
});

// What may come of itself is awaited: half a minute.
test.runIf(isProof)(
  'one that accepts after an end and works on nothing is found once',
  { timeout: 240_000 },
  async () => {
    const { checks: ended } = await testLiving(reference('keeps-the-lock-of-a-killed-worker'), {
      only: ['receiver/outage/refused-connections', 'receiver/crash/interrupted-work'],
      seed: 42,
      settle,
      ...asFound,
    });
    const [outage, crash] = ['receiver/outage/', 'receiver/crash/'].map((topic) =>
      ended.find(({ id }) => id.startsWith(topic))!,
    );
    const { requirements, hint, actual } = outage!.counterexample!;
    expect(requirements).toEqual(['RTY-1']);
    expect(hint).toMatch(/^It came up, accepts, and works on nothing\..* a lock file/);
    expect(actual).toMatch(/^nothing took effect for 3\d s since it runs again$/);
    expect(crash!.outcome).toBe('inconclusive');
    expect(crash!.reason).toMatch(/^nothing takes effect, as after an earlier interruption \(killed; /);
  },
);

test.runIf(isProof)(
  'what a start makes of the work before it is seen before the next start',
  { timeout: 240_000 },
  async () => {
    const summary = await testLiving(reference('forgets-the-ids-of-what-it-takes-up'), {
      only: ['receiver/crash/*', 'receiver/outage/*', 'receiver/shutdown/*'],
      seed: 6,
      settle,
      ...asFound,
    });
    expect(brokenIn(summary)).toEqual(['IDM-2']);
  },
);

test.runIf(isProof)(
  'what waits is not taken for lost by a kill where new deliveries displace it',
  { timeout: 240_000 },
  async () => {
    const summary = await testLiving(reference('numbers-its-queue-anew-after-a-start'), {
      only: ['receiver/outage/first-deliveries'],
      seed: 6,
      ...asFound,
    });
    expect(brokenIn(summary)).toEqual(['RCV-3']);
    expect(summary.checks[0]!.counterexample?.hint).toMatch(/begins anew at each start/);
  },
);

test.runIf(isProof)('a body is on its way when an end hits it', { timeout: 240_000 }, async () => {
  const { checks: ended } = await testLiving(reference('acknowledges-what-it-reads-to-its-end-while-it-ends'), {
    only: ['receiver/shutdown/in-flight'],
    seed: 7,
    settle,
    ...asFound,
  });
  expect(ended[0]!.counterexample?.requirements).toEqual(['RCV-3']);
  expect(ended[0]!.counterexample?.summary).toMatch(/sent in part; asked to end/);
});

test('a receiver that a kill takes everything from is found, although each kill takes what the case before looks at', async () => {
  const kept = reference();
  const forgetful = { ...kept, command: (place: Place) => kept.command({ ...place, database: ':memory:' }) };
  const summary = await conclusively(() =>
    testLiving(forgetful, { only: ['receiver/crash/*'], seed: 42, settle, ...asFound }),
  );
  const outcomes = Object.fromEntries(summary.checks.map(({ id, outcome }) => [id, outcome]));
  expect(outcomes).toEqual({
    'receiver/crash/acknowledged': 'warned',
    'receiver/crash/interrupted-work': 'passed',
    'receiver/crash/known-ids': 'inconclusive',
    'receiver/crash/unacknowledged': 'passed',
  });
});

test.runIf(isProof)(
  'what is refused for what it says, whatever went before it, is not blamed on an end',
  { timeout: 120_000 },
  async () => {
    const only = ['receiver/shutdown/in-flight'];
    const summary = await testLiving(reference('has-room-for-one-related-resource'), {
      only,
      seed: 1,
      settle,
      ...asFound,
    });
    expect(brokenIn(summary)).toEqual([]);
    expect(summary.checks.map(({ cases }) => cases > 0)).toEqual([true]);
    expect(summary.errors).toEqual([]);
  },
);

test.each(['reads-its-queue-line-by-line', 'reads-no-long-line-of-its-queue'])(
  'what is stored and not read again after a start is lost: %s',
  { timeout: 240_000 },
  async (fault) => {
    const only = ['receiver/crash/acknowledged'];
    const summary = await testLiving(reference(fault), { only, seed: 42, settle, ...asFound, intensity: 'standard' });
    expect(brokenIn(summary)).toEqual(['RCV-3']);
    expect(summary.checks[0]!.counterexample!.exchange.difference).toMatch(
      /, with line ends in the body; killed 0 ms after/,
    );
  },
);
