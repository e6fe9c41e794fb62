import { describe, expect, it } from 'vitest';

import { isLocal, isWithin, parseBlock } from '../../../suites/service/ipAddress.ts';

describe('addresses and blocks of them', () => {
  it.each([
    ['192.0.2.7', '192.0.2.0/24', true],
    ['192.0.3.7', '192.0.2.0/24', false],
    ['192.0.2.7', '192.0.2.7', true],
    ['::ffff:192.0.2.7', '192.0.2.0/24', true],
    ['2001:db8::1', '2001:db8::/32', true],
    ['2001:db9::1', '2001:db8::/32', false],
    ['192.0.2.7', '::/0', false],
  ])('%s in %s: %s', (address, block, expected) => {
    expect(isWithin(parseBlock(address)!, parseBlock(block)!)).toBe(expected);
  });

  it.each(['256.1.1.1', '1.2.3', '192.0.2.0/33', '1::2::3', '12345::', 'localhost', '1:2:3:4:5:6:7:8:9'])(
    'reads nothing from %s',
    (text) => {
      expect(parseBlock(text)).toBeUndefined();
    },
  );

  it.each([
    ['127.0.0.2', true],
    ['172.31.0.1', true],
    ['172.32.0.1', false],
    ['::1', true],
    ['fd00::1', true],
    ['2001:db8::1', false],
  ])('%s is local: %s', (address, expected) => {
    expect(isLocal(parseBlock(address)!)).toBe(expected);
  });
});
