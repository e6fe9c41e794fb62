import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { awkwardKinds, groupText, largeNat, text, type TextKind } from '../../../generators/index.ts';
import { isInterchangeable } from '../../../generators/schema/text.ts';
import { obeysTheLaws } from '../laws.ts';

const lengthOf = (value: string): number => Array.from(value).length;

for (const kind of ['ascii', 'unicode', ...awkwardKinds] as const satisfies readonly TextKind[]) {
  obeysTheLaws(`text of the kind ${kind}`, {
    arbitrary: () => text({ kind, minLength: 1, maxLength: 6 }),
    isValid: (value) =>
      isInterchangeable(value) && lengthOf(value) >= 1 && lengthOf(value) <= 6 && !value.includes('\0'),
  });
}
for (const kind of awkwardKinds) {
  obeysTheLaws(`groupText of the kind ${kind}`, {
    arbitrary: () => groupText(kind),
    isValid: (value) => isInterchangeable(value) && lengthOf(value) > 1 && !value.includes('\0'),
  });
}
obeysTheLaws('largeNat', { arbitrary: () => largeNat(1000), isValid: (value) => value >= 0 && value <= 1000 });

describe('text', () => {
  test('is short where no length is asked for, and shrinks to nothing', () => {
    const { counterexample } = fc.check(
      fc.property(text({ kind: 'unicode' }), () => false),
      { seed: 1 },
    );
    expect(counterexample).toEqual(['']);
  });

  test.each(['ascii', 'unicode'] as const)('of the kind %s is as long as it may be now and then', (kind) => {
    const lengths = fc.sample(text({ kind, maxLength: 300 }), { seed: 1, numRuns: 200 }).map(lengthOf);
    expect(Math.max(...lengths)).toBe(300);
    expect(lengths.filter((length) => length <= 10).length).toBeGreaterThan(150);
  });

  test.each(awkwardKinds)('of the kind %s holds what is not a letter or digit of ASCII', (kind) => {
    const drawn = fc.sample(text({ kind }), { seed: 1, numRuns: 50 }).join('');
    expect(drawn).toMatch(/[^0-9A-Za-z]/);
  });
});

describe('groupText', () => {
  test('holds an apostrophe nearly always, and shrinks to it alone', () => {
    const drawn = fc.sample(groupText('quoting'), { seed: 1, numRuns: 200 });
    expect(drawn.filter((value) => value.includes("'")).length).toBeGreaterThan(180);
    const { counterexample } = fc.check(
      fc.property(groupText('quoting'), (value) => !value.includes("'")),
      { seed: 1 },
    );
    expect(counterexample).toEqual(["aaa'aaaaaa"]);
  });
});

describe('isInterchangeable', () => {
  test.each(['\ud800', 'a\udfff', '\uffff', '\ufdd0', '\u{1fffe}'])('refuses %j', (value) => {
    expect(isInterchangeable(value)).toBe(false);
  });

  test.each(['', 'a', '\0', '\u2028', '😀', '\u{10fffd}'])('takes %j', (value) => {
    expect(isInterchangeable(value)).toBe(true);
  });
});

describe('largeNat', () => {
  test('lies in the upper half', () => {
    expect(Math.min(...fc.sample(largeNat(1000), { seed: 1, numRuns: 200 }))).toBeGreaterThanOrEqual(500);
  });

  test('shrinks to the smallest value that matters', () => {
    const { counterexample } = fc.check(
      fc.property(largeNat(20_000), (value) => value < 37),
      { seed: 1 },
    );
    expect(counterexample).toEqual([37]);
  });
});
