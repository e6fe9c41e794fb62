import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';

import { type Asked, HandService, type Reply } from './handService.ts';
import { check, hold } from './testOwnService.ts';

let directory: string;
let service: HandService | undefined;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'seaworthy-parameters-'));
});

afterEach(async () => {
  await service?.close();
});

afterAll(() => rm(directory, { recursive: true }));

const json = (schema: string) => `{ content: { application/json: { schema: ${schema} } } }`;
const answered = `responses: { 200: ${json('{ type: object }')} }`;

const document = `
openapi: 3.1.0
info: { title: Shops, version: '1' }
paths:
  /shops/{shop}/hooks:
    parameters:
      - { name: shop, in: path, required: true }
      - { name: version, in: query, required: true, schema: { examples: ['7.1'], enum: ['7.0', '7.1'] } }
      - { name: Accept, in: header, required: true }
      - { name: X-Key, in: header, required: true }
      - { name: Region, in: header, required: true, examples: { first: { value: north } } }
    get: { operationId: list, ${answered} }
    post:
      operationId: add
      parameters: [{ name: Idempotency-Key, in: header, required: true, schema: { format: uuid } }, { name: Team, in: header }]
      requestBody: ${json('{ properties: { url: { type: string }, topics: { type: array } } }')}
      ${answered}
  /shops/{shop}/hooks/{hook}:
    parameters: [{ name: shop, in: path, required: true }, { name: hook, in: path, required: true }]
    get: { operationId: show, ${answered} }
    patch:
      operationId: change
      parameters: [{ name: if-match, in: header, required: true }]
      requestBody: ${json('{}')}
      ${answered}
    delete: { operationId: drop, ${answered} }
`;

const contract = (parameters: string) => `
contract: 1
title: Shops
openapi: ./openapi.yaml
event: { at: $request.body#/type }
id: { at: $request.body#/id }
events: { sold: true }
service:
  authorization: { header: X-Key }
  ${parameters}
  operations: { create: add, list: list, read: show, update: change, delete: drop }
  webhook: { members: { id: /id, url: /url, events: /topics } }
  list: { next: /links/next, cursor: after }
`;

const hooks = ['a', 'b', 'c'].map((id) => ({ id, url: 'http://a.example/', topics: ['sold'] }));

/** The hooks of a shop, one a page; the address of the next one stands in the body, or in the header Link. */
function answer({ method, path, query, body }: Asked, isInHeader = false): Reply {
  if (path.endsWith('/hooks') && method === 'POST') return { status: 200, body: { id: 'a', ...JSON.parse(body) } };
  if (!path.endsWith('/hooks')) return { status: 200, body: hooks[0], headers: { ETag: '"7"' } };
  const at = Number(query.get('after') ?? 0);
  const next = at + 1 < hooks.length ? `/v2/shops/s/hooks?version=7.1&after=${at + 1}` : undefined;
  const data = hooks.slice(at, at + 1);
  // As HAL has it, and JSON:API allows.
  const links = next === undefined ? {} : { next: { href: next } };
  if (!isInHeader) return { status: 200, body: { data, links } };
  const headers = next === undefined ? {} : { Link: `</first>; rel="first", <${next}>; title="a, b"; rel="last next"` };
  return { status: 200, body: data, headers };
}

async function held(name: string, { parameters = 'parameters: { shop: s/1, team: blue }', isInHeader = false }) {
  const file = join(directory, `${name}.yaml`);
  await writeFile(join(directory, 'openapi.yaml'), document);
  await writeFile(file, contract(parameters));
  service = await HandService.start({ answer: (asked) => answer(asked, isInHeader) });
  let items: readonly unknown[] = [];
  const calling = check(
    'calling',
    async (kit) => {
      const webhook = await kit.register({});
      await kit.update(webhook, { url: 'http://b.example/' });
      ({ items } = await kit.list('list' as never));
      return undefined;
    },
    { needs: [], schedule: { kind: 'beside' }, requirements: ['LST-1'] },
  );
  const run = await hold({ url: service.url, token: service.token }, [calling], { contract: file });
  expect(run.check()).toMatchObject({ outcome: 'passed' });
  return items;
}

it('fills in what the contract says of parameters, and what the document requires', async () => {
  await held('filled', {});
  const [added] = service!.callsOf('POST', /hooks$/);
  expect(added!.path).toBe('/shops/s%2F1/hooks');
  expect(added!.query.get('version')).toBe('7.1');
  expect(added!.headers).toMatchObject({ team: 'blue', region: 'north', 'x-key': service!.token });
  const keys = service!.callsOf('POST', /hooks$/).map(({ headers }) => headers['idempotency-key']);
  expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
  expect(new Set(keys).size).toBe(keys.length);
  const [changed] = service!.callsOf('PATCH', /hooks\/a$/);
  expect(changed!.headers['if-match']).toBe('"7"');
});

it('sends what the contract says instead of an ETag', async () => {
  await held('any', { parameters: "parameters: { shop: s, If-Match: '*' }" });
  expect(service!.callsOf('PATCH', /hooks\/a$/)[0]!.headers['if-match']).toBe('*');
});

it.each([false, true])('follows an address that holds the cursor (in the header Link: %s)', async (isInHeader) => {
  expect(await held('pages', { isInHeader })).toEqual(hooks);
});

it.each([
  ['', /operations\/create is "add"; .* no parameter; .*\/service\/parameters can give the others a value/],
  [
    'parameters: { shop: s, Teem: red }',
    /parameters is "Teem"; valid is the name of a parameter .*did you mean "Team"/,
  ],
])('says what of the parameters is missing or unknown: %s', async (parameters, said) => {
  await expect(held('wrong', { parameters })).rejects.toThrow(said);
});
