import fc from 'fast-check';

import { OutOfTime, serviceCheck, type ServiceFinding } from '../../check.ts';
import type { CatchStep } from '../../exchange.ts';
import type { TriggeredEvent } from '../../serviceKit.ts';
import { finding } from '../../finding.ts';
import { delivered, expectId, isNotified } from '../firstDelivery.ts';
import { isInactive } from '../isInactive.ts';
import { openRetries } from '../redelivery.ts';
import { accept, describeStep, refuse } from '../steps.ts';

interface Failing {
  /** Attempts that fail before something else happens. */
  readonly attempts: number;
  /** True where they fail because the connection breaks. Default: they are refused. */
  readonly broken?: boolean;
}

/** Sections 3.1 and 6: a notification that was given up, or cannot be delivered, holds up no other. */
export const exhaustedHoldsUpNobody = serviceCheck<Failing>({
  id: 'service/load/exhausted-holds-up-nobody',
  title: 'delivers the next notification after another was given up, or while a receiver is down',
  requirements: ['DLV-6'],
  about: ['retries'],
  needs: ['event'],
  schedule: { kind: 'waiting' },
  weight: 0.03,
  cases: ({ contract }) => [
    fc.constant({ attempts: contract.delivery.retries + 1 }),
    fc.constant({ attempts: 2, broken: true }),
  ],
  run: async (kit, { attempts, broken = false }) => {
    const [first, second] = kit.scenarioEvents;
    const events = [...new Set([first, second])];
    const step: CatchStep = broken ? { do: 'reset', when: 'before' } : refuse();
    const [failing, other] = await Promise.all([
      kit.register({ events, script: [step] }),
      kit.register({ events, script: [accept(kit.contract)] }),
    ]);
    const notified = await delivered(kit, failing, await kit.trigger(first));
    expectId(kit, notified.id);
    // It may be given up sooner, which is for service/retries/exhaustion to say.
    const isOver = () => notified.attempts.length >= attempts || kit.isOverdue(notified);
    if (!(await kit.until(async () => isOver() || undefined)))
      throw new OutOfTime(openRetries([notified], { attempts }));
    const next = await kit.trigger(second);
    for (const webhook of [other, failing]) {
      if (await isNotified(kit, webhook, next)) continue;
      if (webhook === failing && (await isInactive(kit, webhook))) continue;
      return unheard(next, `${notified.attempts.length} attempts of ${first} that ended in ${describeStep(step)}`, [
        ...notified.attempts.slice(-1),
        ...(next.monitored[0]?.attempts.slice(0, 1) ?? []),
      ]);
    }
    return undefined;
  },
  hint: 'Take a failed notification out of the queue, and leave its webhook subscribed. One that cannot be reached is the matter of its own notifications alone.',
});

function unheard({ event }: TriggeredEvent, after: string, exchanges: ServiceFinding['exchanges']): ServiceFinding {
  return finding('DLV-6', {
    expected: `the webhook hears of ${event}, whatever became of what happened before`,
    actual: `nothing came, after ${after}`,
    exchanges,
    absence: true,
  });
}
