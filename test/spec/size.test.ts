import { describe, expect, it } from 'vitest';

import { parseSize, SizeError } from '../../spec/size.ts';

describe('a size', () => {
  it.each([
    ['64KiB', 65_536],
    ['1MiB', 1_048_576],
    ['100kB', 100_000],
    ['1MB', 1_000_000],
    ['512', 512],
    ['12 B', 12],
    ['0.5KiB', 512],
  ])('%s is %d bytes', (text, bytes) => {
    expect(parseSize(text)).toBe(bytes);
  });

  it.each(['', 'MiB', '-1', '1GB', '64kib', '1,5MB'])('refuses "%s"', (text) => {
    expect(() => parseSize(text)).toThrow(SizeError);
  });
});
