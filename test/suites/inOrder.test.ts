import { expect, test } from 'vitest';

import { inOrder, itemOf, lastOf, pairs } from '../../suites/items.ts';
import { receiverChecks } from '../../suites/receiver/index.ts';
import { serviceChecks } from '../../suites/service/index.ts';

const checks = (...ids: readonly string[]) => ids.map((id) => ({ id }));
const idsOf = (list: readonly { readonly id: string }[]) => list.map(({ id }) => id);

test('topics come one after the other', () => {
  expect(idsOf(inOrder([checks('a/1', 'a/2'), checks('b/1')], {}))).toEqual(['a/1', 'a/2', 'b/1']);
});

test('a check can follow one of another topic, and take its own followers along', () => {
  const ordered = inOrder([checks('a/1', 'a/2'), checks('b/1', 'b/2')], { 'b/1': ['a/2'], 'a/2': ['b/2'] });
  expect(idsOf(ordered)).toEqual(['a/1', 'b/1', 'a/2', 'b/2']);
});

test('an id that no check has is refused by its name', () => {
  expect(() => inOrder([checks('a/1')], { 'a/1': ['a/3'] })).toThrow('a/3');
  expect(() => inOrder([checks('a/1')], { 'a/4': ['a/1'] })).toThrow('a/4');
});

test('no check is lost or repeated where checks move', () => {
  expect(() => inOrder([checks('a/1', 'a/2')], { 'a/1': ['a/2'], 'a/2': ['a/1'] })).toThrow('a/1');
  expect(() => inOrder([checks('a/1', 'a/2', 'a/3')], { 'a/1': ['a/3'], 'a/2': ['a/3'] })).toThrow('a/3');
});

// What disturbs others runs after what does not: these moments decide how a run goes.
test.each([
  ['receiver/retries/every-retry', 'receiver/acceptance/unknown-event'],
  ['receiver/signature/refusal', 'receiver/robustness/slow-bodies'],
  ['receiver/robustness/oversized-bodies', 'receiver/source/changed-list'],
  ['service/activation/while-retrying', 'service/updates/followed'],
  ['service/sender/published-address', 'service/delivery/same-event-again'],
  ['service/tracking/visible', 'service/lists/tracked'],
  ['service/load/hundreds-of-webhooks', 'service/robustness/hostile-requests'],
])('%s is followed by %s', (one, next) => {
  const ids = idsOf([...receiverChecks, ...serviceChecks]);
  expect(ids[ids.indexOf(one) + 1]).toBe(next);
});

test('items are there, or it is said which is not', () => {
  expect(itemOf(['a', 'b'], 1)).toBe('b');
  expect(() => itemOf(['a', 'b'], 2)).toThrow('no item 2 in a list of 2');
  expect(lastOf(['a', 'b'])).toBe('b');
  expect(pairs(['a', 'b'], [1, 2])).toEqual([
    ['a', 1],
    ['b', 2],
  ]);
  expect(() => pairs(['a'], [])).toThrow('make no pairs');
});
