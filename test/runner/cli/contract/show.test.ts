import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { describe, expect, it } from 'vitest';

import { loadContract } from '../../../../spec/contract.ts';
import { shippedTexts } from '../../../../spec/contractFiles.ts';
import { shippedContracts } from '../../../../spec/shippedContracts.ts';
import { verifySignature } from '../../../../spec/signature.ts';
import { blocks, root } from '../../../docs/documents.ts';
import { program } from '../../../programs.ts';
import { runHere } from '../../runHere.ts';
import { startServer } from './startServer.ts';

/** What the example in the docs needs beside curl. */
const hasJq = spawnSync('jq', ['--version']).status === 0;

const cli = (...words: string[]) => runHere(words, root);

/** No value is both. */
const impossible = `contract: 1
title: Till
event: { at: $request.header.X-Event }
id: { at: $request.header.X-Id }
events: { sale: { type: object, required: [a], properties: { a: { allOf: [{ const: x }, { const: y }] } } } }
`;

interface Line {
  readonly event: string;
  readonly id: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

async function lines(...words: string[]): Promise<readonly Line[]> {
  const { code, stdout, stderr } = await cli('contract', 'show', ...words, '--ndjson');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
}

describe('seaworthy contract show', () => {
  it.each(shippedContracts.filter((name) => name !== 'github'))(
    'prints valid, signed deliveries of %s',
    async (name) => {
      const contract = loadContract(shippedTexts(name), { name });
      const secret = 'whsec_c2VjcmV0';
      const shown = await lines(name, '--event', '*', '--secret', secret);
      expect(shown.map(({ event }) => event)).toEqual(contract.events.map((event) => event.name));
      for (const { event, headers, body } of shown) {
        expect(contract.events.find((each) => each.name === event)?.validate(JSON.parse(body))).toBe(true);
        const lookup = (wanted: string) =>
          Object.entries(headers).find(([each]) => each.toLowerCase() === wanted.toLowerCase())?.[1];
        const { signature } = contract.delivery;
        expect(signature && verifySignature(signature, '', lookup, { secret, body: Buffer.from(body) })).toBe(true);
      }
    },
  );

  it('prints the same bodies and ids for the same seed, and as many as it is asked for', async () => {
    const again = () => lines('slack', '--event', 'message', '--count', '5', '--seed', '7', '--secret', 's');
    const timeless = (shown: readonly Line[]) =>
      shown.map(({ id, body }) => [id, body.replace(/"event_time":\d+/, '')]);
    const first = await again();
    expect(first).toHaveLength(5);
    expect(new Set(first.map(({ id }) => id)).size).toBe(5);
    expect(timeless(await again())).toEqual(timeless(first));
  });

  it('prints one delivery to read, and says where it is not signed', async () => {
    const { code, stdout, stderr } = await cli('contract', 'show', 'shopify', '--event', 'products/delete');
    expect({ code, stderr }).toEqual({ code: 0, stderr: 'Not signed: no --secret was given.\n' });
    expect(stdout).toMatch(
      /^POST {2}products\/delete\nContent-Type: application\/json\n[^]*\n\n\{\n {2}"id": \d+\n\}\n$/,
    );
    expect(stdout).not.toContain('Hmac');
  });

  it('says where the secret is no key as the contract has it, and signs with its text', async () => {
    const shown = ['contract', 'show', 'standard-webhooks', '--secret', 'whsec_not base64'];
    const { code, stdout, stderr } = await cli(...shown);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr:
        'By the contract the secret is a key in base64 (with its padding), and what was given is not, so its text was the key.\n',
    });
    expect(stdout).toMatch(/^webhook-signature: v1,/im);
  });

  it('calls events of GitHub in the header as GitHub does, with the document of an installed package', async () => {
    const shown = await lines('github', '--event', 'issues-*ed', '--secret', 's');
    expect(shown.length).toBeGreaterThan(5);
    expect(new Set(shown.map(({ headers }) => headers['X-GitHub-Event']))).toEqual(new Set(['issues']));
    for (const { id, headers } of shown) expect(headers['X-GitHub-Delivery']).toBe(id);
  });

  it('names the nearest event', async () => {
    const { code, stderr } = await cli('contract', 'show', 'stripe', '--event', 'invoice.payed');
    expect(code).toBe(2);
    expect(stderr).toMatch(/^seaworthy: the contract has no event "invoice.payed"\n/);
    expect(stderr).toContain('did you mean "invoice.paid"?');
  });

  it('says how to list the events of this contract where none is near', async () => {
    const { stderr } = await cli('contract', 'show', 'stripe', '--event', 'teapot');
    expect(stderr).toContain('contract check stripe --json lists all events');
  });

  it('says of which event no delivery can be made', async ({ onTestFinished }) => {
    const cwd = await mkdtemp(join(tmpdir(), 'seaworthy-show-'));
    onTestFinished(() => rm(cwd, { recursive: true }));
    await writeFile(join(cwd, 'contract.yaml'), impossible);
    const { code, stderr } = await runHere(['contract', 'show', join(cwd, 'contract.yaml')], cwd);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('no delivery of sale can be made') });
  });

  it.skipIf(!hasJq)('feeds curl as docs/contracts.md shows it', async ({ onTestFinished }) => {
    const cwd = await mkdtemp(join(tmpdir(), 'seaworthy-show-'));
    onTestFinished(() => rm(cwd, { recursive: true }));
    await using server = await startServer();
    const [block = ''] = blocks('docs/contracts.md', 'sh').filter((each) => each.includes('--ndjson'));
    const script = block
      .replace('npm run -s seaworthy --', `'${process.execPath}' '${program('seaworthy')}'`)
      .replaceAll('http://localhost:3000/hooks', server.url);
    expect(script).toContain(server.url);
    const child = spawn('sh', ['-eu', '-c', script], { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    const [[code], errors] = await Promise.all([once(child, 'close'), text(child.stderr), text(child.stdout)]);
    expect({ code, errors }).toEqual({ code: 0, errors: '' });
    const { signature } = loadContract(shippedTexts('stripe')).delivery;
    expect(server.requests.length).toBeGreaterThan(1);
    for (const { headers, body } of server.requests) {
      const lookup = (name: string) => headers[name.toLowerCase()]?.toString();
      expect(signature && verifySignature(signature, '', lookup, { secret: 'whsec_only_for_trying', body })).toBe(true);
    }
  });
});
