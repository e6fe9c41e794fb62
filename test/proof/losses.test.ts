import { setTimeout } from 'node:timers/promises';

import fc from 'fast-check';
import { expect, test } from 'vitest';

import { receiverFaults } from '../../reference/faults/receiver/index.ts';
import { conformingPolicies } from '../../reference/receiver/conformingPolicies.ts';
import { startReceiver } from '../../reference/receiver/receiver.ts';
import { receiverPlan } from '../../runner/receiver/receiverPlan.ts';
import { runReceiver } from '../../runner/receiver/runReceiver.ts';
import { receiverCheck } from '../../suites/check.ts';
import { notOnce, recoveredEffects } from '../../suites/receiver/aftermath.ts';
import { countOf, oneOfEach } from '../../suites/receiver/counting.ts';
import { expectEffects } from '../../suites/receiver/effect.ts';
import { attemptsOf } from '../../suites/receiver/expectation.ts';
import { lostSoFar, neverDone, stayedUndone } from '../../suites/receiver/load/lostForGood.ts';
import type { RunSummary } from '../../reports/model/runSummary.ts';
import { summarise } from '../../reports/model/summary.ts';
import { secret, testReceiver } from './testReceiver.ts';
import { brokenIn } from '../brokenIn.ts';

type Policies = Partial<typeof conformingPolicies>;

/**
 * A receiver that acknowledges every notification, remembers its id, and loses those at these places.
 *
 * @param after - milliseconds after which it does their work all the same. Default: it never does
 */
function losing(isLost: (place: number) => boolean, after?: number): Policies {
  const known = new Set<string>();
  return {
    accept: async (...given) => {
      const [{ id }] = given;
      if (known.has(id)) return 'duplicate';
      known.add(id);
      if (!isLost(known.size)) return conformingPolicies.accept(...given);
      // Some of it comes when the test is over.
      const work = (): Promise<unknown> => conformingPolicies.accept(...given);
      if (after !== undefined)
        void setTimeout(after)
          .then(work)
          .catch(() => undefined);
      return 'new';
    },
  };
}

const seldom = (place: number): boolean => place % 16 === 0;

/** One that drops what comes while four are at work, and keeps not even its id. */
function overwhelmed(): Policies {
  let atWork = 0;
  return {
    accept: async (...given) => {
      if (atWork >= 4) return 'new';
      atWork += 1;
      await setTimeout(20);
      atWork -= 1;
      return conformingPolicies.accept(...given);
    },
  };
}

async function tested(only: readonly string[], policies = losing((place) => place % 4 === 0)): Promise<RunSummary> {
  const receiver = await startReceiver({ secrets: [secret], policies });
  return testReceiver(receiver, { only, seed: 42, settle: 100, shrinkTime: 0, intensity: 'quick' });
}

test.concurrent('a receiver that loses some of what it accepts is said to lose it', async () => {
  expect(brokenIn(await tested(['receiver/load/long-queue']))).toEqual(['RTY-1']);
});

test.concurrent.each(['acceptance/unknown-members', 'idempotency/concurrent-copies'])(
  'no case of %s is said to be the cause of what is lost without it as well',
  async (check) => {
    const summary = await tested([`receiver/${check}`]);
    expect(brokenIn(summary)).toEqual([]);
    // The plain ones that were lost are no proof of RTY-1, but it does not hold either.
    const { outcome, unconfirmed } = summary.checks.find(({ id }) => id === `receiver/${check}`)!;
    expect(outcome === 'passed' ? ['RTY-1'] : unconfirmed).toEqual(['RTY-1']);
  },
);

test('what is lost from the beginning on is not said to be taken for another id', async () => {
  const summary = await tested(['receiver/load/after-many', 'receiver/acceptance/included']);
  expect(brokenIn(summary)).toEqual(['RTY-1']);
  const { counterexample } = summary.checks.find(({ id }) => id === 'receiver/load/after-many')!;
  expect(counterexample?.exchange.difference).toMatch(/; about as many were lost at the beginning of the run$/);
});

/** Sends plain deliveries, twelve at a time, and asks of those that took no effect in time whether they are lost. */
const some = receiverCheck<null>({
  id: 'receiver/load/some-at-once',
  title: 'keeps some plain deliveries that come at once',
  requirements: ['RTY-1'],
  needs: ['probe'],
  weight: 0,
  cases: () => [fc.constant(null)],
  run: async (kit) => {
    for (let times = 0; times < 5; times++) {
      const sent = Array.from({ length: 12 }, () => kit.compose(kit.control));
      const all = attemptsOf(sent, await Promise.all(sent.map((delivery) => kit.deliver(delivery))));
      await kit.effects(oneOfEach(...all));
    }
    const lost = await lostSoFar(kit);
    return lost && (stayedUndone(lost) ?? neverDone(kit, lost));
  },
  hint: '',
});

