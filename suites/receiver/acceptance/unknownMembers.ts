import fc, { type Arbitrary } from 'fast-check';

import type { Json } from '../../../generators/json/json.ts';
import { lazily } from '../../../generators/lazily.ts';
import { type Notification } from '../../../generators/notification/notification.ts';
import { receiverCheck } from '../../check.ts';
import { type Draw, passing } from '../../draw.ts';
import { expectEffectBeside } from '../effect.ts';
import { acceptedTwin } from '../expectation.ts';
import { expectRead } from '../expectRead.ts';
import { namesakes, withMember, type Change } from '../namesakes.ts';

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
  cases: (draw) =>
    [
      ...draw.memberHolders.map((holder) => changed(draw, plainMember([holder], values))),
      values.map((value) => changed(draw, plainMember(draw.memberHolders, [value]))),
      oddNames.map((name) => changed(draw, oddMember(draw, name))),
      namesakes(draw.contract).flatMap((change) => fitting(draw, change)),
    ].filter((kind) => !Array.isArray(kind) || kind.length > 0),
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

function changed(draw: Draw, change: Arbitrary<Change>): Arbitrary<UnknownMemberCase> {
  return fc.record({ change, notification: draw.notification() });
}

function fitting(draw: Draw, change: Change): readonly Arbitrary<UnknownMemberCase>[] {
  return passing(changed(draw, fc.constant(change)), ({ notification }) => change.fits?.(notification) ?? true);
}

/** The number is beyond 64 bits. */
const values: readonly Json[] = [null, true, 0, 2 ** 66, 'new', [], {}, { nested: [1, 'two', null] }];

const plainName = lazily(() => fc.stringMatching(/^x_[a-z]{1,12}$/));

function plainMember(holders: readonly string[], of: readonly Json[]): Arbitrary<Change> {
  return fc
    .record({ holder: fc.constantFrom(...holders), name: plainName, value: fc.constantFrom(...of) })
    .map(({ holder, name: added, value }): Change => ({
      words: `the member ${added} ${holder === '' ? 'at the top' : `in ${holder}`}: ${JSON.stringify(value)}`,
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
function oddMember({ memberHolders }: Draw, name: string): Arbitrary<Change> {
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
