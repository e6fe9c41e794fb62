import fc from 'fast-check';

import { attempt, acceptedForgery } from '../../../receiver/expectation.ts';
import { describeForging, forbidding, forged, forging, type Forging } from '../forging.ts';
import { Mistake } from '../mistake.ts';
import { receiverStep } from '../stepKind.ts';
import { slot, type Slot } from '../slot.ts';

/** A delivery that did not come from the service: under the id of what the slot holds, or of something that was never sent. */
interface Forge {
  readonly do: 'forge';
  readonly slot: Slot;
  readonly how: Forging;
}

export const forge = receiverStep<Forge>({
  kind: 'forge',
  weight: 2,
  steps: ({ secrets }) =>
    secrets.length === 0
      ? undefined
      : fc.record({ do: fc.constant('forge' as const), slot, how: forging }, { noNullPrototype: true }),
  possible: () => true,
  play: async ({ slot: name, how }, kit, modelState) => {
    const entry = modelState.atOrNew(kit, name);
    const delivery = forged(kit, entry, how);
    if (delivery === undefined) return;
    const requirement = forbidding(how);
    const answer = await kit.deliver(delivery);
    modelState.judge(requirement);
    if (delivery.id === entry.genuine.id) {
      entry.forged += 1;
      entry.forbidden = requirement;
    } else modelState.strangers.push({ delivery, answer });
    if (!kit.accepts(answer)) return;
    const point = { requirement, difference: describeForging(how) };
    throw new Mistake(acceptedForgery(kit, attempt(delivery, answer), point), 'accepted');
  },
  describe: ({ slot: name, how }) => `deliver ${name} forged: ${describeForging(how)}`,
});
