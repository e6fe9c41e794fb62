import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { runCli } from '../../runCli.ts';
import { parcels } from './parcels.ts';

let cwd: string;

beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'seaworthy-init-'));
  await writeFile(join(cwd, 'parcels.yaml'), parcels);
});

afterAll(() => rm(cwd, { recursive: true }));

const cli = (...words: string[]) => runCli(words, { cwd });

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

describe('seaworthy contract init', () => {
  it('drafts a contract, and says of each guess why', async () => {
    const { code, stdout, stderr } = await cli('contract', 'init', 'parcels.yaml');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatchInlineSnapshot(`
      "# A draft by seaworthy contract init. Look at every line with "guessed" and every one that is commented out, then run:
      #   seaworthy contract check <this file>
      contract: 1
      title: Parcel Post
      # source: https://...   # where the provider promises all this; reports cite it
      openapi: ./parcels.yaml
      # guessed: each of 2 bodies has a text of its own there (parcel.sent)
      event: { at: $request.body#/type }
      # guessed: a text of this name stands in most bodies; it has to be the same when a delivery is repeated, and another in every other delivery
      id: { at: $request.body#/id, form: 'ntf_[a-z0-9]{20}' }
      # guessed: a date-time of this name stands in most bodies
      createdAt: { at: $request.body#/created_at, form: rfc3339 }
      # guessed: the responses of the document; many providers accept any status of 2XX
      accepts: [200]
      # How often a delivery is tried again after the first attempt, and how long an answer may take: the document does not say.
      # guessed: unknown; checks of retries do not run until you write the number
      retries: 0
      # timeout: 10s
      # guessed: the header is named like a signature; compare what is signed, the key and the encoding with the provider's documentation
      signature:
        signed: '{timestamp}.{body}'
        headers:
          Parcel-Signature: 't={timestamp},v1={digest}'
      # Operations by which webhooks seem to be registered. To test the service itself (seaworthy service), complete this block
      # as docs/contract-form.md describes it, and take the comment signs away:
      # service:
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

  it('takes event, id and signature from headers that are named like them', async () => {
    const header = (name: string, schema: object) => ({ name, in: 'header', schema });
    const post = {
      parameters: [
        header('X-Shop-Topic', { type: 'string' }),
        header('X-Shop-Delivery', { type: 'string', format: 'uuid' }),
        header('X-Shop-Hook-Id', { type: 'string' }),
        header('X-Shop-Signature', { type: 'string' }),
        header('X-Shop-Signature-256', { type: 'string' }),
        header('X-Shop-Timestamp', { type: 'string' }),
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
    expect(draft).toContain("    X-Shop-Signature-256: 'sha256={digest}'\n    X-Shop-Timestamp: '{timestamp}'");
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

  it.each([
    ['nothing.yaml', undefined, 'there is no file nothing.yaml'],
    ['swagger.yaml', 'swagger: "2.0"', 'swagger.yaml has the version "2.0"'],
    ['own.yaml', 'contract: 1', 'own.yaml is a contract.yaml already'],
    ['empty.yaml', 'openapi: 3.1.1', 'empty.yaml describes no webhooks'],
    ['broken.yaml', 'a: [', 'broken.yaml: openapi.yaml is not readable YAML'],
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
