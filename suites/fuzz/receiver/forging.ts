import fc, { type Arbitrary } from 'fast-check';

import { rawForm } from '../../../generators/spelling/rawForm.ts';
import type { Delivery } from '../../delivery.ts';
import type { ReceiverKit } from '../../kit.ts';
import {
  describeForgery,
  forge,
  malformedForgeries,
  wellFormedForgeries,
  type Forgery,
} from '../../receiver/forgery.ts';
import type { Entry } from './receiverModelState.ts';
import { written } from './writing.ts';
import type { RawForm } from '../../../generators/spelling/edit.ts';
import type { RequirementId } from '../../../spec/names.ts';

/** A forged signature, or a body that was changed after signing: spelt otherwise, or under another id. */
export type Forging =
  | Forgery
  | { readonly kind: 'another spelling after signing'; readonly form: RawForm }
  | { readonly kind: 'another id after signing' };

/** Forgings. Shrinks within its kind. */
export const forging: Arbitrary<Forging> = fc.oneof(
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
export function forbidding({ kind }: Forging): RequirementId {
  return kind === 'another spelling after signing' || kind === 'another id after signing' ? 'VRF-3' : 'VRF-2';
}

/** The forged delivery; nothing where the forging changes nothing of this one. */
export function forged(kit: ReceiverKit, { genuine, writing }: Entry, how: Forging): Delivery | undefined {
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
      return forge(kit, genuine, how);
  }
}

/** Names it in a few words. */
export function describeForging(how: Forging): string {
  switch (how.kind) {
    case 'another spelling after signing':
      return 'the body spelt otherwise after signing';
    case 'another id after signing':
      return 'under another id than the one that was signed';
    default:
      return describeForgery(how);
  }
}