/** After the 44 deliveries of the control, it works every 400 milliseconds. */
function slow(): Policies {
  let [done, worked] = [0, 0];
  return {
    work: (store, limit) => {
      if (done >= 44 && performance.now() - worked < 400) return 0;
      worked = performance.now();
      const now = conformingPolicies.work(store, limit);
      done += now;
      return now;
    },
  };
}

test.concurrent.each<[string, Policies, string | undefined]>([
  [
    'dropped, and done when it comes again alone',
    overwhelmed(),
    'no effect until the kit delivered it again, when nothing else was under way',
  ],
  ['late', slow(), undefined],
  ['taken for known by its content', receiverFaults['deduplicates-by-content']!.change(conformingPolicies), undefined],
  ['lost most of the time, with its id remembered', losing((place) => place % 4 !== 0), undefined],
  [
    'lost seldom, with its id remembered',
    losing(seldom),
    'no effect, also none within 2 s after it was delivered once more',
  ],
  ['tried again after a while', losing(seldom, 1500), undefined],
])('what took no effect in time: %s', async (_, policies, actual) => {
  const receiver = await startReceiver({ secrets: [secret], policies });
  const summary = await testReceiver(receiver, { checks: [some], seed: 42, settle: 100, shrinkTime: 0 });
  expect(brokenIn(summary)).toEqual(actual === undefined ? [] : ['RTY-1']);
  expect(summary.checks[0]?.counterexample?.actual).toBe(actual);
});

test.concurrent.each([5, 8])('what one in %i survives is not said to end at what came before', async (nth) => {
  const most = losing((place) => place > 70 && place % nth !== 0);
  expect(brokenIn(await tested(['receiver/load/past-other-types'], most))).toEqual([]);
});

test.concurrent('where all that is new is dropped for what it holds, work is not said to have ended', async () => {
  const known = new Set<string>();
  let came = 0;
  const policies: Policies = {
    accept: (notification, store, delivery) => {
      const { included } = JSON.parse(delivery.body.toString()) as { readonly included: unknown };
      const content = JSON.stringify(included);
      if (++came <= 40) known.add(content);
      return known.has(content) ? conformingPolicies.accept(notification, store, delivery) : Promise.resolve('new');
    },
  };
  const summary = await tested(['receiver/load/still-at-work'], policies);
  expect(brokenIn(summary)).toEqual([]);
  expect(summary.checks[0]).toMatchObject({ outcome: 'inconclusive', unconfirmed: ['RTY-1'] });
});

test.concurrent('where most are lost, it is said how many, and what makes many ids the same', async () => {
  const most = losing((place) => place % 4 !== 0);
  const summary = await tested(['receiver/load/after-many', 'receiver/acceptance/included'], most);
  expect(brokenIn(summary)).toEqual(['RTY-1']);
  const { counterexample } = summary.checks.find(({ id }) => id === 'receiver/load/after-many')!;
  expect(counterexample?.exchange.difference).toMatch(/, 7\d of which took no effect; about as many/);
  expect(counterexample?.hint).toMatch(/^Most of them are lost\. .* reads their first digits only\./);
});

test.concurrent('what forgeries undid under ids that had taken effect was not lost', async () => {
  const policies = receiverFaults['undoes-what-comes-forged']!.change(conformingPolicies);
  expect(brokenIn(await tested(['receiver/signature/forged', 'receiver/load/after-many'], policies))).toEqual([
    'VRF-2',
  ]);
});

/** Sends plain deliveries, some of them without their signature, and asks for those that took no effect. */
const unsigned: typeof some = {
  ...some,
  id: 'receiver/load/some-unsigned',
  title: 'keeps plain deliveries beside some that are not signed',
  run: async (kit) => {
    const sent = Array.from({ length: 48 }, () => kit.compose(kit.control));
    const bare = sent.slice(0, 3).map((each) => ({ ...each, headers: each.headers.slice(0, 1) }));
    const all = [...bare, ...sent.slice(3)];
    const attempts = attemptsOf(all, await Promise.all(all.map((delivery) => kit.deliver(delivery))));
    await kit.effects(oneOfEach(...attempts.slice(3)));
    const lost = await lostSoFar(kit);
    return lost && neverDone(kit, lost);
  },
};

