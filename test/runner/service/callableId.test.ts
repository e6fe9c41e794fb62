import { expect, test } from 'vitest';

import { callableId } from '../../../runner/service/webhookBody.ts';

test('an id is what a path can hold', () => {
  expect(['a', 7, 'a'.repeat(4096)].map(callableId)).toEqual(['a', '7', 'a'.repeat(4096)]);
  expect(['a'.repeat(4097), 1.5, null, {}].map(callableId)).toEqual([undefined, undefined, undefined, undefined]);
});
