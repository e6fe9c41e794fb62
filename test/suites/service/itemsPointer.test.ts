import { expect, it } from 'vitest';

import { itemsPointer } from '../../../suites/service/listItems.ts';

it.each([
  ['the usual place', { _embedded: { hooks: [], others: [] } }, '/_embedded/hooks'],
  ['the one list beside it', { _embedded: { deliveries: [1] }, count: 1 }, '/_embedded/deliveries'],
  ['the one list of the answer', { data: [1], total: 1 }, '/data'],
  ['the whole answer', [1], ''],
  ['none of several', { _embedded: { a: [], b: [] }, c: [], d: [] }, undefined],
])('finds the items of a list in %s', (_, answer, pointer) => {
  expect(itemsPointer(answer, '/_embedded/hooks')).toBe(pointer);
});
