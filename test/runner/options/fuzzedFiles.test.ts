import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { exitCode } from '../../../reports/model/exitCode.ts';
import { JournalError, journalLine, readJournal } from '../../../reports/model/journal.ts';
import { summarise } from '../../../reports/model/summary.ts';
import { commands } from '../../../runner/cli/commands.ts';
import { readSavedCase } from '../../../runner/engine/savedCase.ts';
import { SeaworthyError } from '../../../runner/errors.ts';
import { loadConfig } from '../../../runner/options/loadConfig.ts';
import { readExpectations } from '../../../runner/options/readExpectations.ts';
import { receiverOptions } from '../../../runner/options/receiverOptions.ts';
import { resolveSettings } from '../../../runner/options/settings.ts';
import { ContractError, loadContract } from '../../../spec/contract.ts';
import { shippedTexts } from '../../../spec/contractFiles.ts';
import { parseYaml } from '../../../spec/parseYaml.ts';
import { failingRun } from '../../reports/madeUpRun.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'seaworthy-fuzzed-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** What stands where something else belongs. */
const anyValue: fc.Arbitrary<unknown> = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom<unknown>(
    null,
    -1,
    1e308,
    '',
    '\0',
    '\ud800',
    '__proto__',
    'x'.repeat(5000),
    '*'.repeat(60),
    '(a+)+$',
    '/a/~2',
    '../../../dev/null',
    'http://[::1',
    { __proto__: null, constructor: { prototype: 1 } },
    Array.from({ length: 300 }, () => []),
    Array.from({ length: 60 }).reduce<unknown>((inner) => [inner], []),
  ),
);

const anyText: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  anyValue.map((value) => JSON.stringify(value) ?? ''),
  fc.stringMatching(/^[\s\S]{0,40}$/),
  fc.constantFrom(
    '&a [*a]',
    '- &a\n  <<: *a',
    '!!js/function x',
    '%TAG',
    '{',
    '['.repeat(5000),
    '\ufeff{}',
    '---\n---',
  ),
);

interface Change {
  /** Which member or item is chosen on the way down. */
  readonly way: readonly number[];
  readonly how: 'replace' | 'remove' | 'rename' | 'repeat';
  readonly value: unknown;
}

const aChange: fc.Arbitrary<Change> = fc.record({
  way: fc.array(fc.nat(30), { minLength: 1, maxLength: 8 }),
  how: fc.constantFrom('replace', 'replace', 'remove', 'rename', 'repeat'),
  value: anyValue,
});

/** A right document with some wrong places. */
function wrongly(right: unknown): fc.Arbitrary<unknown> {
  return fc
    .array(aChange, { minLength: 1, maxLength: 3 })
    .map((changes) => changes.reduce((value, change) => changed(value, change, change.way), right));
}

function changed(value: unknown, change: Change, [at, ...way]: readonly number[]): unknown {
  if (at === undefined || typeof value !== 'object' || value === null) return change.value;
  const entries = Object.entries(value);
  const own = entries[at % Math.max(1, entries.length)];
  if (own === undefined) return change.value;
  const others = entries.flatMap((entry): readonly (readonly [string, unknown])[] => {
    if (entry !== own) return [entry];
    const [name, member] = entry;
    if (way.length > 0 && typeof member === 'object' && member !== null) return [[name, changed(member, change, way)]];
    switch (change.how) {
      case 'replace':
        return [[name, change.value]];
      case 'remove':
        return [];
      case 'rename':
        return [[`${name}${writtenAs(change.value).slice(0, 9)}`, member]];
      case 'repeat':
        return [entry, [`${name}2`, member]];
    }
  });
  return Array.isArray(value) ? others.map(([, member]) => member) : Object.fromEntries(others);
}

function writtenAs(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/** What went wrong that is no error of the kit's own; nothing where all went as it should. */
async function crash(use: () => unknown): Promise<string | undefined> {
  try {
    await use();
    return undefined;
  } catch (error) {
    const isOwn = [SeaworthyError, ContractError, JournalError].some((own) => error instanceof own);
    const isBug = error instanceof SeaworthyError && error.exitCode === 70;
    return isOwn && !isBug ? undefined : String((error as Error).stack);
  }
}

async function file(name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, text);
  return path;
}

async function settingsOf(name: string, text: string): Promise<void> {
  const { config, directory } = await loadConfig(folder, { config: [await file(name, text)] });
  const { receiver = {}, service: _, fuzz: __, ...shared } = config;
  resolveSettings(receiverOptions, { commandLine: {}, environment: {}, config: [shared, receiver], directory });
}

