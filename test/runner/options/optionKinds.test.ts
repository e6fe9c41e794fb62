import { describe, expect, it } from 'vitest';

import { BadValue, listenKind, trackedKind } from '../../../runner/options/optionKinds.ts';

describe('numbers to track', () => {
  it('are a SCAC and a number each', () => {
    expect(trackedKind.read(['MAEU:MAEU123456789', 'MSCU:A:1'])).toEqual([
      { issuer: 'MAEU', number: 'MAEU123456789' },
      { issuer: 'MSCU', number: 'A:1' },
    ]);
  });

  it.each(['MAEU', ':1', 'MAEU:', 'MA EU:1'])('are not: %s', (text) => {
    expect(() => trackedKind.read([text])).toThrow(BadValue);
  });
});

describe('where to listen', () => {
  it.each([
    ['0.0.0.0:4020', { host: '0.0.0.0', port: 4020 }],
    ['[::1]:0', { host: '::1', port: 0 }],
    ['localhost:65535', { host: 'localhost', port: 65_535 }],
  ])('is an address and a port: %s', (text, expected) => {
    expect(listenKind.read([text])).toEqual(expected);
  });

  it.each(['4020', '127.0.0.1', '::1:4020', '127.0.0.1:65536', '127.0.0.1:'])('is not: %s', (text) => {
    expect(() => listenKind.read([text])).toThrow(BadValue);
  });
});
