import fc, { type Arbitrary } from 'fast-check';

import { attempt, acceptedForgery } from '../../../receiver/expectation.ts';
import { Mistake } from '../mistake.ts';
import { receiverStep } from '../stepKind.ts';
import { slot, type Slot } from '../slot.ts';
import { rawForm } from '../../../../generators/spelling/rawForm.ts';
import type { Delivery } from '../../../delivery.ts';
import type { ReceiverKit } from '../../../kit.ts';
import { describeForgery } from '../../../receiver/describeForgery.ts';
import {
  forge as forgeDelivery,
  malformedForgeries,
  wellFormedForgeries,
  type Forgery,
} from '../../../receiver/forgery.ts';
import type { Entry } from '../receiverModelState.ts';
import { written } from '../making.ts';
import type { RawForm } from '../../../../generators/spelling/edit.ts';
import type { RequirementId } from '../../../../spec/names.ts';

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

/** A forged signature, or a body that was changed after signing: spelt otherwise, or under another id. */
type Forging =
  | Forgery
  | { readonly kind: 'another spelling after signing'; readonly form: RawForm }
  | { readonly kind: 'another id after signing' };

/** Forgings. Shrinks within its kind. */
const forging: Arbitrary<Forging> = fc.oneof(
  { arbitrary: fc.oneof(...wellFormedForgeries), weight: 4 },
  { arbitrary: fc.oneof(...malformedForgeries), weight: 3 },
  {
    arbitrary: fc.record(
      {
        kind: fc.constant('another spelling after signing' as const),
        form: rawForm({ kinds: ['whitespace'], maxEdits: 1 }),
      },
      { noNullPrototype: true },
    ),
    weight: 2,
  },
  {
    arbitrary: fc.record({ kind: fc.constant('another id after signing' as const) }, { noNullPrototype: true }),
    weight: 1,
  },
);

/** The requirement that a receiver breaks which accepts it. */
function forbidding({ kind }: Forging): RequirementId {
  return kind === 'another spelling after signing' || kind === 'another id after signing' ? 'VRF-3' : 'VRF-2';
}

/** The forged delivery; nothing where the forging changes nothing of this one. */
function forged(kit: ReceiverKit, { genuine, writing }: Entry, how: Forging): Delivery | undefined {
  const attack = changed(kit, { genuine, writing }, how);
  const isGenuine =
    attack.body.equals(genuine.body) && JSON.stringify(attack.headers) === JSON.stringify(genuine.headers);
  return isGenuine ? undefined : attack;
}

function changed(kit: ReceiverKit, { genuine, writing }: Pick<Entry, 'genuine' | 'writing'>, how: Forging): Delivery {
  switch (how.kind) {
    case 'another spelling after signing': {
      const form = [...(writing.form ?? []), ...how.form];
      return { ...genuine, body: written(kit, { ...writing, form }, genuine.id).body };
    }
    case 'another id after signing':
      return { ...written(kit, writing), headers: genuine.headers };
    default:
      return forgeDelivery(kit, genuine, how);
  }
}

/** Names it in a few words. */
function describeForging(how: Forging): string {
  switch (how.kind) {
    case 'another spelling after signing':
      return 'the body spelt otherwise after signing';
    case 'another id after signing':
      return 'under another id than the one that was signed';
    default:
      return describeForgery(how);
  }
}
