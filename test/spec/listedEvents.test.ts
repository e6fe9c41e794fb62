import { expect, it } from 'vitest';

import { loadContract } from '../../spec/contract.ts';

const values = 'enum: [order.paid, order.sent]';

/** A document with one webhook for all events. */
const contractWith = (event: string, { body = 'true', header = 'true', name = 'delivery' }) =>
  loadContract({
    contract: `{ contract: 1, openapi: ./openapi.yaml, event: { at: ${event} } }`,
    openapi: `
openapi: 3.1.0
info: { title: Orders, version: '1' }
webhooks:
  ${name}:
    post:
      parameters: [{ name: X-Event, in: header, schema: ${header} }]
      requestBody: { content: { application/json: { schema: ${body} } } }
components: { schemas: { Name: { type: string, ${values} } } }
`,
  });

const typed = "{ type: object, properties: { type: { $ref: '#/components/schemas/Name' } } }";

it.each([
  ['$request.body#/type', { body: typed }],
  ['$request.body#/0/type', { body: `{ type: array, items: ${typed} }` }],
  ['$request.header.X-Event', { header: `{ ${values} }` }],
])('takes a webhook for all the events that %s lists', (at, document) => {
  const { events } = contractWith(at, document);
  expect(events.map(({ name, value }) => [name, value])).toEqual([
    ['order.paid', 'order.paid'],
    ['order.sent', 'order.sent'],
  ]);
});

it('lets each body name its own event', () => {
  const [paid] = contractWith('$request.body#/type', { body: typed }).events;
  expect([paid.validate({ type: 'order.paid' }), paid.validate({ type: 'order.sent' })]).toEqual([true, false]);
});

it('takes it for one event where its own name is among them', () => {
  const { events } = contractWith('$request.body#/type', { body: typed, name: 'order.sent' });
  expect(events.map(({ name }) => name)).toEqual(['order.sent']);
});