test.concurrent('what was accepted without its signature, and took no effect, was not lost', async () => {
  const { answer } = conformingPolicies;
  const policies: Policies = { answer: (outcome, ...of) => answer(outcome === 'forged' ? 'new' : outcome, ...of) };
  const receiver = await startReceiver({ secrets: [secret], policies });
  const summary = await testReceiver(receiver, { checks: [unsigned], seed: 42, settle: 100, shrinkTime: 0 });
  expect(summary.checks.map(({ outcome }) => outcome)).toEqual(['passed']);
});

test.concurrent('where no plain delivery takes effect any more, which three moments show, no further case is tried again', async ({
  onTestFinished,
}) => {
  const policies = receiverFaults['takes-each-event-once']!.change(conformingPolicies);
  const receiver = await startReceiver({ secrets: [secret], policies });
  onTestFinished(() => receiver.close());
  const last = 'receiver/retries/broken-connection';
  const only = ['receiver/acceptance/included', 'receiver/robustness/slow-bodies', last];
  const { url, probe } = receiver;
  const plan = await receiverPlan(url, { secret: [secret], probe, intensity: 'quick', seed: 7, only });
  const events = await Array.fromAsync(runReceiver(plan));
  const deliveries = events.filter((event) => event.type === 'delivery.finished' && event.check === last);
  const byCase = Object.groupBy(deliveries, (event) => ('case' in event ? String(event.case) : ''));
  expect(byCase['0']?.length).toBeGreaterThan(1);
  expect(byCase['0']?.length).toBe(byCase['1']?.length);
  expect(events.find((event) => event.type === 'check.finished' && event.check === last)).toMatchObject({
    outcome: 'inconclusive',
    reason: '8 of 8 plain deliveries of the same content took no effect either',
  });
});

test.concurrent('where nothing took effect any more, only what comes soon is awaited, until something takes effect again', async () => {
  let loses: 'none' | 'one' | 'all' = 'none';
  const policies: Policies = {
    accept: (...given) => {
      if (loses === 'none') return conformingPolicies.accept(...given);
      if (loses === 'one') loses = 'none';
      return Promise.resolve('new');
    },
  };
  const check: typeof some = {
    ...some,
    run: async (kit) => {
      const judged = async (lost: typeof loses) => {
        loses = lost;
        const delivery = kit.compose(kit.control);
        const attempts = [{ delivery, answer: await kit.deliver(delivery) }];
        return expectEffects(kit, { attempts, claim: 'once', point: { requirement: 'RTY-1' } });
      };
      kit.beginning.lostAnyway.push(0, 1000, 2000);
      await expect(judged('all')).rejects.toThrow('and what was sent now took none either');
      expect(await judged('none')).toBeUndefined();
      expect(kit.beginning.lostAnyway).toEqual([]);
      return judged('one');
    },
  };
  const receiver = await startReceiver({ secrets: [secret], policies });
  const summary = await testReceiver(receiver, { checks: [check], seed: 42, settle: 100, shrinkTime: 0 });
  expect(summary.errors).toEqual([]);
  expect(summary.checks[0]?.counterexample?.actual).toBe('no effect');
});

/** Asks for the effect of a plain delivery as after an interruption. */
const recovered: typeof some = {
  ...some,
  id: 'receiver/load/recovered',
  title: 'takes up again what an interruption stopped',
  run: async (kit) => {
    const delivery = kit.compose(kit.control);
    const sent = { delivery, answer: await kit.deliver(delivery) };
    const effects = await recoveredEffects(kit, [sent]);
    return countOf(effects, sent) === 1 ? undefined : notOnce(kit, sent, { requirement: 'RTY-1' }, effects);
  },
};

test.concurrent('what an interruption stopped is awaited until a lease has run out', async ({ onTestFinished }) => {
  const receiver = await startReceiver({ secrets: [secret], policies: losing((place) => place > 44, 14_000) });
  onTestFinished(() => receiver.close());
  const { url, probe } = receiver;
  const plan = await receiverPlan(url, { secret: [secret], probe, intensity: 'quick', seed: 7, checks: [recovered] });
  const { checks } = summarise(await Array.fromAsync(runReceiver(plan)));
  expect(checks).toMatchObject([{ outcome: 'passed', cases: 1 }]);
});
