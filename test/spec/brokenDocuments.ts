import type { Breakage } from './breakage.ts';
import { broken, libraryContract } from './libraryContract.ts';

const note = `Number: { type: integer, minimum: 1 }`;
const catalogue = (names: string) => ({
  ...broken('openapi', '    Number: {', `    Names: { type: string, enum: [${names}] }\n    Number: {`),
  contract: broken('contract', 'what~1happened }', `what~1happened, catalogue: '#/components/schemas/Names' }`)
    .contract,
});

/** Documents in which one place is broken. */
export const brokenDocuments: readonly Breakage[] = [
  {
    title: 'broken YAML',
    texts: broken('openapi', 'info: {', 'info: {{'),
    code: 'contract/unreadable',
    names: 'the OpenAPI document',
  },
  {
    title: 'a key that stands there twice',
    texts: broken('openapi', '  returned:', '  lent:'),
    code: 'contract/unreadable',
    names: 'duplicated',
  },
  {
    title: 'an empty text',
    texts: { ...libraryContract, requirements: '' },
    code: 'contract/unreadable',
    names: 'requirements.yaml holds nothing',
  },
  {
    title: 'OpenAPI 3.0',
    texts: broken('openapi', '3.1.0', '3.0.3'),
    code: 'contract/openapi-version',
    names: '"3.0.3"',
  },
  {
    title: 'a document without a version of its own',
    texts: broken('openapi', `, version: '1'`, ''),
    code: 'contract/openapi-version',
    names: 'info.version',
  },
  {
    title: 'no event',
    texts: broken('contract', 'event: { at: $request.body#/what~1happened }', 'x-event: none'),
    code: 'contract/form',
    names: 'lacks event',
  },
  {
    title: 'retries that are no number',
    texts: broken('contract', 'retries: 3', 'retries: some'),
    code: 'contract/form',
    names: '/retries is "some"',
  },
  {
    title: 'a member that nobody knows',
    texts: broken('contract', 'retries: 3', 'retrys: 3'),
    code: 'contract/form',
    names: 'did you mean "retries"',
  },
  {
    title: 'a place that is no runtime expression',
    texts: broken('contract', '$request.body#/number', '/number'),
    code: 'contract/form',
    names: '/id/at is "/number"',
  },
  {
    title: 'a catalogue without names',
    texts: {
      ...libraryContract,
      contract: broken('contract', 'what~1happened }', `what~1happened, catalogue: '#/components/schemas/Number' }`)
        .contract,
    },
    code: 'contract/delivery',
    names: 'catalogue',
  },
  {
    title: 'a service without the operation that creates a webhook',
    texts: broken('contract', 'retries: 3', 'retries: 3\nservice: { authorization: { header: Key } }'),
    code: 'contract/form',
    names: '/service lacks operations',
  },
  {
    title: 'a service whose pointer is none',
    texts: broken(
      'contract',
      'retries: 3',
      'retries: 3\nservice: { authorization: { header: Key }, operations: { create: a }, webhook: { wrapper: data, members: { id: /id, url: /url, events: /events } } }',
    ),
    code: 'contract/form',
    names: '/service/webhook/wrapper',
  },
  {
    title: 'a service that calls two things that a client sets alike',
    texts: broken(
      'contract',
      'retries: 3',
      'retries: 3\nservice: { authorization: { header: Key }, operations: { create: listLoans }, webhook: { members: { id: /id, url: /url, events: /more/url } } }',
    ),
    code: 'contract/service',
    names: '/service/webhook/members/events',
  },
  {
    title: 'a $ref to nothing',
    texts: broken(
      'openapi',
      `number: { $ref: '#/components/schemas/Number' }`,
      `number: { $ref: '#/components/schemas/Numbr' }`,
    ),
    code: 'contract/unresolvable-reference',
    names: '#/components/schemas/Numbr',
  },
  {
    title: 'a $ref into another document',
    texts: broken('openapi', note, `Number: { $ref: 'https://schemas.example/number' }`),
    code: 'contract/unresolvable-reference',
    names: 'https://schemas.example/number',
  },
  {
    title: 'a $ref that leads back to itself',
    texts: broken(
      'openapi',
      note,
      `Number: { type: object, properties: { next: { $ref: '#/components/schemas/Number' } } }`,
    ),
    code: 'contract/recursive-reference',
    names: '#/components/schemas/Number ->',
  },
  {
    title: 'an unknown keyword',
    texts: broken('openapi', note, 'Number: { type: integer, minimun: 1 }'),
    code: 'contract/unknown-keyword',
    names: '"minimun"',
  },
  {
    title: 'an undeclared extension',
    texts: broken('openapi', note, 'Number: { type: integer, x-unit: pieces }'),
    code: 'contract/unknown-keyword',
    names: '"x-unit"',
  },
  {
    title: 'an unknown keyword in a schema that only one event uses',
    texts: broken('openapi', 'number: { type: integer }, what', 'number: { typ: integer }, what'),
    code: 'contract/unknown-keyword',
    names: '#/webhooks/returned',
  },
  {
    title: 'an unknown keyword in a parameter',
    texts: broken('openapi', 'in: query, schema: { type: integer }', 'in: query, schema: { typ: integer }'),
    code: 'contract/unknown-keyword',
    names: '#/paths/~1loans/get/parameters/0/schema',
  },
  {
    title: 'an unknown keyword in a response that nothing refers to',
    texts: broken(
      'openapi',
      '    Loans:\n',
      '    Spare: { description: Unused, content: { a/b: { schema: { typ: string } } } }\n    Loans:\n',
    ),
    code: 'contract/unknown-keyword',
    names: '#/components/responses/Spare/content/a~1b/schema',
  },
  {
    title: 'a keyword with a value that makes no sense',
    texts: broken('openapi', note, 'Number: { type: integer, minimum: one }'),
    code: 'contract/schema',
    names: '#/components/schemas/Number',
  },
  {
    title: 'a type that does not exist',
    texts: broken('openapi', note, 'Number: { type: whole }'),
    code: 'contract/schema',
    names: '#/components/schemas/Number',
  },
  {
    title: 'a format that does not exist',
    texts: broken('openapi', note, 'Number: { type: string, format: isbn }'),
    code: 'contract/schema',
    names: 'isbn',
  },
  {
    title: 'a pattern that is no regular expression',
    texts: broken('openapi', note, `Number: { type: string, pattern: '(' }`),
    code: 'contract/schema',
    names: '#/components/schemas/Number',
  },
  {
    title: 'a schema that is no schema',
    texts: broken('openapi', note, 'Number: integer'),
    code: 'contract/schema',
    names: '#/components/schemas/Number',
  },
  {
    title: 'a keyword for another type than the schema takes',
    texts: broken('openapi', note, 'Number: { type: integer, minLength: 1 }'),
    code: 'contract/schema',
    names: 'minLength',
  },
  {
    title: 'an event without a schema',
    texts: broken(
      'openapi',
      'application/loan+json:\n            schema:\n              allOf',
      'text/plain:\n            schema:\n              allOf',
    ),
    code: 'contract/event-without-schema',
    names: 'lent',
  },
  {
    title: 'an event of the catalogue without an entry',
    texts: catalogue('lent, returned, lost'),
    code: 'contract/event-without-schema',
    names: 'lost',
  },
  {
    title: 'an entry for an event that the catalogue does not list',
    texts: catalogue('lent'),
    code: 'contract/event-unknown',
    names: 'returned',
  },
  {
    title: 'an entry that names no event',
    texts: broken('openapi', '{ const: returned }', '{ type: string }'),
    code: 'contract/event-unknown',
    names: '/what~1happened',
  },
  {
    title: 'two entries for one event',
    texts: broken('openapi', '{ const: returned }', '{ const: lent }'),
    code: 'contract/event-duplicate',
    names: 'lent',
  },
  {
    title: 'two entries with one operationId',
    texts: broken('openapi', 'operationId: onReturned', 'operationId: onLent'),
    code: 'contract/event-duplicate',
    names: 'onLent',
  },
  {
    title: 'an entry without a group',
    texts: broken('openapi', 'tags: [Loans]', 'tags: []'),
    code: 'contract/event',
    names: 'lent',
  },
  {
    title: 'an entry with another method',
    texts: broken('openapi', 'returned:\n    put:', 'returned:\n    post:'),
    code: 'contract/event',
    names: 'PUT',
  },
  {
    title: 'an entry that declares a class of statuses',
    texts: broken('openapi', `'200': { description: Read. }`, `2XX: { description: Read. }`),
    code: 'contract/event',
    names: '2XX',
  },
  {
    title: 'entries that declare different statuses',
    texts: broken('openapi', `'200': { description: Read. }`, `'201': { description: Read. }`),
    code: 'contract/event',
    names: 'returned',
  },
  {
    title: 'an entry without x-included',
    texts: broken('openapi', 'x-included: []', 'x-includes: []'),
    code: 'contract/included',
    names: 'returned',
  },
  {
    title: 'a resource whose type is open',
    texts: broken('openapi', 'type: { const: book }', 'type: { type: string }'),
    code: 'contract/included',
    names: 'lent',
  },
  {
    title: 'a resource that comes along at most once and at least twice',
    texts: broken('openapi', 'least: 1, most: 2', 'least: 2, most: 1'),
    code: 'contract/included',
    names: 'from 2 to 1',
  },
  {
    title: 'an operation without an operationId',
    texts: broken('openapi', '      operationId: listLoans\n', ''),
    code: 'contract/operation',
    names: 'GET /loans',
  },
  {
    title: 'a mark for a gap that is not listed',
    texts: broken('openapi', 'x-gap: OPEN-1', 'x-gap: OPEN-2'),
    code: 'contract/gap-unknown',
    names: 'OPEN-2',
  },
];
