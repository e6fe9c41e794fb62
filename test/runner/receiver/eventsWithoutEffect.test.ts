import { expect, test } from 'vitest';

import { conformingPolicies } from '../../../reference/receiver/conformingPolicies.ts';
import type { ReceiverPolicies } from '../../../reference/receiver/policies.ts';
import { startReceiver } from '../../../reference/receiver/receiver.ts';
import { summarise } from '../../../reports/model/summary.ts';
import { receiverPlan } from '../../../runner/receiver/receiverPlan.ts';
import { runReceiver } from '../../../runner/receiver/runReceiver.ts';

const secret = ['a secret of the events'];

/** What is said in a run of the acknowledged events without effect. */
async function saidBy(policies: Partial<ReceiverPolicies>, events: readonly string[]): Promise<readonly string[]> {
  const receiver = await startReceiver({ secrets: secret, policies });
  try {
    const only = ['receiver/acceptance/every-event'];
    const { probe } = receiver;
    const plan = await receiverPlan(receiver.url, {
      secret,
      probe,
      only,
      events,
      intensity: 'quick',
      settle: 200,
      seed: 7,
    });
    const { observations, verdict } = summarise(await Array.fromAsync(runReceiver(plan)));
    expect(verdict).not.toBe('does-not-conform');
    return observations.filter(({ gap }) => gap === 'RCV-1').map(({ value, evidence }) => `${value}. ${evidence}`);
  } finally {
    await receiver.close();
  }
}

/** Acknowledges these events, and lets them take no effect. */
function ignoring(...events: readonly string[]): Partial<ReceiverPolicies> {
  return {
    accept: async (notification, ...rest) =>
      events.includes(notification.event ?? '') ? 'new' : conformingPolicies.accept(notification, ...rest),
  };
}

test('events that are acknowledged without effect are named, where others took effect', async () => {
  const ignored = ['container.updated', 'document.extracted'];
  const [said, ...others] = await saidBy(ignoring(...ignored), ['container.*', 'document.*']);
  expect(others).toEqual([]);
  expect(said).toMatch(
    /^acknowledged, without any effect: container\.updated, document\.extracted\. one plain delivery of each; those of \d+ other events/,
  );
});

test('nothing is said where every event took effect, and where none did', async () => {
  expect(await saidBy({}, ['container.updated', 'container.created'])).toEqual([]);
  expect(await saidBy(ignoring('container.updated'), ['container.updated'])).toEqual([]);
});

test('what a refusal at the start took from the plain deliveries does not end the checks of effects', async () => {
  const refused = new Set<string>();
  const remembered: Partial<ReceiverPolicies> = {
    accept: async (notification, ...rest) => {
      if (refused.has(notification.id)) return 'duplicate';
      if (refused.size > 1) return conformingPolicies.accept(notification, ...rest);
      refused.add(notification.id);
      return 'new';
    },
    answer: (outcome, delivery, notification) =>
      outcome === 'new' && refused.has(notification?.id ?? '')
        ? { status: 503, body: 'starting' }
        : conformingPolicies.answer(outcome, delivery, notification),
  };
  const receiver = await startReceiver({ secrets: secret, policies: remembered });
  try {
    const { probe } = receiver;
    const only = ['receiver/idempotency/takes-effect-once'];
    const events = ['container.updated', 'container.created'];
    const plan = await receiverPlan(receiver.url, { secret, probe, only, events, intensity: 'quick', settle: 200 });
    const { checks } = summarise(await Array.fromAsync(runReceiver(plan)));
    expect(checks.map(({ outcome }) => outcome)).toEqual(['passed']);
  } finally {
    await receiver.close();
  }
});
