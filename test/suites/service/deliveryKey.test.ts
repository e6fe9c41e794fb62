import { expect, test } from 'vitest';

import { deliveryKey } from '../../../suites/service/deliveryKey.ts';

test('attempts with one id that name one event are of one delivery, and no others', () => {
  const key = deliveryKey({ id: 'one', event: 'order.created' });
  expect(deliveryKey({ event: 'order.created', id: 'one' })).toBe(key);
  const others = [
    { id: 'another', event: 'order.created' },
    { id: 'one', event: 'order.deleted' },
    { id: 'one"', event: ',"order.created' },
    { id: '', event: '' },
  ];
  expect(others.map(deliveryKey)).not.toContain(key);
});
