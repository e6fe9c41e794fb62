import { expect, test } from 'vitest';

import { AnswerBody, SharedAnswers } from '../../../runner/http/answerBody.ts';
import type { Answer } from '../../../suites/delivery.ts';

/** Made anew each time, so that nothing is shared from the beginning. */
function answered(body: string, date = 'now'): Answer {
  const headers = [
    ['Date', date],
    ['X-Long', 'a'.repeat(100)],
  ].map(([name, value]) => [name!, value!] as const);
  return { kind: 'answered', status: 200, headers, body, ms: 1 };
}

test('answers that say the same share what they say, and stay what they are', () => {
  const answers = new SharedAnswers();
  const [one, other, later, broken] = [
    answered('a'),
    answered('a'),
    answered('b', 'then'),
    { kind: 'broken', code: 'CLOSED', ms: 1 } as const,
  ].map((answer) => answers.shared(answer));
  expect([one, other, later, broken]).toEqual([
    answered('a'),
    answered('a'),
    answered('b', 'then'),
    { kind: 'broken', code: 'CLOSED', ms: 1 },
  ]);
  if (one?.kind !== 'answered' || other?.kind !== 'answered' || later?.kind !== 'answered')
    throw new Error('no answer');
  expect(other.headers).toBe(one.headers);
  expect(later.headers).not.toBe(one.headers);
  expect(later.headers[1]).toBe(one.headers[1]);
  expect(answers.shared(answered('a'))).toEqual(answered('a'));
});

test('fewer headers than before are not those of before', () => {
  const answers = new SharedAnswers();
  answers.shared(answered('a'));
  const bare: Answer = { kind: 'answered', status: 200, headers: [['Date', 'now']], body: 'a', ms: 1 };
  expect(answers.shared(bare)).toEqual(bare);
});

test('a body that comes byte by byte is kept as one that comes at once', () => {
  const text = 'abcdefghij'.repeat(100);
  const body = new AnswerBody({ kept: 500, read: 900 });
  const taken = Array.from(text, (byte) => body.add(Buffer.from(byte)));
  expect([taken.indexOf(false), body.cut]).toEqual([900, { cut: 900 }]);
  expect(body.text()).toBe(text.slice(0, 500));
});
