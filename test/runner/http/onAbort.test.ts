import { getEventListeners } from 'node:events';

import { expect, test } from 'vitest';

import { onAbort } from '../../../runner/http/onAbort.ts';

test('all who wait for a signal share one listener, and those who took it back are not called', () => {
  const ending = new AbortController();
  const called: string[] = [];
  const [first, second] = ['first', 'second'].map((name) => onAbort(ending.signal, () => called.push(name)));
  onAbort(ending.signal, () => called.push('third'));
  expect(getEventListeners(ending.signal, 'abort')).toHaveLength(1);
  second!();
  ending.abort();
  first!();
  expect(called).toEqual(['first', 'third']);
});

test('a signal that nobody waits for any more has no listener, and can be waited for again', () => {
  const ending = new AbortController();
  const called: string[] = [];
  onAbort(ending.signal, () => called.push('before'))();
  expect(getEventListeners(ending.signal, 'abort')).toHaveLength(0);
  onAbort(ending.signal, () => called.push('again'));
  ending.abort();
  expect(called).toEqual(['again']);
});
