import { describe, expect, it } from 'vitest';

import { ContractError } from '../../spec/contractError.ts';
import { parseSignature } from '../../spec/parseSignature.ts';
import { parseScheme, signatureHeaderName } from '../../spec/signature.ts';
import { signatureForms } from './signatureForms.ts';

describe('the signature of a contract', () => {
  it('has the usual defaults', () => {
    expect(parseSignature({ headers: { 'X-Hub-Signature-256': 'sha256={digest}' } })).toEqual({
      ...parseScheme('sha256=hmac-sha256-hex'),
      name: 'contract',
      headers: [{ name: 'X-Hub-Signature-256', template: 'sha256={digest}' }],
    });
  });

  it('is the same as the scheme that has a name', () => {
    const { tolerance, ...stripe } = parseSignature(signatureForms.stripe.form);
    expect(tolerance).toBe(300_000);
    // It promises nothing of several signatures.
    const { isList: _list, ...named } = parseScheme('timestamped');
    expect(stripe).toEqual({
      ...named,
      name: 'contract',
      headers: [{ name: 'Stripe-Signature', ...named.headers[0] }],
    });
    const { tolerance: _, ...standard } = parseSignature(signatureForms['standard webhooks'].form);
    expect(standard).toEqual({ ...parseScheme('standard-webhooks'), name: 'contract' });
  });

  it.each([
    ['slack', undefined, 'X-Slack-Signature'],
    ['paddle', ';', 'Paddle-Signature'],
    ['adyen banking', undefined, 'HmacSignature'],
    ['svix', ' ', 'svix-signature'],
  ] as const)('of %s says what divides a list, and which header comes first', (name, several, header) => {
    const scheme = parseSignature(signatureForms[name].form);
    expect(scheme.several).toBe(several);
    expect(signatureHeaderName(scheme, '')).toBe(header);
  });
});

const headers = { 'X-Signature': '{digest}' };
const timed = { 'X-Signature': 't={timestamp},v1={digest}' };

describe('a signature that cannot be made is refused', () => {
  it.each([
    ['nothing', undefined, 'signature is missing; valid is a mapping with algorithm, '],
    ['a text', 'sha256', 'signature is "sha256"; valid is a mapping'],
    ['an unknown member', { headers, header: 'X' }, 'signature is "header"; .* did you mean "headers"\\?'],
    ['an algorithm', { headers, algorithm: 'sha265' }, 'signature.algorithm is "sha265"; valid is sha1, .*"sha256"'],
    ['an encoding', { headers, digest: 'base46' }, 'signature.digest is "base46"; .*"base64"'],
    ['an encoding of the key', { headers, key: 'whsec_:bas64' }, 'signature.key is "whsec_:bas64"; .*"base64"'],
    ['no headers', {}, 'signature.headers is missing; valid is names of headers'],
    ['no digest', { headers: { 'X-Id': '{id}' } }, 'signature.headers is {"X-Id":"{id}"}; .*one of them with {digest}'],
    ['two digests', { headers: { A: '{digest}', B: '{digest}' } }, 'one of them with {digest}'],
    ['the name of a header', { headers: { 'X Y': '{digest}' } }, 'signature.headers is "X Y"; valid is the name'],
    [
      'no placeholder',
      { headers: { ...headers, A: 'b' } },
      'signature.headers.A is "b"; valid is a text with {digest}',
    ],
    [
      'an unknown one',
      { headers: { A: '{digset}' } },
      'signature.headers.A is "{digset}"; .* did you mean "digest"\\?',
    ],
    ['an id among others', { headers: { A: '{id},{digest}' } }, 'or {id} alone'],
    ['a line break', { headers: { A: '{digest}\n' } }, 'signature.headers.A is "{digest}\\\\n"'],
    [
      'no body',
      { headers, signed: '{timestamp}' },
      'signature.signed is "{timestamp}"; valid is a text with {body} once',
    ],
    ['the digest', { headers, signed: '{digest}{body}' }, 'signature.signed is "{digest}{body}"'],
    [
      'what no header carries',
      { headers, signed: '{id}.{body}' },
      "headers that carry {id} too, because it is signed \\(add the header of the id: '{id}'\\)",
    ],
    ['a list of nothing', { headers, several: '' }, 'signature.several is ""; valid is what stands between'],
    ['a list of the wrong parts', { headers: timed, several: ' ' }, 'signature.several is " "; valid is what divides'],
    ['a tolerance of no timestamp', { headers, tolerance: '5m' }, 'signature.tolerance is "5m"; .*sign {timestamp}'],
    [
      'no duration',
      { headers: timed, signed: '{timestamp}.{body}', tolerance: 'five' },
      'signature.tolerance is "five"; valid is a duration',
    ],
  ])('%s', (_, form, says) => {
    expect(() => parseSignature(form)).toThrow(new RegExp(says));
    expect(() => parseSignature(form)).toThrow(ContractError);
    expect(() => parseSignature(form)).toThrow(expect.objectContaining({ code: 'contract/signature' }));
  });
});
