import fc, { type Arbitrary } from 'fast-check';

import type { Json } from '../../../generators/json/json.ts';
import type { Notification } from '../../../generators/notification/notification.ts';
import { withPointer } from '../../../generators/json/withPointer.ts';
import type { Draw } from '../../draw.ts';

/** A member that no receiver can know, and the object (JSON Pointer) that gets it. */
export interface UnknownMember {
  readonly holder: string;
  readonly name: string;
  readonly value: Json;
}

const values: readonly Json[] = [null, true, 0, 'new', [], {}, { nested: [1, 'two', null] }];

export function unknownMember(holder: string): Arbitrary<UnknownMember> {
  return fc.record({
    holder: fc.constant(holder),
    name: fc.stringMatching(/^x_[a-z]{1,12}$/),
    value: fc.constantFrom(...values),
  });
}

export function withMember(notification: Notification, { holder, name, value }: UnknownMember): Notification {
  return { event: notification.event, value: withPointer(notification.value, `${holder}/${name}`, value) };
}

/** Names that look like events of the contract, and are none. */
export function eventName(draw: Draw): Arbitrary<string> {
  const known = new Set(draw.contract.events.map((event) => event.name));
  return fc
    .array(fc.stringMatching(/^[a-z][a-z_]{0,11}$/), { minLength: 2, maxLength: 4 })
    .map((parts) => parts.join('.'))
    .filter((name) => !known.has(name));
}