const config = {
  seed: 1,
  only: ['VRF-*'],
  report: ['json=r.json', 'terminal'],
  time: '5m',
  assume: { 'signature.scheme': 'hmac-sha256-hex' },
  receiver: { url: 'http://localhost:3000/hooks', header: ['X-A: b'], env: { A: 'b' }, probe: 'http://localhost/{id}' },
  service: { url: 'http://localhost:4010/v2', trackable: ['A:B'] },
};

const saved = {
  seaworthy: 'case',
  format: 1,
  subject: 'receiver',
  kit: { name: 'seaworthy', version: '0.1.0' },
  check: 'receiver/signature/forged',
  title: 'refuses',
  requirements: ['VRF-2'],
  summary: 'a',
  expected: 'b',
  actual: 'c',
  value: { a: [1] },
  seed: 1,
  path: '0:1',
  intensity: 'quick',
  events: [],
  url: 'http://localhost:3000/hooks',
  options: { secret: ['$SEAWORTHY_SECRET'], header: ['X-A: $SEAWORTHY_HEADER_X_A'] },
  env: ['A'],
};

const expectations = [{ id: 'VRF-2', reason: 'known', expires: '2099-01-31', link: 'http://localhost/1' }];

const openapi = {
  openapi: '3.1.0',
  info: { title: 'a', version: '1' },
  webhooks: {
    'order.created': {
      post: {
        requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Order' } } } },
        responses: { 200: { description: 'ok' } },
      },
    },
  },
  components: {
    schemas: {
      Order: {
        type: 'object',
        required: ['type', 'data'],
        properties: {
          type: { const: 'order.created' },
          timestamp: { type: 'string', format: 'date-time' },
          data: { type: 'object', properties: { id: { type: 'string', pattern: '^o_[a-z]{3}$' } } },
        },
      },
    },
  },
};

const contract = parseYaml(shippedTexts('standard-webhooks').contract);

/** What reads a document, and one that it takes; a text of it is JSON, of which YAML is more. */
const readers: readonly (readonly [name: string, right: unknown, runs: number, read: (text: string) => unknown])[] = [
  ['a config in JSON', config, 60, (text) => settingsOf('config.json', text)],
  ['a config in YAML', config, 60, (text) => settingsOf('config.yaml', text)],
  ['a contract', contract, 40, (text) => loadContract({ contract: text, openapi: JSON.stringify(openapi) })],
  [
    'an OpenAPI document',
    openapi,
    150,
    (text) => loadContract({ ...shippedTexts('standard-webhooks'), openapi: text }),
  ],
  ['a saved case', saved, 60, async (text) => readSavedCase(await file('case.json', text))],
  ['expectations', expectations, 60, async (text) => readExpectations(await file('known.yaml', text))],
  ['a journal', failingRun(), 60, (text) => exitCode(summarise(readJournal(text)))],
];

describe.each(readers)('%s', (name, right, numRuns, read) => {
  const textOf = (value: unknown): string =>
    name === 'a journal' && Array.isArray(value)
      ? value.map((event) => journalLine(event as never)).join('')
      : (JSON.stringify(value) ?? '');

  it('is read where it is right', async () => {
    await expect((async () => read(textOf(right)))()).resolves.not.toThrow();
  });

  it.each([
    ['any text', anyText],
    ['what is wrong in some places', wrongly(right).map(textOf)],
  ])('is read or refused, and nothing breaks: %s', async (_, texts) => {
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        expect(await crash(() => read(text))).toBeUndefined();
      }),
      { numRuns },
    );
  });
});

it.each(commands.filter(({ options }) => Object.keys(options).length > 0))(
  'options of $name are read or refused, whatever is given',
  async ({ options }) => {
    const someTexts = fc.array(anyText, { minLength: 1, maxLength: 2 });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...Object.keys(options)), someTexts, async (name, texts) => {
        const sources = { commandLine: { [name]: texts }, environment: {}, config: [], directory: folder };
        expect(await crash(() => resolveSettings(options, sources))).toBeUndefined();
      }),
      { numRuns: 60 },
    );
  },
);

it('what breaks otherwise is found', async () => {
  const broken = { receiver: null as { readonly url: string } | null };
  expect(await crash(() => broken.receiver!.url)).toMatch(/^TypeError/);
});
