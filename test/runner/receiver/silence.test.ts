import { expect, test } from 'vitest';

import { conformingPolicies } from '../../../reference/receiver/conformingPolicies.ts';
import type { ReceiverPolicies } from '../../../reference/receiver/policies.ts';
import { startReceiver } from '../../../reference/receiver/receiver.ts';
import type { RunSummary } from '../../../reports/model/runSummary.ts';
import { brokenIn } from '../../brokenIn.ts';
import { secret, testReceiver } from '../../proof/testReceiver.ts';

const never = new Promise<never>(() => undefined);

/** Milliseconds: longer than the kit waits where it knows already that some answers do not come. */
const timeout = 3000;

/** What is said of an answer that was missed. A busy machine is late by a tenth of a second or two. */
const inTime = /^no answer within 3(\.\d)? s$/;

const only = [
  'receiver/acceptance/every-event',
  'receiver/acceptance/included',
  'receiver/acceptance/text',
  'receiver/acceptance/media-types',
  'receiver/signature/forged',
  'receiver/idempotency/redelivery-accepted',
  'receiver/idempotency/id-alone-decides',
];

type Accept = ReceiverPolicies['accept'];

/** A receiver whose handler ends without an answer, as after an error in an async function that nobody catches. */
async function tested(accept: Accept, checks: readonly string[] = only): Promise<RunSummary> {
  const receiver = await startReceiver({ secrets: [secret], policies: { ...conformingPolicies, accept } });
  return testReceiver(receiver, { only: checks, seed: 11, intensity: 'quick', timeout, time: 110_000 });
}

function shown({ checks }: RunSummary, id: string) {
  return checks.find((check) => check.id === id)?.counterexample;
}

const accepted: Accept = (...given) => conformingPolicies.accept(...given);

test.concurrent('what hangs for what a body says is found, and each answer that is missed had all of its time', async () => {
  const summary = await tested((notification, store, delivery) =>
    /[^ -~]/.test(delivery.body.toString()) ? never : accepted(notification, store, delivery),
  );
  expect(brokenIn(summary)).toEqual(['RCV-2']);
  expect(shown(summary, 'receiver/acceptance/text')?.actual).toMatch(inTime);
});

test.concurrent('what hangs at each redelivery is found', async () => {
  const known = new Set<string>();
  const summary = await tested((notification, store, delivery) => {
    if (known.has(notification.id)) return never;
    known.add(notification.id);
    return accepted(notification, store, delivery);
  });
  expect(brokenIn(summary)).toEqual(['IDM-1']);
  expect(shown(summary, 'receiver/idempotency/redelivery-accepted')?.actual).toMatch(inTime);
  // The schema of the report has no such member.
  expect(JSON.stringify(summary)).not.toContain('hurried');
});

test.concurrent('what answers some events late is not accused for those beside others at which it hangs', async () => {
  const summary = await tested(
    async (notification, store, delivery) => {
      const [topic = ''] = notification.event?.split('.') ?? [];
      if (notification.event === 'container.updated') return never;
      // Longer than an answer is awaited where it hardly comes any more.
      if (topic === 'tracking_request') await new Promise((resolve) => setTimeout(resolve, 1800));
      return accepted(notification, store, delivery);
    },
    ['receiver/acceptance/every-event'],
  );
  expect(brokenIn(summary)).toEqual(['RCV-1']);
  const found = shown(summary, 'receiver/acceptance/every-event');
  expect(found?.exchange.difference).toBe('the event is container.updated');
  expect(found?.actual).toMatch(inTime);
});

test.concurrent('what answers one event too late is accused of that alone, and not taken for slow', async () => {
  const slow = 'container.transport.vessel_departed';
  const known = new Set<string>();
  let late = 0;
  const summary = await tested(
    async (notification, store, delivery) => {
      const isNew = !known.has(notification.id);
      known.add(notification.id);
      if (notification.event === slow && isNew) {
        late += 1;
        await new Promise((resolve) => setTimeout(resolve, timeout + 500));
      }
      return accepted(notification, store, delivery);
    },
    [...only, 'receiver/acceptance/answers-in-time', 'receiver/robustness/content-type'],
  );
  expect(brokenIn(summary)).toEqual(['RCV-4']);
  const found = shown(summary, 'receiver/acceptance/every-event');
  expect(found?.exchange.difference).toBe(`another notification, of ${slow}`);
  expect(found?.actual).toMatch(/^no answer within 3(\.\d)? s; it was accepted when it was delivered again$/);
  expect(summary.checks.filter(({ outcome }) => outcome === 'inconclusive')).toEqual([]);
  expect(summary.run.outOfTime).toBeUndefined();
  expect(late).toBeLessThan(25);
});

test.concurrent('where an answer ends is not asked again of what gets none in all of its time', async () => {
  const known = new Set<string>();
  let hung = 0;
  const summary = await tested(
    (notification, store, delivery) => {
      if (known.has(notification.id)) {
        hung += 1;
        return never;
      }
      known.add(notification.id);
      return accepted(notification, store, delivery);
    },
    ['receiver/acceptance/answer-ends'],
  );
  expect(hung).toBe(1);
  expect(summary.checks[0]).toMatchObject({
    outcome: 'inconclusive',
    reason: expect.stringMatching(/^no answer was seen: /),
  });
});

test.concurrent('a receiver that hangs at the first event that comes is tested with the others', async () => {
  let first: string | undefined;
  const summary = await tested(
    async (notification, store, delivery) => {
      first ??= notification.event;
      return notification.event === first ? never : accepted(notification, store, delivery);
    },
    ['receiver/acceptance/every-event'],
  );
  expect(brokenIn(summary)).toEqual(['RCV-1']);
  expect(shown(summary, 'receiver/acceptance/every-event')?.exchange.difference).toBe(`the event is ${first}`);
});
