import { describe, expect, test } from 'vitest';

import { receiverPlan } from '../../../runner/receiver/receiverPlan.ts';
import { body, byHand, delivery, head, outcome } from '../deliveries.ts';
import { useTargets } from '../targets.ts';

const targets = useTargets();

/** A target that notes where connections come from. */
async function noting() {
  const seen: (string | undefined)[] = [];
  const url = await targets.http((request, response) => {
    seen.push(request.socket.remoteAddress);
    request.resume().on('end', () => response.end());
  });
  return { url, seen };
}

describe('a deliverer with an address of its own', () => {
  test('sends from it, over kept connections and fresh ones', async () => {
    const { url, seen } = await noting();
    const deliverer = targets.deliverer(url, { localAddress: '127.0.0.7' });
    await deliverer.deliver(delivery());
    await deliverer.deliver(byHand([head, body]));
    await deliverer.together([delivery(), delivery()]);
    expect(seen).toEqual(Array.from({ length: 4 }, () => '127.0.0.7'));
    expect(await deliverer.reachable()).toBe(true);
  });

  test('finds the address of a name that is of the same kind', async () => {
    const { url, seen } = await noting();
    url.hostname = 'localhost';
    expect(outcome(await targets.deliverer(url, { localAddress: '127.0.0.7' }).deliver(delivery()))).toBe(200);
    expect(seen).toEqual(['127.0.0.7']);
  });

  test('sends one delivery from another address', async () => {
    const { url, seen } = await noting();
    const deliverer = targets.deliverer(url, { localAddress: '127.0.0.7' });
    await deliverer.deliver(delivery({ from: '127.0.0.8' }));
    await deliverer.deliver({ ...byHand([head, body]), from: '127.0.0.9' });
    await deliverer.together([delivery({ from: '127.0.0.10' })]);
    await deliverer.deliver(delivery());
    expect(seen).toEqual(['127.0.0.8', '127.0.0.9', '127.0.0.10', '127.0.0.7']);
  });

  test('says where the machine has no such address', async () => {
    const { url, seen } = await noting();
    expect(outcome(await targets.deliverer(url).deliver(delivery({ from: '192.0.2.1' })))).toBe('EADDRNOTAVAIL');
    expect(seen).toEqual([]);
  });
});

describe('options of a receiver', () => {
  const url = 'http://127.0.0.1:9/hooks';

  test.each([
    [{ published: ['192.0.2.1'] }, 'SW_ADDRESS_FOREIGN', '--published 192.0.2.1'],
    [{ recover: 'true' }, 'SW_OPTION_CONFLICT', '--recover was given without --api-listen'],
    [{ published: ['127.0.0.1'], image: 'receiver', port: 80 }, 'SW_OPTION_CONFLICT', 'together with --image'],
    [{ header: [['content-type', 'text/plain']] }, 'SW_OPTION_VALUE', '--header content-type, which each delivery has'],
    [
      { header: [['X-Own', '']], assume: { 'signature.header': 'x-own' } },
      'SW_OPTION_VALUE',
      'none of Content-Type, x-own',
    ],
  ] as const)('%j is refused', async (options, code, says) => {
    const address = 'image' in options ? '/hooks' : url;
    await expect(receiverPlan(address, options)).rejects.toMatchObject({
      code,
      message: expect.stringContaining(says),
    });
  });

  test('the published addresses are the plan’s, the usual one first', async () => {
    const { published } = await receiverPlan(url, { published: ['127.0.0.3', '127.0.0.1'] });
    expect(published).toEqual(['127.0.0.3', '127.0.0.1']);
  });
});
