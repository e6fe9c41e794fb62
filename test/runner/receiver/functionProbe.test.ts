import { describe, expect, it } from 'vitest';

import { createProbe } from '../../../runner/receiver/createProbe.ts';
import { ProbeError } from '../../../runner/receiver/probe.ts';

describe('a probe that is a function', () => {
  it.each([
    ['a number', (id: string) => id.length],
    ['a promise', async (id: string) => Promise.resolve(id.length)],
  ])('counts each id by %s', async (_, count) => {
    const probe = createProbe(count);
    expect(await probe.count(['a', 'bcd'])).toEqual(
      new Map([
        ['a', 1],
        ['bcd', 3],
      ]),
    );
  });

  it.each([
    ['a text', () => '3' as unknown as number, 'with the id a, and returned "3"'],
    ['nothing', () => undefined as unknown as number, 'and returned undefined'],
    ['less than nothing', () => -1, 'and returned -1'],
    ['an error', () => Promise.reject(new Error('no such table')), 'and failed: no such table'],
  ])('is an error where it gives %s', async (_, count, message) => {
    const counted = createProbe(count).count(['a']);
    await expect(counted).rejects.toThrow(ProbeError);
    await expect(counted).rejects.toThrow(message);
  });
});
