import { expect, test } from 'vitest';

import { nearTo, type NearId } from '../../../../suites/fuzz/receiver/slot.ts';

const of = '00000000-1111-4222-8333-444444444444';
const fresh = 'aaaaaaaa-bbbb-4ccc-9ddd-eeeeeeeeeeee';

test.each<[shares: Extract<NearId, { slot: unknown }>['shares'], digits: number, id: string]>([
  ['the start', 10, '00000000-11bb-4ccc-9ddd-eeeeeeeeeeee'],
  ['the end', 10, 'aaaaaaaa-bbbb-4ccc-9ddd-ee4444444444'],
  ['all but one digit', 2, '00100000-1111-4222-8333-444444444444'],
  ['all but one digit', 9, '00000000-1011-4222-8333-444444444444'],
  ['all but one digit', 12, '00000000-1111-4022-8333-444444444444'],
])('an id that shares %s of another (%i)', (shares, digits, id) => {
  expect(nearTo(fresh, { slot: 'a', shares, digits }, of)).toBe(id);
});
