import { describe, expect, it } from 'vitest';

import { loadContract } from '../../spec/contract.ts';
import { minimalNotification } from './minimalNotification.ts';

const validate = loadContract().events.find(({ name }) => name === 'container.created')?.validate;
if (validate === undefined) throw new Error('The catalogue has no container.created.');

describe('a notification', () => {
  const valid = (attributes: object) => validate(minimalNotification('container.created', attributes));

  it.each(['2026-01-02T03:04:05Z', '2026-01-02T03:04:05.1Z', '2024-02-29T23:59:59.123456Z'])(
    'takes %s',
    (created_at) => {
      expect(valid({ created_at })).toBe(true);
    },
  );

  it.each([
    '2026-01-02t03:04:05Z',
    '2026-01-02T03:04:05z',
    '2026-01-02T03:04:05+00:00',
    '2026-01-02T03:04:05.1234567Z',
    '2026-01-02T03:04:05.Z',
    '2026-02-29T03:04:05Z',
    '2026-12-31T23:59:60Z',
    '2026-01-02 03:04:05Z',
    '2026-01-02',
  ])('does not take %s', (created_at) => {
    expect(valid({ created_at })).toBe(false);
  });

  it.each(['pending', 'succeeded', 'failed'])('takes the status %s', (delivery_status) => {
    expect(valid({ delivery_status })).toBe(true);
  });

  it('takes no other status', () => {
    expect(valid({ delivery_status: 'delivered' })).toBe(false);
  });

  it('takes members that the contract does not name', () => {
    expect(validate({ ...minimalNotification('container.created', { later: 1 }), links: {} })).toBe(true);
  });

  it('needs id, type and attributes, and a list as included', () => {
    expect(validate({ data: {}, included: {} })).toBe(false);
    const places = validate.errors?.map(
      ({ instancePath, params }) => `${instancePath} ${String(params['missingProperty'] ?? params['type'])}`,
    );
    expect(places).toEqual(['/data id', '/data type', '/data attributes', '/included array']);
  });

  it('takes an id in the shape of a uuid only', () => {
    const body = minimalNotification('container.created');
    for (const id of ['urn:uuid:3f1c2a4e-7b9d-4c6e-8f10-2a3b4c5d6e7f', '42', '']) {
      expect(validate({ ...body, data: { ...body.data, id } })).toBe(false);
    }
  });
});
