import { createHmac } from 'node:crypto';

import { describe, expect, it } from 'vitest';

import {
  type SigningInput,
  fixedSchemes,
  digestSpellings,
  parseScheme,
  readSignature,
  signatureHeaderName,
  signatureHeaders,
  SignatureSchemeError,
  verifySignature,
} from '../../spec/signature.ts';
import { headerValue } from '../../spec/headerText.ts';

const header = 'X-Signature';

function input(secret: string, body: string | Uint8Array, id = '', timestamp = 0): SigningInput {
  return { secret, body: Buffer.from(body), id, timestamp };
}

function lookup(headers: readonly (readonly [string, string])[]): (name: string) => string | undefined {
  return (name) => headerValue(headers, name);
}

function sign(scheme: string, signing: SigningInput): string {
  return signatureHeaders(parseScheme(scheme), header, signing)[0]?.[1] ?? '';
}

const repeated = (byte: number, times: number) => Buffer.alloc(times, byte);
const ascii = (byte: number, times: number) => String.fromCharCode(byte).repeat(times);

it('counts milliseconds where a contract writes three zeros behind the timestamp', () => {
  const scheme = {
    ...parseScheme('timestamped'),
    signed: '{timestamp}000.{body}',
    headers: [{ template: 't={timestamp}000,v1={digest}' }],
  } as const;
  const headers = signatureHeaders(scheme, header, input('abc', '{}', '', 1_700_000_000));
  const digest = createHmac('sha256', 'abc').update('1700000000000.{}').digest('hex');
  expect(headers).toEqual([[header, `t=1700000000000,v1=${digest}`]]);
  expect(readSignature(scheme, header, lookup(headers))?.timestamp).toBe(1_700_000_000);
});

it('reads the milliseconds that a sender really has, and no seconds in their place', () => {
  const scheme = {
    ...parseScheme('hmac-sha256-hex'),
    signed: '{timestamp}000.{body}',
    headers: [{ template: '{digest}' }, { name: 'X-Time', template: '{timestamp}000' }],
  } as const;
  const isRight = (time: string): boolean => {
    const digest = createHmac('sha256', 'abc').update(`${time}.{}`).digest('hex');
    const sent = [[header, digest] as const, ['X-Time', time] as const];
    return verifySignature(scheme, header, lookup(sent), { secret: 'abc', body: Buffer.from('{}') });
  };
  const times = ['1700000000123', '1700000000100', '1700000000000', '1700000001', '1700000000.5'];
  expect(times.map(isRight)).toEqual([true, true, true, false, false]);
});

