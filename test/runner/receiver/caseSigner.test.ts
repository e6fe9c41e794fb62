import { describe, expect, test } from 'vitest';

import { CaseSigner } from '../../../runner/receiver/caseSigner.ts';
import { parseSignature } from '../../../spec/parseSignature.ts';
import { type SignatureScheme, verifySignature } from '../../../spec/signature.ts';
import type { Delivery } from '../../../suites/delivery.ts';
import { signatureForms } from '../../spec/signatureForms.ts';

const body = Buffer.from('{}');
const secrets = ['one', 'two'];

const began = 1_700_000_000;

/** @param clock - in whole seconds */
function signerOf(scheme: SignatureScheme, clock: { seconds: number }): CaseSigner {
  const context = { scheme, signatureHeader: 'X-Signature', plan: { secrets } };
  return new CaseSigner(context, {}, () => clock.seconds * 1000);
}

function signed(signer: CaseSigner, secret?: string, skew?: number): Delivery {
  const headers = [['X-Other', '1'] as const, ...signer.sign(body, 'an-id', secret, skew)];
  return { id: 'an-id', event: 'e', method: 'POST', headers, body, ...(skew !== undefined && { skew }) };
}

describe('a delivery that is sent some time after it was signed', () => {
  const scheme = parseSignature(signatureForms.stripe.form);

  test.each([
    ['the first secret', undefined, undefined],
    ['the second one, and a skew', 'two', -150],
  ])('is signed anew: %s', (_, secret, skew) => {
    const clock = { seconds: began };
    const signer = signerOf(scheme, clock);
    const delivery = signed(signer, secret, skew);
    expect(signer.timely(delivery)).toBe(delivery);
    clock.seconds += 400;
    const { headers, ...others } = signer.timely(delivery);
    expect({ ...others, headers: delivery.headers }).toEqual(delivery);
    const values = new Map(headers);
    expect(values.get('X-Other')).toBe('1');
    expect(values.get('Stripe-Signature')).toContain(`t=${began + 400 + (skew ?? 0)},`);
    expect(verifySignature(scheme, '', (name) => values.get(name), { secret: secret ?? 'one', body })).toBe(true);
  });

  test('stays as it is where its signature is another than the kit makes', () => {
    const clock = { seconds: began };
    const signer = signerOf(scheme, clock);
    const forged = signed(signer, 'another');
    const genuine = signed(signer);
    const longer = { ...genuine, headers: genuine.headers.map(([name, value]) => [name, `${value} `] as const) };
    const twice = { ...genuine, headers: [...genuine.headers, genuine.headers.at(-1)!] };
    clock.seconds += 400;
    for (const delivery of [forged, longer, twice]) expect(signer.timely(delivery)).toBe(delivery);
  });

  test('stays as it is where signatures have no timestamp', () => {
    const clock = { seconds: began };
    const timeless = signerOf(parseSignature(signatureForms.github.form), clock);
    const delivery = signed(timeless);
    clock.seconds += 400;
    expect(timeless.timely(delivery)).toBe(delivery);
  });
});
