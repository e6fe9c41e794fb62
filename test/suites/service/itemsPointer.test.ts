import { expect, test } from 'vitest';

import type { Json } from '../../../generators/json/json.ts';
import { itemsPointer } from '../../../suites/service/notificationRecord.ts';

const cases: readonly (readonly [what: string, answer: Json, pointer: string | undefined])[] = [
  ['the usual place', { data: [1], others: [] }, '/data'],
  ['the whole answer', [1], ''],
  ['an answer that is an empty list', [], ''],
  ['one other member that is a list', { count: 1, items: [] }, '/items'],
  ['a name with a slash in it', { 'a/b': [] }, '/a~1b'],
  ['two lists, of which none is usual', { items: [], others: [] }, undefined],
  ['no list', { data: {} }, undefined],
  ['null', null, undefined],
  ['a text', 'data', undefined],
];

test.each(cases)('a list is found where it stands: %s', (_, answer, pointer) => {
  expect(itemsPointer(answer, '/data')).toBe(pointer);
});
