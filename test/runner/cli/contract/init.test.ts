import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { draftOf } from '../../../../runner/cli/contract/init/draft.ts';
import { openedDocument } from '../../../../runner/cli/contract/init/openedDocument.ts';
import { parseYaml } from '../../../../spec/parseYaml.ts';
import { runHere } from '../../runHere.ts';
import { parcels } from './parcels.ts';

const here = process.cwd();
let cwd: string;

beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'seaworthy-init-'));
  process.chdir(cwd);
  await writeFile(join(cwd, 'parcels.yaml'), parcels);
});

afterAll(() => {
  process.chdir(here);
  return rm(cwd, { recursive: true });
});

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const text = { type: 'string' };
const events = { type: 'array', items: text };

const form = { requestBody: { content: { 'application/x-www-form-urlencoded': { schema: { type: 'object' } } } } };

/** The paths of an API with these callbacks. */
function callbacksOf(operations: Readonly<Record<string, object>>) {
  const callbacks = Object.entries(operations).map(([name, post]) => [name, { '{$url}': { post } }]);
  return { '/hooks': { post: { callbacks: Object.fromEntries(callbacks) } } };
}

interface Service {
  readonly operations: Readonly<Record<string, string>>;
  readonly authorization: object;
  readonly webhook: object;
  readonly sample: object;
  readonly notification: { readonly statuses: object };
}

async function serviceOf(file: string): Promise<Service> {
  const { service } = parseYaml(await readFile(file, 'utf8')) as { readonly service: Service };
  return service;
}

const cli = (...words: string[]) => runHere(words, cwd);

/** Drafts a contract of this document, and gives the draft and what contract check makes of it. */
async function drafted(name: string, document: object) {
  await writeFile(join(cwd, `${name}.json`), JSON.stringify(document));
  const { code, stderr } = await cli('contract', 'init', `${name}.json`, '-o', `${name}.contract.yaml`);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const checked = await cli('contract', 'check', `${name}.contract.yaml`, '--json');
  expect(checked).toMatchObject({ code: 0, stderr: '' });
  const understood = JSON.parse(checked.stdout) as {
    samples: object;
    events: string[];
    places: object;
    signature?: object;
  };
  return { draft: await readFile(join(cwd, `${name}.contract.yaml`), 'utf8'), understood };
}

