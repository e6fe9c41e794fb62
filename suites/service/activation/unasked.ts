import fc from 'fast-check';

import { serviceCheck, Unobservable, Unproven, type ServiceFinding } from '../../check.ts';
import type { CatchStep } from '../../exchange.ts';
import type { ServiceKit } from '../../serviceKit.ts';
import { listed } from '../creation.ts';
import { finding } from '../../finding.ts';
import { firstDelivery, type FirstDelivery } from '../firstDelivery.ts';
import { isShownInactive } from '../isInactive.ts';
import { refuse, acceptAfter, describeStep } from '../steps.ts';

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
