import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { assume } from '../../../runner/options/assume.ts';
import { openContract } from '../../../runner/options/openContract.ts';

const contract = openContract();
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'seaworthy-assume-'));
});

afterAll(() => rm(folder, { recursive: true }));

/** The name that `--assume` gives a file with this text. */
async function fileWith(text: string): Promise<string> {
  const path = join(folder, `${randomUUID()}.yaml`);
  await writeFile(path, text);
  return `@${path}`;
}

function assumed(given: Readonly<Record<string, string>>, key: string) {
  const found = assume(contract, given).find((each) => each.key === key);
  return { value: found?.value, source: found?.source };
}

const invalid: Error = expect.objectContaining({ code: 'SW_ASSUMPTION_INVALID' });

describe('assumptions', () => {
  it('are the defaults where nothing is given', () => {
    const all = assume(contract, {});
    expect(all.map(({ key }) => key)).toEqual(contract.assumptions.map(({ key }) => key));
    expect(new Set(all.map(({ source }) => source))).toEqual(new Set(['default']));
  });

  it('are learned from a file', async () => {
    const file = await fileWith('assume:\n  signature.header: X-Learned\n  delivery.timeout: 3s\n');
    expect(assumed({ [file]: '' }, 'signature.header')).toEqual({ value: 'X-Learned', source: 'learned' });
    expect(assumed({ [file]: '' }, 'delivery.timeout')).toEqual({ value: '3s', source: 'learned' });
    expect(assumed({ [file]: '' }, 'update')).toMatchObject({ source: 'default' });
  });

  it.each(['//evil.example/ips', '/../admin', '/webhooks/../../admin', '/./x', '/a//evil.example', '/..'])(
    'name no path beside the base address: %s',
    async (path) => {
      const file = await fileWith(`assume: { senderAddresses: 'GET ${path}' }`);
      expect(() => assume(contract, { [file]: '' })).toThrow(invalid);
      expect(() => assume(contract, { update: `PUT ${path}` })).toThrow(invalid);
    },
  );

  it('are those of the option where a file says something else', async () => {
    const file = await fileWith('assume: { signature.header: X-Learned }');
    const given = { [file]: '', 'signature.header': 'X-Given' };
    expect(assumed(given, 'signature.header')).toEqual({ value: 'X-Given', source: 'option' });
  });

  it('are numbers in a file as well', async () => {
    const file = await fileWith('assume: { list.pageSize: 25 }');
    expect(assumed({ [file]: '' }, 'list.pageSize')).toEqual({ value: '25', source: 'learned' });
  });

  it('may be none in a file', async () => {
    const file = await fileWith('# Nothing was learned in this run.\nassume: {}\n');
    expect(assumed({ [file]: '' }, 'update')).toMatchObject({ source: 'default' });
  });

  it.each([
    ['no mapping', 'other: 1', 'it has no mapping "assume"'],
    ['no YAML', 'assume: {', 'cannot be read'],
    ['an empty file', '', 'it has no mapping "assume"'],
  ])('cannot be learned from %s', async (_, text, message) => {
    const file = await fileWith(text);
    expect(() => assume(contract, { [file]: '' })).toThrow(message);
  });

  it('cannot be learned from a file that is not there', () => {
    expect(() => assume(contract, { '@nowhere.yaml': '' })).toThrow(
      expect.objectContaining({ code: 'SW_FILE_UNREADABLE' }),
    );
  });

  it.each([
    ['signature.headr', 'X', 'there is no assumption "signature.headr"'],
    ['delivery.timeout', 'soon', 'soon'],
  ])('have names and values of their own: %s=%s', async (key, value, message) => {
    const file = await fileWith(`assume: { ${key}: ${value} }`);
    expect(() => assume(contract, { [key]: value })).toThrow(message);
    expect(() => assume(contract, { [file]: '' })).toThrow(invalid);
  });
});
