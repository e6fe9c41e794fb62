import fc from 'fast-check';

import { serviceCheck, type ServiceFinding, Unproven } from '../../check.ts';
import type { TriggeredEvent, ServiceKit, Webhook } from '../../serviceKit.ts';
import { broken } from '../broken.ts';
import { delivered, isNotified } from '../firstDelivery.ts';
import { isInactive } from '../isInactive.ts';
import { accept, refuse } from '../steps.ts';
import { judgeSignature } from '../signing.ts';

const amounts = { quick: 60, standard: 200, thorough: 400 } as const;

/** Section 6: how many subscribe does not matter. */
export const hundreds = serviceCheck<{ readonly webhooks: number }>({
  id: 'service/load/hundreds-of-webhooks',
  title: 'tells hundreds of webhooks of one event, each under its own secret',
  requirements: ['DLV-6', 'WHK-9', 'SIG-1', 'SIG-2'],
  needs: ['event'],
  schedule: { kind: 'singly' },
  weight: 0.01,
  cases: ({ intensity }) => [fc.constant({ webhooks: amounts[intensity] })],
  run: async (kit, { webhooks }) => {
    const all = await kit.registerMany(webhooks, () => ({ events: [kit.scenarioEvents[0]] }));
    const triggered = await kit.trigger(kit.scenarioEvents[0]);
    const unheard = await expectAll(kit, all, triggered);
    if (unheard) return unheard;
    for (const [place, webhook] of all.entries()) {
      const others = [all[(place + 1) % all.length]!, all.at(place - 1)!];
      const { finding } = judgeSignature(kit, webhook.endpoint.caught[0]!, { webhook, others });
      if (finding) return finding;
    }
    return undefined;
  },
  hint: 'Fan out in a queue, not in the request that caused the event, and fetch all webhooks, not the first page of them.',
});

/** All get theirs within the retry window, however long the others take. */
async function expectAll(
  kit: ServiceKit,
  all: readonly Webhook[],
  triggered: TriggeredEvent,
): Promise<ServiceFinding | undefined> {
  if (triggered.monitored.length === 0) throw new Unproven(`nothing came of ${triggered.event}, to nobody`);
  const unheard = () => all.filter(({ endpoint }) => endpoint.caught.length === 0);
  await kit.until(async () => unheard().length === 0 || undefined);
  const [first] = unheard();
  if (first === undefined) return undefined;
  return broken('DLV-6', {
    expected: `${all.length} webhooks hear of ${triggered.event}`,
    actual: `${unheard().length} of them heard nothing`,
    exchanges: [first.creation, ...(triggered.monitored[0]?.attempts.slice(0, 1) ?? [])],
    absence: true,
  });
}

/** Section 6 with GAP-17: receivers that hang cost themselves time, not the others their notifications. */
export const slowBesideFast = serviceCheck<{ readonly slow: number; readonly fast: number }>({
  id: 'service/load/slow-beside-fast',
  title: 'delivers to fast receivers while others hang',
  requirements: ['DLV-6'],
  needs: ['event'],
  schedule: { kind: 'singly' },
  weight: 0.01,
  cases: () => [fc.constant({ slow: 5, fast: 20 })],
  run: async (kit, { slow, fast }) => {
    await kit.registerMany(slow, () => ({
      events: [kit.scenarioEvents[0]],
      script: [{ do: 'hang', ms: 3000 }, accept(kit.contract)],
    }));
    const all = await kit.registerMany(fast, () => ({ events: [kit.scenarioEvents[0]] }));
    const triggered = await kit.trigger(kit.scenarioEvents[0]);
    const unheard = await expectAll(kit, all, triggered);
    if (unheard) return unheard;
    const slowest = Math.max(...all.map(({ endpoint }) => endpoint.caught[0]!.at - triggered.at));
    const evidence = `${fast} receivers that answer at once, beside ${slow} that hang for 3 s`;
    kit.observe('GAP-18', `the slowest first delivery came after ${Math.round(slowest)} ms`, evidence);
    return undefined;
  },
  hint: 'Send concurrently, with a limit for each receiver and not only one for all, so that a receiver that hangs occupies its own place alone.',
});

/** Sections 3.1 and 6: a notification that was given up holds up no other. */
export const exhaustedHoldsUpNobody = serviceCheck<{ readonly attempts: number }>({
  id: 'service/load/exhausted-holds-up-nobody',
  title: 'delivers the next notification after another was given up',
  requirements: ['DLV-6'],
  needs: ['event'],
  schedule: { kind: 'waiting' },
  weight: 0.03,
  cases: ({ contract }) => [fc.constant({ attempts: contract.delivery.retries + 1 })],
  run: (kit, { attempts }) => nextAfter(kit, attempts),
  hint: 'What failed is over: take it out of the queue, and leave its webhook subscribed.',
});

/** Lets one event be refused so many times, then another one happen. */
async function nextAfter(kit: ServiceKit, attempts: number): Promise<ServiceFinding | undefined> {
  const [first, second] = kit.scenarioEvents;
  const events = [...new Set([first, second])];
  const [refusing, other] = await kit.registerMany(2, (place) => ({
    events,
    script: [place === 0 ? refuse() : accept(kit.contract)],
  }));
  const notified = await delivered(kit, refusing!, await kit.trigger(first));
  await kit.untilAttempt(notified, attempts);
  const next = await kit.trigger(second);
  for (const webhook of [other!, refusing!]) {
    if (await isNotified(kit, webhook, next)) continue;
    if (webhook === refusing && (await isInactive(kit, webhook))) continue;
    return broken('DLV-6', {
      expected: `the webhook hears of ${second} although ${first} was refused`,
      actual: `nothing came, after ${notified.attempts.length} refused attempts of ${first}`,
      exchanges: [...notified.attempts.slice(-1), ...(next.monitored[0]?.attempts.slice(0, 1) ?? [])],
      absence: true,
    });
  }
  return undefined;
}