describe('published vectors', () => {
  it.each([
    [ascii(0x0b, 20), 'Hi There', 'b617318655057264e28bc0b6fb378c8ef146be00'],
    ['Jefe', 'what do ya want for nothing?', 'effcdf6ae5eb2fa2d27416d5f184df9c259a7c79'],
    [ascii(0x0c, 20), 'Test With Truncation', '4c1a03424b55e07fe7f27be1d58bb9324a9a5a04'],
  ])('RFC 2202, HMAC-SHA1: %j', (secret, body, expected) => {
    expect(sign('hmac-sha1-hex', input(secret, body))).toBe(expected);
  });

  it.each([
    [
      ascii(0x0b, 20),
      'Hi There',
      'b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7',
      '87aa7cdea5ef619d4ff0b4241a1d6cb02379f4e2ce4ec2787ad0b30545e17cdedaa833b7d6b8a702038b274eaea3f4e4be9d914eeb61f1702e696c203a126854',
    ],
    [
      'Jefe',
      'what do ya want for nothing?',
      '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
      '164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea2505549758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737',
    ],
  ])('RFC 4231, HMAC-SHA256 and HMAC-SHA512: %j', (secret, body, sha256, sha512) => {
    expect(sign('hmac-sha256-hex', input(secret, body))).toBe(sha256);
    expect(sign('hmac-sha512-hex', input(secret, body))).toBe(sha512);
    expect(sign('hmac-sha256-base64', input(secret, body))).toBe(Buffer.from(sha256, 'hex').toString('base64'));
  });

  it('RFC 4231, test case 1 in base64 and base64url', () => {
    const signing = input(ascii(0x0b, 20), 'Hi There');
    expect(sign('hmac-sha256-base64', signing)).toBe('sDRMYdjbOFNcqK/OrwvxK4gdwgDJgz2nJuk3bC4yz/c=');
    expect(sign('hmac-sha256-base64url', signing)).toBe('sDRMYdjbOFNcqK_OrwvxK4gdwgDJgz2nJuk3bC4yz_c');
  });

  it("GitHub's documented example, with its literal prefix", () => {
    expect(sign('sha256=hmac-sha256-hex', input("It's a Secret to Everybody", 'Hello, World!'))).toBe(
      'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17',
    );
  });

  it('the example of Standard Webhooks', () => {
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const signing = input(secret, '{"test": 2432232314}', 'msg_p5jXN8AQM9LWM0D4loKWxJek', 1_614_265_330);
    const expected = [
      ['webhook-signature', 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE='],
      ['webhook-id', 'msg_p5jXN8AQM9LWM0D4loKWxJek'],
      ['webhook-timestamp', '1614265330'],
    ];
    const scheme = parseScheme('standard-webhooks');
    expect(signatureHeaders(scheme, header, signing)).toEqual(expected);
    const bare = { ...signing, secret: secret.slice('whsec_'.length) };
    expect(signatureHeaders(scheme, header, bare)).toEqual(expected);
  });
});

describe('the timestamped layout', () => {
  it('signs the time, a dot and the body', () => {
    const body = '{"id":1}';
    const expected = createHmac('sha256', 'secret').update(`1700000000.${body}`).digest('hex');
    expect(sign('timestamped', input('secret', body, '', 1_700_000_000))).toBe(`t=1700000000,v1=${expected}`);
  });

  it('takes any of several signatures, as during a rotation', () => {
    const scheme = parseScheme('timestamped');
    const body = Buffer.from('{}');
    const right = sign('timestamped', input('new', body, '', 7)).slice('t=7,'.length);
    const value = `t=7,v1=${'0'.repeat(64)},${right},v0=x`;
    expect(verifySignature(scheme, header, lookup([[header, value]]), { secret: 'new', body })).toBe(true);
    const stale = value.replace('t=7', 't=8');
    expect(verifySignature(scheme, header, lookup([[header, stale]]), { secret: 'new', body })).toBe(false);
  });
});

describe('verifying', () => {
  const schemes = [
    'hmac-sha1-hex',
    'hmac-sha256-hex',
    'hmac-sha512-base64',
    'hmac-sha256-base64url',
    'sha256=hmac-sha256-hex',
    ...fixedSchemes.map(({ name }) => name),
  ];

  it.each(schemes)('%s: what was signed verifies, and nothing near it', (name) => {
    const scheme = parseScheme(name);
    const body = Buffer.from('{"text":"caf\u00e9 \u2028 \u{1f6a2}"}');
    const secret = 'a secret, \u00fc';
    const headers = signatureHeaders(scheme, header, input(secret, body, 'an-id', 1_700_000_000));
    const verify = (changed = headers, with_ = { secret, body }) =>
      verifySignature(scheme, header, lookup(changed), with_);
    const [[signatureName, value] = ['', ''], ...others] = headers;
    const replaced = (signature: string) => [[signatureName, signature] as const, ...others];
    expect(verify()).toBe(true);
    expect(verify(replaced(''))).toBe(false);
    expect(verify(replaced(value.slice(0, -1)))).toBe(false);
    expect(verify(replaced(`${value}0`))).toBe(false);
    expect(verify(others)).toBe(false);
    expect(verify(headers, { secret: `${secret} `, body })).toBe(false);
    expect(verify(headers, { secret, body: Buffer.concat([body, Buffer.from(' ')]) })).toBe(false);
    expect(signatureHeaderName(scheme, header)).toBe(signatureName);
  });

  it('signs bytes, whatever they stand for', () => {
    const body = repeated(0xff, 3);
    const expected = createHmac('sha256', 's').update(body).digest('hex');
    expect(sign('hmac-sha256-hex', input('s', body))).toBe(expected);
  });

  it('refuses a timestamp that is no number, and a missing id', () => {
    const scheme = parseScheme('standard-webhooks');
    const signing = input('secret', '{}', 'an-id', 7);
    const headers = signatureHeaders(scheme, header, signing);
    for (const left of ['webhook-id', 'webhook-timestamp']) {
      expect(verifySignature(scheme, header, lookup(headers.filter(([name]) => name !== left)), signing)).toBe(false);
    }
    const odd = headers.map(([name, value]) => [name, name === 'webhook-timestamp' ? '7e0' : value] as const);
    expect(verifySignature(scheme, header, lookup(odd), signing)).toBe(false);
  });
});

describe('a secret of Standard Webhooks', () => {
  it('stays text where it is no base64, so that any wrong secret can be tried', () => {
    const expected = createHmac('sha256', 'no base64!').update('an-id.7.{}').digest('base64');
    expect(sign('standard-webhooks', input('no base64!', '{}', 'an-id', 7))).toBe(`v1,${expected}`);
  });
});

describe('the spellings of a digest', () => {
  it('are those that an answer may leak', () => {
    expect(digestSpellings(parseScheme('sha256=hmac-sha256-hex'), input(ascii(0x0b, 20), 'Hi There'))).toEqual([
      'b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7',
      'B0344C61D8DB38535CA8AFCEAF0BF12B881DC200C9833DA726E9376C2E32CFF7',
      'sDRMYdjbOFNcqK/OrwvxK4gdwgDJgz2nJuk3bC4yz/c=',
      'sDRMYdjbOFNcqK/OrwvxK4gdwgDJgz2nJuk3bC4yz/c',
      'sDRMYdjbOFNcqK_OrwvxK4gdwgDJgz2nJuk3bC4yz_c',
      'sDRMYdjbOFNcqK_OrwvxK4gdwgDJgz2nJuk3bC4yz_c=',
      Buffer.from('b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7').toString('base64'),
    ]);
  });
});

describe('the name of a scheme', () => {
  it('is read as data', () => {
    expect(parseScheme('hmac-sha256=hmac-sha512-base64url')).toEqual({
      name: 'hmac-sha256=hmac-sha512-base64url',
      algorithm: 'sha512',
      digest: 'base64url',
      key: { encoding: 'utf8', prefix: '' },
      signed: '{body}',
      headers: [{ template: 'hmac-sha256={digest}' }],
    });
  });

  it.each([
    '',
    'sha256',
    'hmac-md5-hex',
    'hmac-sha256',
    'hmac-sha256-HEX',
    'a b=hmac-sha256-hex',
    'toString',
    'hmac-sha256-hex\n',
  ])('refuses %j and lists what is valid', (text) => {
    expect(() => parseScheme(text)).toThrow(SignatureSchemeError);
    expect(() => parseScheme(text)).toThrow(/hmac-<sha1\|sha256\|sha512>.*timestamped, or standard-webhooks/);
  });
});
