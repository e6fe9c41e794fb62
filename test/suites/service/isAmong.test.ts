import { expect, test } from 'vitest';

import { isAmong } from '../../../suites/answer.ts';
import type { Call } from '../../../suites/exchange.ts';

function called(status: number): Call {
  return { answer: { kind: 'answered', status, headers: [], body: '', ms: 1 } } as unknown as Call;
}

test.each([
  ['4xx', 404, true],
  ['4XX, 503', 503, true],
  ['400,422', 422, true],
  ['4xx', 503, false],
  ['40', 404, false],
  ['', 404, false],
])('of the statuses %j, %i is one: %s', (statuses, status, expected) => {
  expect(isAmong({ assumption: () => statuses }, called(status), 'refusal.status')).toBe(expected);
});
