import { it } from '@fast-check/vitest';
import fc from 'fast-check';
import { describe, expect } from 'vitest';

import { notification, signed, type SignedDelivery } from '../../../generators/index.ts';
import { loadContract } from '../../../spec/contract.ts';
import { shippedTexts } from '../../../spec/contractFiles.ts';
import { verifySignature } from '../../../spec/signature.ts';

const secret = 'known-to-both-sides';

describe('notifications by the name of their event', () => {
  const event = loadContract().events.find(({ name }) => name === 'container.updated')!;

  it.prop([notification('container.updated')], { numRuns: 20 })('are valid, and carry their id', (drawn) => {
    const { id, value } = drawn;
    expect(drawn.event).toBe('container.updated');
    expect(value).toMatchObject({ data: { id } });
    expect(event.validate(value)).toBe(true);
  });

  it('have ids of their own', () => {
    const ids = fc.sample(notification('container.updated'), 20).map(({ id }) => id);
    expect(new Set(ids).size).toBe(20);
  });

  it('may be of another contract', () => {
    const contract = loadContract(shippedTexts('shopify'), { name: 'shopify' });
    const [byName] = fc.sample(notification('orders/create', { contract: 'shopify' }), { numRuns: 1, seed: 1 });
    expect(byName?.event).toBe('orders/create');
    expect(() => notification('orders/creat', { contract })).toThrow(
      /no event "orders\/creat". did you mean "orders\/create"\?/,
    );
  });
});

describe('signed', () => {
  it('makes deliveries whose signature is right, of one notification and of an arbitrary', () => {
    const { signature } = loadContract().delivery;
    const isRight = ({ headers, body }: SignedDelivery): boolean => {
      const values = new Headers(headers);
      return verifySignature(signature!, '', (name) => values.get(name) ?? undefined, { secret, body });
    };
    fc.assert(fc.property(signed(notification('container.updated'), { secret }), isRight), { numRuns: 20 });
    const [one] = fc.sample(notification('container.updated'), 1);
    expect(isRight(signed(one!, { secret }))).toBe(true);
    expect(isRight({ ...signed(one!, { secret }), body: Buffer.from('{}') })).toBe(false);
  });

  it('says the id in each header that is to have it', () => {
    const contract = 'shopify';
    const [delivery] = fc.sample(signed(notification('orders/create', { contract }), { secret, contract }), 1);
    const { id } = delivery!;
    expect(delivery?.headers).toMatchObject({ 'X-Shopify-Event-Id': id, 'X-Shopify-Webhook-Id': id });
  });

  it('needs the time where the signature holds it', () => {
    const invoices = notification('invoice.paid', { contract: 'standard-webhooks' });
    const contract = 'standard-webhooks';
    expect(() => signed(invoices, { secret, contract })).toThrow(/hold a time\. Give timestamp/);
    const [delivery] = fc.sample(signed(invoices, { secret, contract, timestamp: 1_700_000_000 }), 1);
    expect(delivery?.headers).toMatchObject({ 'webhook-timestamp': '1700000000', 'webhook-id': delivery?.id });
  });
});
