import { describe, expect, it } from 'vitest';

import { loadContract } from '../../spec/contract.ts';
import { libraryContract } from './libraryContract.ts';

const contract = loadContract(libraryContract);

describe('a contract of another domain', () => {
  it('has its own terms of delivery', () => {
    expect(contract.delivery).toMatchObject({
      method: 'PUT',
      mediaType: 'application/loan+json',
      acceptedStatuses: [200],
      retries: 3,
      members: {
        id: '/number',
        type: '/kind',
        event: '/what~1happened',
        status: '/state',
        createdAt: '/at',
        included: '/books',
      },
    });
  });

  it('has its own events', () => {
    expect(contract.events.map(({ name, group, operationId }) => [name, group, operationId])).toEqual([
      ['lent', 'Loans', 'onLent'],
      ['returned', 'Loans', 'onReturned'],
    ]);
    const [lent, returned] = contract.events;
    expect(lent?.validate({ number: 1, 'what/happened': 'lent' })).toBe(true);
    expect(lent?.validate({ number: 0, 'what/happened': 'returned' })).toBe(false);
    expect(lent?.validate.errors?.map(({ instancePath }) => instancePath)).toEqual(['/number', '/what~1happened']);
    expect(returned?.included).toEqual([]);
    expect(lent?.included).toMatchObject([{ type: 'book', least: 1, most: 2, many: true }]);
    expect(lent?.included[0]?.validate({ type: 'book' })).toBe(true);
    expect(lent?.included[0]?.validate({ type: 'film' })).toBe(false);
  });

  it('writes references and allOf out', () => {
    expect(contract.events[0]?.schema).toEqual({
      type: 'object',
      required: ['number', 'what/happened'],
      properties: {
        number: { type: 'integer', minimum: 1 },
        'what/happened': { type: 'string', const: 'lent' },
      },
    });
  });

  it('resolves a reference below a member that is called default', () => {
    const [loans] = contract.operations;
    expect(loans).toMatchObject({
      operationId: 'listLoans',
      method: 'GET',
      path: '/loans',
      secured: true,
      gaps: ['OPEN-1'],
    });
    const answer = loans?.responses['default']?.['application/json'];
    expect(answer?.validate([{ number: 1, 'what/happened': 'lent' }])).toBe(true);
    expect(answer?.validate([{ number: 0 }])).toBe(false);
  });

  it('has its own requirements and assumptions', () => {
    expect(contract.requirement('LIB-2')).toEqual({
      id: 'LIB-2',
      section: '2, 3',
      subject: 'service',
      level: 'may',
      statement: 'A note is repeated.',
    });
    expect(contract.assumptions).toMatchObject([{ key: 'pageSize', gap: 'OPEN-1', how: '--assume pageSize=20' }]);
  });
});
