import { expect, test } from 'vitest';

import { shortAnswer } from '../../../runner/engine/journaled.ts';
import type { Answer } from '../../../suites/delivery.ts';

test.each([
  [{ kind: 'answered', status: 202, headers: [['X-A', 'b']], body: Buffer.from('c') }, { status: 202 }],
  [{ kind: 'broken', code: 'ECONNRESET' }, { code: 'ECONNRESET' }],
  [{ kind: 'timed-out' }, {}],
])('of %j an event keeps how it ended, and when', (answer, kept) => {
  const { kind } = answer;
  expect(shortAnswer({ ...answer, ms: 1.23456 } as Answer)).toEqual({ kind, ...kept, ms: 1.23 });
});
