import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, test } from 'vitest';
import { parse } from 'yaml';

import { blocks } from './documents.ts';
import { Reader } from './reader.ts';

const timeout = 240_000;
let reader: Reader;

beforeEach(async () => {
  reader = await Reader.arrive();
});

afterEach(() => reader.leave());

test('"Ten minutes" leads from an empty folder to a receiver that conforms', { timeout }, async () => {
  const steps = await reader.follow('docs/sandbox.md');
  expect(new Set(steps.map(({ language }) => language))).toEqual(new Set(['sh', 'text', 'js', 'stop']));
  expect(steps.filter(({ content }) => content.startsWith('Conforms: '))).toHaveLength(1);
});

test('"Holding a service against the contract" finds the mistakes that it shows', { timeout }, async () => {
  const document = 'docs/service.md';
  const steps = await reader.follow(document, (commands) =>
    commands.replace('--seed 1', '--seed 1 --only service/signature/every-attempt'),
  );
  expect(steps.filter(({ exit }) => exit === 1)).toHaveLength(2);
  const learned: unknown = parse(await readFile(join(reader.clone, 'learned.yaml'), 'utf8'));
  expect(learned).toMatchObject(parse(blocks(document, 'yaml')[0]!) as object);
});
