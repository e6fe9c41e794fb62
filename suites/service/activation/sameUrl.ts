import fc from 'fast-check';

import { serviceCheck, Unobservable, Unproven, type ServiceFinding } from '../../check.ts';
import type { ServiceKit, Webhook } from '../../serviceKit.ts';
import { listed } from '../creation.ts';
import { finding } from '../../finding.ts';
import { delivered, isNotified } from '../firstDelivery.ts';
import { isShownInactive } from '../isInactive.ts';
import { registeredAt } from '../registeredAt.ts';
import { refuse } from '../steps.ts';
import { isSpent } from '../redelivery.ts';

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
    const neighbour = await registeredAt(kit, failing, [second]);
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
