import { expect, test } from 'vitest';

import { answerText } from '../../reports/formats/terminal/answerText.ts';
import { describeAnswer } from '../../suites/answer.ts';

test.each([
  ['ECONNREFUSED', 'nothing takes connections there'],
  ['ENOTFOUND', 'the name of its host is not known'],
  ['ECONNRESET', 'the connection was closed'],
])('a target that does not answer, %s: %s', (code, words) => {
  expect(describeAnswer({ kind: 'broken', code, ms: 1 })).toBe(`no answer: ${words} (${code})`);
});

test('a report says of a refused connection that nothing takes it, and of another one that it broke', () => {
  expect(answerText({ kind: 'broken', code: 'ECONNREFUSED', ms: 1 })).toBe(
    'no answer: nothing takes connections there (ECONNREFUSED) after 1 ms',
  );
  expect(answerText({ kind: 'broken', code: 'ECONNRESET', ms: 1 })).toBe(
    'no answer: the connection broke (ECONNRESET) after 1 ms',
  );
});
