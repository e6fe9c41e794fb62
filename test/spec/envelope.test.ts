import fc from 'fast-check';
import { expect, it } from 'vitest';

import { notification } from '../../generators/notification/notification.ts';
import { loadContract } from '../../spec/contract.ts';

/** A document whose events and envelope share a part that refers to itself. */
const openapi = JSON.stringify({
  openapi: '3.0.3',
  info: { title: 'Trees', version: '1' },
  paths: {},
  'x-webhooks': {
    planted: {
      post: {
        requestBody: {
          content: {
            'application/json': {
              schema: {
                type: 'object',
                required: ['tree'],
                properties: { tree: { $ref: '#/components/schemas/Node' } },
              },
            },
          },
        },
        responses: { 200: { description: 'taken' } },
      },
    },
  },
  components: {
    schemas: {
      Node: {
        type: 'object',
        required: ['name'],
        properties: { name: { type: 'string' }, parent: { $ref: '#/components/schemas/Node' } },
      },
    },
  },
});

const contractWith = (envelope: unknown) =>
  loadContract({
    contract: JSON.stringify({ contract: 1, event: { at: '$request.header.X-Event' }, openapi: 'trees', envelope }),
    openapi,
  });

it('refers to what stands in the document, and holds beside the schema of the event', () => {
  const contract = contractWith({
    type: 'object',
    required: ['root'],
    properties: { root: { $ref: '#/components/schemas/Node' }, note: { type: 'string', nullable: true } },
  });
  const [planted] = contract.events;
  expect(planted.validate({ tree: { name: 'oak' }, root: { name: 'a', parent: { name: 'b' } }, note: null })).toBe(
    true,
  );
  expect(planted.validate({ tree: { name: 'oak' }, root: { name: 'a', parent: {} } })).toBe(false);
  expect(planted.validate({ tree: {}, root: { name: 'a' } })).toBe(false);
  expect(planted.validate({ tree: { name: 'oak' } })).toBe(false);
  for (const { value } of fc.sample(notification(contract, planted), { numRuns: 20, seed: 1 }))
    expect(planted.validate(value)).toBe(true);
});

it('says where of it something is not taken as it stands', () => {
  const contract = contractWith({ properties: { at: { type: 'string', format: 'moment' } } });
  expect(contract.events[0].validate({ tree: { name: 'oak' }, at: 'noon' })).toBe(true);
  expect(contract.warnings).toMatchObject([{ pointer: '#/envelope/properties/at/format', effect: 'loosened' }]);
});

it('lets the schemas of a contract refer to $defs of their own, and the events to those of the envelope', () => {
  const contract = loadContract({
    contract: `
contract: 1
title: Till
event: { at: $request.body#/type }
envelope:
  type: object
  required: [sum]
  properties: { sum: { $ref: '#/$defs/Money' } }
  $defs:
    Money: { type: object, required: [amount], properties: { amount: { type: integer }, tax: { $ref: '#/$defs/Money' } } }
events:
  sale:
    required: [paid, by]
    properties: { paid: { $ref: '#/$defs/Money' }, by: { $ref: '#/$defs/Means' } }
    $defs: { Means: { enum: [card, cash] } }
  x/return~1: { properties: { by: { $ref: '#/$defs/Means' } }, required: [by], $defs: { Means: { const: cash } } }
`,
  });
  const [sale, back] = contract.events;
  const valid = { type: 'sale', sum: { amount: 1, tax: { amount: 0 } }, paid: { amount: 1 }, by: 'card' };
  expect(sale.validate(valid)).toBe(true);
  expect(sale.validate({ ...valid, paid: 1 })).toBe(false);
  expect(sale.validate({ ...valid, sum: { amount: 1, tax: {} } })).toBe(false);
  expect(sale.validate({ ...valid, by: 'coin' })).toBe(false);
  expect(back?.validate({ type: 'x/return~1', sum: { amount: 1 }, by: 'cash' })).toBe(true);
  expect(back?.validate({ type: 'x/return~1', sum: { amount: 1 }, by: 'card' })).toBe(false);
  const drawn = fc.sample(notification(contract, sale), { numRuns: 50, seed: 1 });
  expect(drawn.every(({ value }) => sale.validate(value))).toBe(true);
});
