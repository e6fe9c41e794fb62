import { describe, expect, it } from 'vitest';

import { passwordStandIns } from '../../../runner/secrets/confided.ts';
import { maskedAddress } from '../../../runner/http/openAddress.ts';
import { Secrets } from '../../../runner/secrets/secrets.ts';
import type { StandIn } from '../../../runner/secrets/standIns.ts';

function withStandIns<T>(value: T, standIns: readonly StandIn[]): T {
  return new Secrets(standIns).hideTyped(value);
}

describe('the password in an address', () => {
  it('is hidden percent-encoded, too', () => {
    const address = 'http://me:it=s-p%40ss@example.com/{id}';
    const standIns = passwordStandIns([address]);
    const shown = 'http://me:$SEAWORTHY_PASSWORD@example.com/{id}';
    expect(withStandIns(address, standIns)).toBe(shown);
    expect(withStandIns('http://me:it%3Ds-p%40ss@example.com/{id}', standIns)).toBe(shown);
    expect(withStandIns('it was it=s-p@ss', standIns)).toBe('it was $SEAWORTHY_PASSWORD');
  });

  it('has a variable of its own where there are several', () => {
    const addresses = ['http://me:hush-1@a/', 'http://me:hush-1-too@b/', 'http://only-me@c/'];
    expect(withStandIns(addresses, passwordStandIns(addresses))).toEqual([
      'http://me:$SEAWORTHY_PASSWORD@a/',
      'http://me:$SEAWORTHY_PASSWORD_2@b/',
      'http://$SEAWORTHY_PASSWORD_3@c/',
    ]);
  });

  it('is hidden as it was given where a plan holds the address in another form', () => {
    const given = 'https://me:hush=hush@tunnel.example';
    const standIns = passwordStandIns(['http://me:other-1@here/', new URL(given).href]);
    expect(withStandIns({ catcher: [given] }, standIns)).toEqual({
      catcher: ['https://me:$SEAWORTHY_PASSWORD_2@tunnel.example'],
    });
  });

  it('is masked in errors, also where the address is none', () => {
    expect(maskedAddress('ftp://me:hush@example.com/a@b')).toBe('ftp://…@example.com/a@b');
    expect(maskedAddress('me:hush@example.com/hooks')).toBe('…@example.com/hooks');
    expect(maskedAddress('http://me:hu/sh@example.com/hooks')).toBe('http://…@example.com/hooks');
    expect(maskedAddress('http://example.com/{id}')).toBe('http://example.com/{id}');
  });
});
