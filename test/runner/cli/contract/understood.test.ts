import { describe, expect, it } from 'vitest';

import { understood } from '../../../../runner/cli/contract/check/understood.ts';
import { loadContract } from '../../../../spec/contract.ts';

const now = Date.parse('2026-01-02T03:04:05Z');

const right = {
  contract: 1,
  event: { at: '$request.body#/type' },
  id: { at: '$request.body#/id', form: '[a-z]{4}' },
  envelope: {
    type: 'object',
    required: ['id', 'type'],
    properties: { id: { type: 'string' }, made: { type: 'integer' }, said: { type: 'string' } },
  },
  events: { a: true },
};

const understand = (change: object) =>
  understood(loadContract({ contract: JSON.stringify({ ...right, ...change }) }), now);

describe('what is understood of a contract', () => {
  it('is all that stands in one that is right', () => {
    expect(understand({})).toMatchObject({ undescribed: [], samples: { proven: 1, failed: [] } });
  });

  it('is a time in any text, which is made recent', () => {
    expect(understand({ createdAt: { at: '$request.body#/said' } }).samples.failed).toEqual([]);
  });

  it.each([
    ['a text', 'a number', { at: '$request.body#/made' }, 'takes integer: is its form unix or unixMilliseconds?'],
    ['a number', 'a text', { at: '$request.body#/said', form: 'unix' }, 'takes string: is its form rfc3339?'],
  ])('is not a time that is %s where the schema has %s', (_form, _schema, createdAt, says) => {
    const { failed } = understand({ createdAt }).samples;
    expect(failed).toEqual([{ event: 'a', member: 'createdAt', why: expect.stringContaining(says) as string }]);
  });

  it('is not an id that its schema does not take: the form is to blame, not the schema', () => {
    const { failed } = understand({
      id: { at: '$request.body#/id', form: '[A-Z]{4}' },
      events: { a: lowerCase },
    }).samples;
    expect(failed).toEqual([
      {
        event: 'a',
        member: 'id',
        why: 'an id of the form [A-Z]{4} is not valid at /id, which must match pattern "^[a-z]*$"',
      },
    ]);
  });

  it('is not an event at a place that no schema has', () => {
    const { undescribed } = understand({ event: { at: '$request.body#/maid' } });
    expect(undescribed).toEqual([{ name: 'event', pointer: '/maid', near: '/said' }]);
  });

  it('is an id in a list that a schema has', () => {
    const list = { type: 'array', minItems: 1, items: { type: 'object', required: ['id'] } };
    const change = (id: string) => understand({ envelope: list, event: { at: '$request.header.X' }, id: { at: id } });
    expect(change('$request.body#/0/id')).toMatchObject({ undescribed: [], samples: { proven: 1 } });
    expect(change('$request.body#/0/key').undescribed).toEqual([{ name: 'id', pointer: '/0/key' }]);
  });

  it('is an event in a list, whether or not the schema of the list names it', () => {
    const named = { type: 'array', items: { required: ['type'], properties: { type: { const: 'sold' } } } };
    const { events, samples } = understand({
      envelope: { type: 'array', items: { type: 'object', required: ['at'] } },
      event: { at: '$request.body#/0/type' },
      id: { at: '$request.header.X-Id' },
      events: { sold: named, bought: true },
    });
    expect({ events, samples }).toMatchObject({ events: ['sold', 'bought'], samples: { proven: 2 } });
  });

  it('is not an example that breaks its own schema, which is passed over', () => {
    const amount = { type: 'string', pattern: '^[0-9]+[.][0-9]{2}$', examples: ['12.5'] };
    const events = { a: { required: ['amount'], properties: { amount } } };
    expect(understand({ events })).toMatchObject({ leftOut: [], samples: { proven: 1 } });
  });

  it('is not an event in an object that no schema has', () => {
    const { undescribed } = understand({ event: { at: '$request.body#/meta/type' } });
    expect(undescribed).toEqual([{ name: 'event', pointer: '/meta/type' }]);
  });

  it('is not a pattern that searches for ever, which is named', () => {
    const events = { a: { properties: { id: { pattern: '^(a+)+(?=b)x$' } } } };
    const { leftOut, samples } = understand({ events });
    expect(samples.failed).toHaveLength(1);
    expect(leftOut).toContainEqual(
      expect.objectContaining({
        pointer: expect.stringMatching(/properties\/id\/pattern$/) as string,
        message: expect.stringContaining("(?=b)x$' takes more than 1 s") as string,
      }),
    );
  });

  it('is not a form of ids of which none can be made', () => {
    const { failed } = understand({ id: { at: '$request.body#/id', form: '(?=b)a' } }).samples;
    expect(failed).toEqual([
      { event: 'a', member: 'id', why: expect.stringContaining('no id of the form that the contract') as string },
    ]);
  });
});

const lowerCase = { properties: { id: { pattern: '^[a-z]*$' } } };
