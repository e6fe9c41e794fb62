import { expect, it } from 'vitest';

import { creationBody, secretGiven, updateBody, webhookMember } from '../../../runner/service/webhookBody.ts';
import { loadContract } from '../../../spec/contract.ts';

const answered = '{ "200": { description: Done } }';
const needed = 'required: [config, types, version]';

/** The url stands in an object of its own, and answers hold the resource in another one; the document refers to itself. */
const contractWith = (updated: string) =>
  loadContract({
    contract: `
contract: 1
title: Trains
openapi: ./openapi.yaml
event: { at: $request.body#/type }
events: { train.left: true }
service:
  authorization: { header: X-Key }
  operations: { create: add, update: change }
  webhook: { answer: /data, members: { id: /id, url: /config/url, active: /live, events: /types } }
`,
    openapi: `
openapi: 3.0.3
info: { title: Trains, version: '1' }
paths:
  /hooks:
    post:
      operationId: add
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Hook' } } } }
      responses: ${answered}
  /hooks/{id}:
    put:
      operationId: change
      requestBody: { content: { application/json: { schema: { allOf: [{ $ref: '#/components/schemas/Hook' }, { ${updated} }] } } } }
      responses: ${answered}
components:
  schemas:
    Tree: { type: object, properties: { inner: { $ref: '#/components/schemas/Tree' } } }
    Hook:
      type: object
      properties:
        config:
          { type: object, required: [url, form], properties: { url: { type: string }, form: { enum: [json, xml] } } }
        types: { type: array, items: { type: string } }
        live: { type: boolean }
        version: { type: integer, nullable: true }
`,
  });

const set = { url: 'http://a.example/', types: ['train.left'] };

it('puts each member of a webhook where it stands, with what the objects that hold them need', () => {
  const contract = contractWith('');
  const planned = { contract, terms: contract.service! };
  expect(creationBody(planned, set)).toEqual({
    config: { url: set.url, form: 'json' },
    types: set.types,
  });
  expect(updateBody(planned, 'a', { attributes: { live: false }, set: { whole: set }, isAll: false })).toEqual({
    live: false,
  });
});

it('sends back as it is what else an update has to hold, such as a version', () => {
  const contract = contractWith(needed);
  const planned = { contract, terms: contract.service! };
  const shown = { id: 'a', config: { url: set.url, form: 'xml' }, version: 7 };
  expect(updateBody(planned, 'a', { attributes: { live: false }, set: { whole: set }, isAll: false, shown })).toEqual({
    config: { url: set.url, form: 'xml' },
    types: set.types,
    live: false,
    version: 7,
  });
});

it('reads the members where answers hold them', () => {
  const { service } = contractWith('');
  expect(webhookMember(service!, { data: { id: 'a', config: { url: set.url } } }, 'url')).toBe(set.url);
});

it('writes and reads a flag that says the contrary as the contract has it, and leaves other states as they are', () => {
  const contract = contractWith('');
  const { webhook } = contract.service!;
  const terms = { ...contract.service!, webhook: { ...webhook, states: { active: false, inactive: true } } };
  expect(creationBody({ contract, terms }, { ...set, live: true })).toMatchObject({ live: false });
  const change = { attributes: { live: false }, set: { whole: set }, isAll: false };
  expect(updateBody({ contract, terms }, 'a', change)).toEqual({ live: true });
  const read = [true, false, 'lost'].map((live) => webhookMember(terms, { data: { live } }, 'active'));
  expect(read).toEqual([false, true, 'lost']);
});

/** A creation takes the secret in an object of its own, with this schema. */
const signedWith = (secret: string) => {
  const signing = `{ type: object, required: [secret, form], properties: { form: { enum: [hex] }, secret: ${secret} } }`;
  const schema = `{ type: object, properties: { url: { type: string }, types: { type: array }, signing: ${signing} } }`;
  const body = `{ content: { application/json: { schema: ${schema} } } }`;
  const contract = loadContract({
    contract: `
contract: 1
openapi: ./openapi.yaml
event: { at: $request.body#/type }
events: { train.left: true }
signature: { headers: { X-Signature: '{digest}' } }
service:
  authorization: { header: X-Key }
  operations: { create: add, update: change }
  webhook: { members: { id: /id, url: /url, events: /types, secret: /signing/secret } }
`,
    openapi: `
openapi: 3.1.0
info: { title: Trains, version: '1' }
paths:
  /hooks: { post: { operationId: add, requestBody: ${body}, responses: ${answered} } }
  /hooks/{id}: { put: { operationId: change, requestBody: ${body}, responses: ${answered} } }
`,
  });
  return { contract, terms: contract.service! };
};

it.each([
  ['{ type: string }', /^[0-9a-f]{48}$/],
  ['{ type: string, minLength: 61 }', /^[0-9a-f]{61}$/],
  ['{ type: string, maxLength: 32 }', /^[0-9a-f]{32}$/],
  ["{ type: string, pattern: '^[A-Z]{9}$' }", /^[A-Z]{9}$/],
])('makes a secret that its schema takes, with what stands beside it: %s', (schema, form) => {
  const planned = signedWith(schema);
  const { signing } = creationBody(planned, set) as { signing: object };
  expect(signing).toEqual({ form: 'hex', secret: expect.stringMatching(form) as string });
});

it('sends another secret where the first one stands, and the first one where nothing else is said', () => {
  const planned = signedWith('{ type: string }');
  const update = (attributes: object) =>
    updateBody(planned, 'a', {
      attributes: attributes as never,
      set: { whole: { ...set, ...attributes }, secret: 'first' },
      isAll: true,
    });
  const signing = { form: 'hex', secret: 'second' };
  expect(update({ secret: 'second' })).toEqual({ ...set, signing });
  expect(update({ url: 'http://b.example/' })).toMatchObject({ signing: { ...signing, secret: 'first' } });
});

it.each([
  ['\uFEFF{ "signing": { "secret": "s" } }', 's'],
  ['no JSON', undefined],
])('reads the secret that a call gave, whatever the service took: %s', (text, secret) => {
  const request = { body: Buffer.from(text) };
  expect(secretGiven(signedWith('{ type: string }'), { request } as never)).toBe(secret);
});
