import { expect, test } from 'vitest';

import { editKinds, editPlaces } from '../../../generators/spelling/edit.ts';
import { describeEditIn, editSites } from '../../../generators/spelling/rawForm.ts';

const value = { id: 'a/é', list: [1, { x: '' }], none: [], 'n/m': '\u{1f6a2}' };

test.each(editKinds)('%s: as many places as there are sites', (kind) => {
  expect(editPlaces(value, kind)).toHaveLength(editSites(value, kind));
});

test('a place says in which member it lies, and beside what or of what it is a character', () => {
  expect(editPlaces({ a: { b: [] } }, 'whitespace').map(({ gap, within }) => `${gap} ${within}`)).toEqual([
    'before-document ',
    'before-name a',
    'before-colon a',
    'after-colon a',
    'before-name a',
    'before-colon a',
    'after-colon a',
    'inside-empty a',
    'after-member a',
    'after-member a',
    'after-document ',
  ]);
  expect(editPlaces(value, 'solidus-escape')).toEqual([
    { within: 'id', role: 'value', character: '/', pointer: '/id' },
    { within: 'n/m', role: 'name', character: '/', pointer: '/n~1m' },
  ]);
});

test('an escape in a name is said to be in the name', () => {
  expect(describeEditIn(value, { kind: 'solidus-escape', at: 1 })).toBe(
    'a solidus written as \\/ in the name of /n~1m (/)',
  );
});
