import { createHmac } from 'node:crypto';

import { describe, expect, it, test } from 'vitest';

import type { Json } from '../../../generators/json/json.ts';
import { parseScheme, signatureHeaders, type SignatureScheme } from '../../../spec/signature.ts';
import { signatureMistake } from '../../../suites/caught/signatureMistake.ts';
import { headerValue } from '../../../spec/headerText.ts';

const secret = 'c2VjcmV0LXNlY3JldA==';
const value = { name: 'Zürich <a>', at: 'https://a.example/x', list: [1, 2] };
const body = Buffer.from(JSON.stringify(value));
const hex = parseScheme('hmac-sha256-hex');
const header = 'X-Signature';

/** What is said of a delivery with these headers. */
function said(
  headers: readonly (readonly [string, string])[],
  scheme: SignatureScheme = hex,
  sent: Buffer = body,
  given = secret,
): string {
  const lookup = (name: string) => headerValue(headers, name);
  const parsed = JSON.parse(sent.toString()) as Json;
  return signatureMistake({ scheme, header, lookup, body: sent, value: parsed, secrets: [given] });
}

function digest(signed: string | Buffer, { key = secret as string | Buffer, algorithm = 'sha256' } = {}) {
  return createHmac(algorithm, key).update(signed);
}

/** A signature in hex of these bytes, and what is said of it. */
function saidOf(signed: string | Buffer, how?: Parameters<typeof digest>[1]): string {
  return said([[header, digest(signed, how).digest('hex')]]);
}

describe('a signature of other bytes', () => {
  it.each([
    ['indented', JSON.stringify(value, null, 2), 'written again over several lines'],
    ['as PHP writes it', JSON.stringify(value).replaceAll('/', '\\/').replace('ü', '\\u00fc'), 'as PHP writes it'],
    ['with a line feed', `${body.toString()}\n`, 'with a line feed at its end'],
    ['with a byte order mark', `\u{feff}${body.toString()}`, 'byte order mark'],
    ['in base64', body.toString('base64'), 'the body in base64'],
    ['written twice', JSON.stringify(body.toString()), 'as a JSON text'],
    ['as Go writes a struct', body.toString().replace('<', '\\u003c').replace('>', '\\u003e'), 'or Go a struct'],
    ['of nothing', '', 'an empty body'],
  ])('%s', (_, signed, words) => {
    expect(saidOf(signed)).toContain(words);
  });

  it('was made before white space came in', () => {
    const sent = Buffer.from(JSON.stringify(value, null, 2));
    expect(said([[header, digest(body).digest('hex')]], hex, sent)).toContain('without white space');
  });

  it('was made of a trimmed body', () => {
    const sent = Buffer.from(`${body.toString()} \n`);
    expect(said([[header, digest(body).digest('hex')]], hex, sent)).toContain('it was trimmed');
  });
});

it('a signature of a body that was sent in another charset', () => {
  const sent = Buffer.from(JSON.stringify(value), 'latin1');
  expect(said([[header, digest(body).digest('hex')]], hex, sent)).toContain('in UTF-8, which was sent in Latin-1');
});

describe('a signature under another key', () => {
  it.each([
    ['with a line break', `${secret}\n`, 'line break at its end'],
    ['empty', '', 'the key is empty'],
    ['decoded', Buffer.from(secret, 'base64'), 'decoded from base64'],
  ])('%s', (_, key, words) => {
    expect(saidOf(body, { key })).toContain(words);
  });

  it.each([
    ['without its label', 'c2VjcmV0LXNlY3JldA==', 'the text of the secret after its label, not all of it'],
    ['decoded without its label', Buffer.from('c2VjcmV0LXNlY3JldA==', 'base64'), 'decoded from base64, not its text'],
  ])('%s, where the whole text is the key', (_, key, words) => {
    const signature = digest(body, { key }).digest('hex');
    expect(said([[header, signature]], hex, body, `whsec_${secret}`)).toContain(words);
  });

  it('that nobody could know', () => {
    expect(saidOf(body, { key: 'another' })).toContain('made with another secret');
  });
});

describe('a signature that is written otherwise', () => {
  it.each([
    ['in base64', digest(body).digest('base64'), 'written in base64'],
    [
      'in base64 of its hex',
      Buffer.from(digest(body).digest('hex')).toString('base64'),
      'written in base64 of its hex',
    ],
    ['in upper case', digest(body).digest('hex').toUpperCase(), 'written in upper-case hex'],
    ['with another algorithm', digest(body, { algorithm: 'sha1' }).digest('hex'), 'made with sha1'],
    [
      'with another algorithm and key',
      digest(body, { algorithm: 'sha512', key: 'x' }).digest('hex'),
      'length of sha512',
    ],
    ['cut short', digest(body).digest('hex').slice(0, 20), 'it has 10 bytes where one of sha256 has 32'],
  ])('%s', (_, text, words) => {
    expect(said([[header, text]])).toContain(words);
  });

  it('or is none', () => {
    expect(said([])).toBe('none came: there is no header X-Signature');
    expect(said([[header, ' ']])).toContain('is empty');
    const prefixed = parseScheme('sha256=hmac-sha256-hex');
    expect(said([[header, 'abc']], prefixed)).toBe('what stands in X-Signature is not of the form sha256=<digest>');
    const timed = { ...prefixed, headers: [{ template: '{digest}' }, { name: 'X-Time', template: '{timestamp}000' }] };
    const times = [[header, 'abc'] as const, ['X-Time', '1700000001'] as const];
    expect(said(times, timed as unknown as typeof prefixed)).toBe(
      'what stands in X-Time is not of the form <timestamp>000: a time in milliseconds',
    );
  });
});

describe('a signature of a standard webhook', () => {
  const scheme = parseScheme('standard-webhooks');
  const input = { secret, body, id: 'msg_1', timestamp: 1_700_000_000 };
  const [, ...others] = signatureHeaders(scheme, header, input);
  const signedAs = (signed: string, key: string | Buffer = Buffer.from(secret, 'base64')) =>
    said([['webhook-signature', `v1,${digest(signed, { key }).digest('base64')}`], ...others], scheme);

  test('of the body alone', () => {
    expect(signedAs(body.toString())).toBe('it covers the body alone, not id.timestamp.body');
  });

  test('under the text of the secret', () => {
    expect(signedAs(`msg_1.1700000000.${body.toString()}`, secret)).toContain('not decoded from base64');
  });

  test('without the header of its timestamp', () => {
    expect(
      said(
        [
          ['webhook-signature', 'v1,abc'],
          ['webhook-id', 'msg_1'],
        ],
        scheme,
      ),
    ).toBe('the header webhook-timestamp, which is signed as well, did not come');
  });
});