/** Its lines without what explains them. */
function linesOf(draft: string): readonly string[] {
  return draft.split('\n').map((line) => line.replace(/ +#.*/, '').trim());
}

describe('seaworthy contract init', () => {
  it('drafts a contract, and says of each guess why', async () => {
    const { code, stdout, stderr } = await cli('contract', 'init', 'parcels.yaml');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatchInlineSnapshot(`
      "# A draft by seaworthy contract init. Look at every line with "guessed" and every one that is commented out, then run:
      #   seaworthy contract check <this file>
      contract: 1
      title: Parcel Post
      # source: https://...   # where the provider promises all this; reports name it
      openapi: ./parcels.yaml
      # guessed: every body has a text of its own there (parcel.sent)
      event: { at: $request.body#/type }
      # guessed: a text of this name stands in most bodies; it has to be the same when a delivery is repeated, and another in every other delivery
      id: { at: $request.body#/id, form: 'ntf_[a-z0-9]{20}' }
      # guessed: a date-time of this name stands in most bodies
      createdAt: { at: $request.body#/created_at, form: rfc3339 }
      # guessed: the responses of the document; many providers accept any status of 2XX
      accepts: [200]
      # How often a delivery is tried again after the first attempt, and how long an answer may take: the document does not say.
      # Checks of retries do not run until you write the number.
      # retries: 5
      # timeout: 10s
      # guessed: the header is named like a signature; compare what is signed, the key and the encoding with the provider's documentation
      signature:
        signed: '{timestamp}.{body}'
        headers:
          Parcel-Signature: 't={timestamp},v1={digest}'
      # The API by which webhooks seem to be registered. To test the service itself (seaworthy service), complete this block
      # as docs/contract-form.md of the package describes it, and take the comment signs away. Not used: no URL in the body of POST /hooks, no list of events in the body of POST /hooks, no id in the answer to POST /hooks.
      # service:
      #   authorization:
      #     header: Authorization   # guessed: the document does not say how a call carries its key; this is the usual way
      #     scheme: Bearer   # guessed: the document does not say how a call carries its key; this is the usual way
      #   operations:
      #     create: createHook   # guessed: POST /hooks
      #     list: listHooks   # guessed: GET /hooks
      #     update: replaceHook   # guessed: PUT /hooks/{id}
      #     delete: removeHook   # guessed: DELETE /hooks/{id}
      "
    `);
  });

  it('drafts what contract check takes, and overwrites nothing', async () => {
    const first = await cli('contract', 'init', 'parcels.yaml', '--output', 'contract.yaml');
    expect(first).toMatchObject({ code: 0, stderr: '' });
    const draft = await readFile(join(cwd, 'contract.yaml'), 'utf8');
    expect(first.stdout).toContain(`contract.yaml: 2 webhooks, ${draft.match(/# guessed: /g)?.length} guesses`);
    expect(await cli('contract', 'check', 'contract.yaml')).toMatchObject({ code: 0, stderr: '' });
    const again = await cli('contract', 'init', 'parcels.yaml', '-o', 'contract.yaml');
    expect(again.code).toBe(2);
    expect(again.stderr).toContain('contract.yaml is there already, and is not overwritten');
    expect(await readFile(join(cwd, 'contract.yaml'), 'utf8')).toBe(draft);
  });

  it('finds what lies further in, and the parts of a header', async () => {
    const text = { type: 'string' };
    const delivery = {
      type: 'object',
      properties: { id: text, kind: text, sent_at: { type: 'integer', description: 'Milliseconds since 1970' } },
    };
    const header = { type: 'object', properties: { delivery } };
    const egg = { type: 'object', properties: { id: text, created_at: { type: 'string', format: 'date-time' } } };
    const description = 'For example `ts=1700000000;h1=5257a869e7`, the HMAC-SHA256 of `{ts}:{raw body}`.';
    const post = {
      parameters: [{ name: 'Nest-Signature', in: 'header', description, schema: text }],
      requestBody: { content: { 'application/json': { schema: { type: 'object', properties: { egg, header } } } } },
    };
    const document = { openapi: '3.1.0', info: { title: 'Nest', version: '1' }, webhooks: { 'egg.laid': { post } } };
    await writeFile(join(cwd, 'nest.json'), JSON.stringify(document));
    expect(draftOf(openedDocument('nest.json', cwd), './nest.json')).toMatchObject({
      event: { value: { at: '$request.body#/header/delivery/kind' } },
      id: { value: { at: '$request.body#/header/delivery/id' } },
      createdAt: { value: { at: '$request.body#/header/delivery/sent_at', form: 'unixMilliseconds' } },
      signature: {
        value: { signed: '{timestamp}:{body}', headers: { 'Nest-Signature': 'ts={timestamp};h1={digest}' } },
      },
    });
  });

  it('takes event, id and signature from headers that are named like them', async () => {
    const header = (name: string, schema: object) => ({ name, in: 'header', schema });
    const post = {
      parameters: [
        header('X-Shop-Topic', { type: 'string' }),
        header('X-Shop-Delivery', { type: 'string', format: 'uuid' }),
        header('X-Shop-Hook-Id', { type: 'string' }),
        header('X-Shop-Signature', { type: 'string' }),
        header('X-Shop-Signature-256', { type: 'string' }),
        header('X-Shop-Time', { type: 'string' }),
        { ...header('X-Shop-Plan', { type: 'string', const: 'basic' }), required: true },
        { ...header('X-Shop-Owner', { type: 'string' }), required: true },
      ],
      requestBody: { content: { 'application/json': { schema: { type: 'object' } } } },
    };
    const topic = (subject: string) => ({ post: { ...post, 'x-shop': { stability: 'beta', subject } } });
    const webhooks = { 'order/paid': topic('order'), 'basket/left': topic('basket') };
    const { draft, understood } = await drafted('shop', {
      openapi: '3.1.0',
      info: { title: 'Shop', version: '1' },
      webhooks,
    });
    expect(understood).toMatchObject({
      events: ['order/paid', 'basket/left'],
      places: {
        event: { at: '$request.header.X-Shop-Topic' },
        id: { at: '$request.header.X-Shop-Delivery', form: 'uuid' },
      },
      signature: { signed: '{timestamp}.{body}' },
    });
    expect(draft).toContain('event: { at: $request.header.X-Shop-Topic, value: /x-shop/subject }');
    expect(draft).toContain("    X-Shop-Signature-256: 'sha256={digest}'\n    X-Shop-Time: '{timestamp}'");
    expect(draft).toContain(
      "\nheaders:\n  X-Shop-Plan: 'basic'\n#   X-Shop-Owner: '...'   # the document shows no value\n",
    );
  });

  it.each([
    ['reference/press', 30, []],
    ['spec/contracts/tracking', 38, ['track', 'tracked', 'infer', 'records', 'units']],
  ])('drafts the service of %s as its own contract has it', async (folder, guesses, beyond) => {
    const own = join(root, folder);
    const name = `${folder.replaceAll('/', '-')}.yaml`;
    const first = await cli('contract', 'init', join(own, 'openapi.yaml'), '-o', name);
    expect(first).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringContaining(`${guesses} guesses`) as string,
    });
    expect(await cli('contract', 'check', name)).toMatchObject({ code: 0, stderr: '' });
    const [drafted, right] = await Promise.all([join(cwd, name), join(own, 'contract.yaml')].map(serviceOf));
    // What only people know: what the words of its trade mean.
    expect(drafted!.operations).toEqual(
      Object.fromEntries(Object.entries(right!.operations).filter(([role]) => !beyond.includes(role))),
    );
    for (const part of ['authorization', 'webhook', 'sample'] as const) expect(drafted![part]).toEqual(right![part]);
    expect(drafted!.notification.statuses).toEqual(right!.notification.statuses);
  });

  it.each<readonly [string, string, object, object, string]>([
    [
      'whose path has parameters',
      '/orgs/{org}/hooks',
      { url: text, events },
      { id: text },
      'no value for org in parameters',
    ],
    [
      'that takes no list of events',
      '/webhook_endpoints',
      { url: text },
      { id: text },
      'no list of events in the body of POST /webhook_endpoints',
    ],
    ['that answers without an id', '/hooks', { url: text, events }, {}, 'no id in the answer to POST /hooks'],
    [
      'that does not load',
      '/hooks',
      { url: text, events, lost: { $ref: '#/components/schemas/Lost' } },
      { id: text },
      'leads nowhere',
    ],
  ])('comments the service out, with the reason, for an operation %s', async (which, path, sent, answered, why) => {
    const body = (properties: object) => ({
      content: { 'application/json': { schema: { type: 'object', properties } } },
    });
    const post = {
      operationId: 'addHook',
      requestBody: body(sent),
      responses: { 201: { description: 'added', ...body(answered) } },
    };
    // Customers subscribe to plans as well, and that is no webhook.
    const subscribe = { ...post, operationId: 'subscribe', requestBody: body({ plan: text }) };
    const { draft } = await drafted(which.replaceAll(' ', '-'), {
      openapi: '3.1.0',
      info: { title: 'Notes', version: '1' },
      webhooks: { note: { post: { requestBody: body({ type: { const: 'note' } }) } } },
      paths: { '/subscriptions': { post: subscribe }, [path]: { post } },
    });
    expect(draft).toContain('# service:\n#   authorization:');
    expect(draft).toContain('#     create: addHook');
    expect(draft).toMatch(new RegExp(`Not used: .*${why}`));
  });

  it('names the operations that it cannot use', async () => {
    const ping = { operationId: 'pingHook', responses: { 204: { description: 'sent' } } };
    const document = parseYaml(await readFile(join(root, 'reference/press/openapi.yaml'), 'utf8')) as { paths: object };
    const paths = Object.fromEntries(Object.entries(document.paths).filter(([path]) => path.startsWith('/hooks')));
    const { draft } = await drafted('press-with-ping', {
      ...document,
      paths: { ...paths, '/hooks/{hook}/ping': { post: ping } },
    });
    expect(draft).toContain('#   sample: pingHook   # left out: its body names no URL and event');
    expect(draft).not.toContain('notification:');
  });

  it('finds ids of webhooks that are whole numbers, and named as the path to one is', async () => {
    const text = await readFile(join(root, 'reference/press/openapi.yaml'), 'utf8');
    const counted = parseYaml(
      text.replace(/id: \{ type: string, pattern: '\^hook[^']*' \}/, 'hook: { type: integer }'),
    );
    const { draft } = await drafted('press-that-counts', counted as object);
    expect(draft).toContain('form: integer   # guessed: the form of the id in the answer to POST /hooks');
    expect(draft).toContain('id: /hook   # guessed: in the answer to POST /hooks');
  });

  it('finds in the update what a creation does not take', async () => {
    const text = await readFile(join(root, 'reference/press/openapi.yaml'), 'utf8');
    const switched = text
      .replace(/^ {8}status: .*\n/m, '')
      .replace('required: [status] }', 'properties: { disabled: { type: boolean } } }');
    const { draft } = await drafted('press-that-switches', parseYaml(switched) as object);
    expect(draft).toContain('active: /disabled   # guessed: in the body of PUT /hooks/{hook}');
    expect(draft).toMatch(/states:\n +active: false .*\n +inactive: true /);
    expect(draft).toContain('url: /target   # guessed: in the body of POST /hooks');
  });

  it('finds a resource that answers hold elsewhere, with a url and events that stand apart', async () => {
    const post = (sent: object, answered: object) => ({
      requestBody: { content: { 'application/json': { schema: { properties: sent } } } },
      responses: { 200: { content: { 'application/json': { schema: { properties: answered } } } } },
    });
    const sent = { config: { properties: { url: text } }, event_filters: { type: 'array', items: text } };
    const add = post(sent, { data: { properties: { id: text, ...sent } } });
    const { draft } = await drafted('trains', {
      openapi: '3.1.0',
      info: { title: 'Trains', version: '1' },
      webhooks: { left: { post: post({ type: { const: 'left' } }, {}) } },
      paths: { '/hooks': { post: add }, '/hooks/{id}': { post: add } },
    });
    expect(linesOf(draft)).toEqual(
      expect.arrayContaining([
        "update: 'POST /hooks/{id}'",
        'answer: /data',
        'id: /id',
        'url: /config/url',
        'events: /event_filters',
      ]),
    );
  });

  it('finds names with dashes, an id of a delivery beside that of its attempt, and links of HAL', async () => {
    const body = (properties: object) => ({ content: { 'application/json': { schema: { properties } } } });
    const hook = { url: text, 'event-types': { type: ['array', 'null'], items: text } };
    const shown = { id: text, ...hook, 'signing-key': text, 'created-at': { type: 'string', format: 'date-time' } };
    const attempt = { id: text, 'message-id': text, status: { enum: ['pending', 'ok', 'failed'] } };
    const list = (properties: object) => ({
      responses: {
        200: body({ _embedded: { properties: { items: { type: 'array', items: { properties } } } }, _links: {} }),
      },
    });
    const { draft } = await drafted('dashes', {
      openapi: '3.1.0',
      info: { title: 'Dashes', version: '1' },
      webhooks: { left: { post: { requestBody: body({ type: { const: 'left' }, messageId: text }) } } },
      paths: {
        '/hooks': { get: list(shown), post: { requestBody: body(hook), responses: { 201: body(shown) } } },
        '/deliveries': { get: list(attempt) },
      },
    });
    expect(linesOf(draft)).toEqual(
      expect.arrayContaining([
        'id: { at: $request.body#/messageId }',
        'events: /event-types',
        'secret: /signing-key',
        'createdAt: /created-at',
        'id: /message-id',
        'next: /_links/next',
      ]),
    );
  });

  it('names what calls have to hold in parameters, and comments the service out where it has no value', async () => {
    const body = (properties: object) => ({ content: { 'application/json': { schema: { properties } } } });
    const hook = { url: text, events };
    const parameters = [
      { name: 'shop', in: 'path', required: true },
      { name: 'X-Version', in: 'header', required: true, schema: { enum: ['3', '2'] } },
      { name: 'If-Match', in: 'header', required: true },
    ];
    const { draft } = await drafted('shops', {
      openapi: '3.1.0',
      info: { title: 'Shops', version: '1' },
      webhooks: { left: { post: { requestBody: body({ type: { const: 'left' } }) } } },
      paths: {
        '/shops/{shop}/hooks': {
          parameters,
          post: { requestBody: body(hook), responses: { 201: body({ id: text, ...hook }) } },
        },
      },
    });
    expect(draft).toContain('Not used: no value for shop in parameters.');
    expect(draft).toContain("#   parameters:\n#     X-Version: '3'");
    expect(draft).toContain('#     shop: ...');
    expect(draft).not.toContain('If-Match');
  });

  it('names each event that the one callback lists, and reads parts of a header that a text stands for', async () => {
    const signature = { name: 'X-Signature', in: 'header', description: 't=<unix seconds>,v1=<HMAC of t.body>' };
    const time = { name: 'X-Time', in: 'header', description: 'in milliseconds' };
    const schema = { type: 'array', items: { properties: { type: { enum: ['sold', 'lost'] }, id: text } } };
    const post = { parameters: [signature], requestBody: { content: { 'application/json': { schema } } } };
    const document = { openapi: '3.0.3', info: { title: 'Sales', version: '1' } };
    const callbacks = { sale: { '{$request.body#/url}': { post } } };
    const { draft, understood } = await drafted('sales', { ...document, paths: { '/s': { post: { callbacks } } } });
    expect(understood).toMatchObject({ events: ['sold', 'lost'], samples: { proven: 2, failed: [] } });
    expect(draft).toContain('event: { at: $request.body#/0/type }');
    expect(draft).toContain("X-Signature: 't={timestamp},v1={digest}'");
    const apart = { ...post, parameters: [{ ...signature, description: 'of the body' }, time] };
    const other = { sale: { '{$request.body#/url}': { post: apart } } };
    const counted = await drafted('counted', { ...document, paths: { '/s': { post: { callbacks: other } } } });
    expect(counted.draft).toContain("X-Time: '{timestamp}000'");
    expect(counted.draft).toContain("signed: '{timestamp}000.{body}'");
  });

  it('finds the cursor of a list that is called so itself', async () => {
    const text = await readFile(join(root, 'reference/press/openapi.yaml'), 'utf8');
    const { draft } = await drafted(
      'press-with-cursors',
      parseYaml(text.replaceAll(/\bnext: /g, 'end_cursor: ')) as object,
    );
    expect(draft).toContain('next: /end_cursor   # guessed: GET /hooks');
  });

  it.each([
    ['components', { schemas: { OrderEvent: { type: 'object' }, Order: { type: 'object' } } }, {}],
    [
      'callbacks',
      {},
      {
        '/orders': {
          post: {
            callbacks: {
              OrderEvent: {
                '{$request.body#/url}': {
                  post: { requestBody: { content: { 'application/json': { schema: { type: 'object' } } } } },
                },
              },
            },
          },
        },
      },
    ],
  ])('lists what looks like an event where a document of 3.0 has no webhooks: %s', async (name, components, paths) => {
    const { draft, understood } = await drafted(name, {
      openapi: '3.0.3',
      info: { title: 'Old', version: '1' },
      components,
      paths,
    });
    expect(understood.events).toHaveLength(1);
    expect(understood.samples).toEqual({ proven: 1, failed: [] });
    expect(draft).toContain('# guessed: each is a');
  });

  it('says in the draft which callbacks it left out', async () => {
    const json = { requestBody: { content: { 'application/json': { schema: { type: 'object' } } } } };
    const { draft } = await drafted('mixed', { openapi: '3.0.3', paths: callbacksOf({ sold: form, voided: json }) });
    expect(draft).toContain(
      '# The webhook sold (post /hooks) has a body of application/x-www-form-urlencoded, and only JSON is sent. It is left out.',
    );
  });

  it.each([
    ['nothing.yaml', undefined, 'there is no file nothing.yaml'],
    ['https://a.example/openapi.yaml', undefined, 'nothing is fetched'],
    ['other.yaml', 'a: 1', 'other.yaml names no version of OpenAPI'],
    ['swagger.yaml', 'swagger: "2.0"', 'swagger.yaml has the version "2.0"'],
    ['messages.yaml', 'asyncapi: 3.0.0', 'messages.yaml is an AsyncAPI document'],
    [
      'forms.yaml',
      JSON.stringify({ openapi: '3.0.3', paths: callbacksOf({ sold: form, voided: form }) }),
      'forms.yaml describes no webhooks that can be sent. The webhook sold (post /hooks) has a body of ' +
        'application/x-www-form-urlencoded, and only JSON is sent. It is left out. So is another.',
    ],
    ['own.yaml', 'contract: 1', 'own.yaml is a contract.yaml already'],
    ['empty.yaml', 'openapi: 3.1.1', 'empty.yaml describes no webhooks'],
    ['broken.yaml', 'a: [', 'seaworthy: broken.yaml is not readable YAML'],
  ])('refuses %s', async (file, text, said) => {
    if (text !== undefined) await writeFile(join(cwd, file), text);
    const { code, stdout, stderr } = await cli('contract', 'init', file);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(said);
    expect(stderr).toContain('SW_DOCUMENT_INVALID');
  });

  it('asks for the document where none is given', async () => {
    expect(await cli('contract', 'init')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('SW_ARGUMENT_MISSING') as string,
    });
  });
});
