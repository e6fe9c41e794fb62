import fc from 'fast-check';

import { serviceCheck, Unobservable, Unproven, type ServiceFinding } from '../../check.ts';
import type { CatchStep } from '../../exchange.ts';
import type { ServiceKit, Webhook } from '../../serviceKit.ts';
import { listed, registeredAt } from '../creation.ts';
import { finding } from '../../finding.ts';
import { firstDelivery, type FirstDelivery, delivered, isNotified } from '../firstDelivery.ts';
import { isShownInactive } from '../isInactive.ts';
import { refuse, acceptAfter, describeStep } from '../steps.ts';
import { isSpent } from '../redelivery.ts';

const steps: readonly CatchStep[] = [
  refuse(410),
  refuse(401),
  refuse(404),
  refuse(500),
  refuse(429, [['Retry-After', '0']]),
  refuse(301),
  refuse(308),
  { do: 'close', when: 'before' },
  { do: 'hang' },
];

/** Section 3.2: a webhook may be deactivated after repeated failures, and without a client's update after nothing else. */
export const unasked = serviceCheck<Before>({
  id: 'service/activation/unasked',
  title: 'leaves a webhook active that has accepted everything, or failed once',
  requirements: ['ACT-1'],
  about: ['webhook:active'],
  needs: ['event'],
  schedule: { kind: 'waiting' },
  weight: 0.05,
  cases: () => [{}, ...steps.map((step) => ({ step }))].map((before) => fc.constant(before)),
  run: async (kit, { step }) => {
    const failures = step === undefined ? [] : [step];
    const script = step === undefined ? undefined : acceptAfter(1, step, kit.contract);
    const delivery = await firstDelivery(kit, { ...(script && { script }) });
    await untilOver(kit, delivery, failures.length + 1);
    return turnedInactive(kit, delivery);
  },
  hint: 'Count the failures of a webhook in a row, over several attempts, and start anew with each that it accepts: a single 410, redirect or time-out is retried like any other. Tell the owner of a webhook that you switch off.',
});

/** What comes before: everything accepted at once, or one attempt that fails. */
interface Before {
  readonly step?: CatchStep;
}

/** Waits for the attempt that is accepted, or until none can come any more, and a moment longer. */
async function untilOver(kit: ServiceKit, { notified, first }: FirstDelivery, attempts: number): Promise<void> {
  await kit.until(async () => notified.attempts.length >= attempts || kit.isOverdue(notified) || undefined);
  if (first.end === undefined)
    throw new Unobservable('the service was still waiting for an answer: how long it does is not described (GAP-17)');
  await kit.settle();
}

async function turnedInactive(
  kit: ServiceKit,
  { webhook, notified }: FirstDelivery,
): Promise<ServiceFinding | undefined> {
  const shown = await listed(kit, webhook);
  if (shown === undefined)
    throw new Unobservable('the webhook is not listed, so that nothing shows whether it is active');
  if (!isShownInactive(kit, shown)) return undefined;
  const { acceptedStatuses } = kit.contract.delivery;
  const failed = notified.attempts.filter(
    ({ step }) => step.do !== 'respond' || !acceptedStatuses.includes(step.status),
  );
  if (failed.length > 1) {
    kit.observe(
      'GAP-5',
      `a webhook turns inactive after ${failed.length} failed attempts`,
      failed.map(({ step }) => describeStep(step)).join(', then '),
    );
    return undefined;
  }
  const [failure] = failed;
  if (failure === undefined && notified.attempts.length > 1)
    throw new Unproven('what was accepted came again: the service may have taken it for a failure');
  return finding('ACT-1', {
    expected: 'the webhook stays active: nobody turned it inactive, and it did not fail again and again',
    actual: `it is listed as inactive after ${failure ? `one failed attempt, ${describeStep(failure.step)}` : 'deliveries that it all accepted'}`,
    exchanges: [
      webhook.creation,
      ...notified.attempts.slice(0, 2),
      ...kit.exchanges.filter(({ kind }) => kind === 'call').slice(-1),
    ],
  });
}

/** Section 3.2: a webhook is switched off for its own failures, and not for those of another with its url. */
export const sameUrl = serviceCheck<null>({
  id: 'service/activation/same-url',
  title: 'leaves a webhook active that was sent nothing, where all failed that went to another one with the same url',
  requirements: ['ACT-1', 'DLV-6'],
  about: ['webhook:active', 'retries'],
  needs: ['event'],
  // Beside others the second webhook would be notified, and refuse that as well: both have one endpoint.
  schedule: { kind: 'singly', waitsFor: 'retries' },
  weight: 0.03,
  cases: () => [fc.constant(null)],
  run: async (kit) => {
    const [, , first, second] = kit.scenarioEvents;
    if (first === second) throw new Unobservable('the kit can make one event happen, so that both would fail');
    const failing = await kit.register({ events: [first], script: [refuse()] });
    const neighbour = await registeredAt(kit, failing, { events: [second] });
    const refused = await delivered(kit, failing, await kit.trigger(first));
    const isOver = () => isSpent(kit, refused) || kit.isOverdue(refused);
    if (!(await kit.until(async () => isOver() || undefined)))
      throw new Unobservable('the retries were not over yet, so that nothing shows what becomes of the url');
    await kit.settle();
    if (kit.notifications(neighbour.endpoint).some(({ event }) => event === second))
      throw new Unproven(`${second} happened meanwhile, so that both webhooks have failed`);
    if (isShownInactive(kit, await listed(kit, neighbour)))
      return found(kit, 'ACT-1', [failing, neighbour], 'it is listed as inactive');
    const next = await kit.trigger(second);
    if (await isNotified(kit, neighbour, next)) return undefined;
    return found(kit, 'DLV-6', [failing, neighbour], `nothing of ${second} came to it`);
  },
  hint: 'Keep failures and what follows from them by the id of the webhook, never by its url: another customer may have the same one.',
});

function found(
  kit: ServiceKit,
  requirement: 'ACT-1' | 'DLV-6',
  [failing, neighbour]: readonly [Webhook, Webhook],
  actual: string,
): ServiceFinding {
  return finding(requirement, {
    expected: 'the second webhook with the url is as it was created: nothing was sent to it that could fail',
    actual: `${actual}, after a notification to the first one had failed`,
    exchanges: [
      failing.creation,
      neighbour.creation,
      ...failing.endpoint.caught.slice(-1),
      ...kit.exchanges.filter(({ kind }) => kind === 'call').slice(-1),
    ],
    // Whatever made the service do it, it turned a webhook inactive that was sent nothing.
    absence: requirement === 'DLV-6',
  });
}
