import fc, { type Arbitrary } from 'fast-check';

import { isJsonObject, type Json } from '../../../generators/json/json.ts';
import { valueAt } from '../../../generators/json/jsonPointer.ts';
import { lazily } from '../../../generators/arbitraries.ts';
import { type Notification } from '../../../generators/notification/notification.ts';
import { receiverCheck } from '../../check.ts';
import { type Draw, mayPass, passing } from '../../draw.ts';
import { expectEffectBeside } from '../effect.ts';
import { acceptedTwin, expectRead } from '../expectation.ts';
import { isAllowed, namesakes, withMember, type Change, within } from '../namesakes.ts';

interface UnknownMemberCase {
  readonly notification: Notification;
  readonly change: Change;
}

/** Sections 2.2 and 6.2: members that were added later change nothing. */
export const unknownMembers = receiverCheck<UnknownMemberCase>({
  id: 'receiver/acceptance/unknown-members',
  title: 'ignores members that it does not know',
  requirements: ['RCV-6'],
  needs: [],
  cases: (draw) => {
    const holders = openHolders(draw);
    const added =
      holders.length === 0
        ? []
        : [
            ...holders.map((holder) => changed(draw, plainMember([holder], values))),
            values.flatMap((value) => changed(draw, plainMember(holders, [value]))),
            oddNames.flatMap((name) => changed(draw, oddMember(holders, name))),
          ];
    const known = namesakes(draw.contract).flatMap((change) => changed(draw, fc.constant(change)));
    return [...added, known].filter((kind) => kind.length > 0);
  },
  run: async (kit, { notification, change }) => {
    const twin = await acceptedTwin(kit, kit.compose(notification));
    const point = { requirement: 'RCV-6', twin, difference: change.words, hint: change.hint } as const;
    const found = await expectRead(kit, kit.compose(change.apply(notification, twin.delivery.id)), point);
    const [sent] = kit.attempts.slice(-1);
    return found ?? (sent && expectEffectBeside(kit, twin, sent, point));
  },
  hint:
    'Validate only what you use. A schema that refuses unknown members fails on the day the service adds one, and so does ' +
    'a store that cannot take every name.',
});

/** None where no body has room for the change. */
function changed(draw: Draw, change: Arbitrary<Change>): readonly Arbitrary<UnknownMemberCase>[] {
  const isFit = ({ change: { fits, apply }, notification }: UnknownMemberCase) =>
    fits?.(notification) ?? isAllowed(draw.contract, apply(notification, ''));
  return passing(fc.record({ change, notification: draw.notification() }), isFit);
}

/** The objects in which a contract allows further members: a receiver may refuse them where its schema is closed. */
function openHolders(draw: Draw): readonly string[] {
  const drawn = draw.notification();
  return draw.memberHolders.filter((holder) =>
    mayPass(
      drawn,
      (body) =>
        isJsonObject(valueAt(body.value, holder)) &&
        values.some((value) => isAllowed(draw.contract, withMember(body, { holder, name: 'x_new', value }))),
    ),
  );
}

/** The number is beyond 64 bits. */
const values: readonly Json[] = [null, true, 0, 2 ** 66, 'new', [], {}, { nested: [1, 'two', null] }];

const plainName = lazily(() => fc.stringMatching(/^x_[a-z]{1,12}$/));

function plainMember(holders: readonly string[], of: readonly Json[]): Arbitrary<Change> {
  return fc
    .record({ holder: fc.constantFrom(...holders), name: plainName, value: fc.constantFrom(...of) })
    .map(({ holder, name: added, value }): Change => ({
      words: `the member ${added} ${within(holder)}: ${JSON.stringify(value)}`,
      apply: (notification) => withMember(notification, { holder, name: added, value }),
    }));
}

/** Names that a store, a path, a template or a language takes for something of its own, and one that is empty. */
const oddNames: readonly string[] = [
  '',
  ' ',
  '.',
  'a.b',
  '.a',
  '$',
  '$set',
  '$ref',
  'a$b',
  '[]',
  'a[0]',
  '[a]',
  '{}',
  '(a)',
  '@type',
  '#',
  '%s',
  'a/b',
  'a~0b',
  'a:b',
  'a b',
  "a'b",
  'a"b',
  'a\\b',
  '<b>',
  'a\nb',
  '0',
  '-1',
  'null',
  'UPPER',
  'größe',
  '更新',
  '\u{1f6a2}',
  'class',
  'length',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'toJSON',
  '_id',
  '_method',
  'n'.repeat(300),
];

/** It is in every object that the contract names, or, in a smaller case, in one of them. */
function oddMember(memberHolders: readonly string[], name: string): Arbitrary<Change> {
  const one = fc.constantFrom(...memberHolders).map((holder): readonly string[] => [holder]);
  const holders = fc.oneof(
    { withCrossShrink: true },
    { arbitrary: one, weight: 1 },
    { arbitrary: fc.constant(memberHolders), weight: 500 },
  );
  return fc.record({ holders, value: fc.constantFrom(...values) }).map(({ holders: where, value }) => ({
    words: `a member called ${name.length > 40 ? `${name.slice(0, 10)}... (${name.length} characters)` : JSON.stringify(name)}`,
    apply: (notification) =>
      where.reduce<Notification>((body, holder) => withMember(body, { holder, name, value }), notification),
  }));
}
