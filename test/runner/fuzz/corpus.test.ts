import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { UsageError } from '../../../runner/errors.ts';
import { Chance, Corpus, type Kept, CorpusFile } from '../../../runner/fuzz/corpus.ts';
import { outputPattern, OutputPatterns } from '../../../runner/fuzz/sequencePlayer.ts';

function kept(length: number, alone = false): Kept {
  return { genes: Array.from({ length }, (_, seed) => ({ kind: 'put', seed, path: '' })), alone };
}

test('the shortest sequence for each answer is kept', () => {
  const corpus = new Corpus();
  const [long, short] = [kept(5), kept(2)];
  expect(corpus.learn(long, ['200', '500'])).toBe(true);
  expect(corpus.learn(kept(5), ['200'])).toBe(false);
  expect(corpus.learn(short, ['200'])).toBe(true);
  expect(corpus.kept).toEqual([long, short]);
  expect(corpus.learn(short, ['500'])).toBe(true);
  expect(corpus.kept).toEqual([short]);
  expect(corpus.distinct).toBe(2);
  expect(corpus.choose(new Chance('any'), false)).toBe(short);
  expect(corpus.choose(new Chance('any'), true)).toBeUndefined();
});

test('it has a bound, however much is new', () => {
  const corpus = new Corpus();
  for (let number = 0; number < 30_000; number++) corpus.learn(kept(1), [`answer ${number}`]);
  expect(corpus.size).toBe(500);
  expect(corpus.distinct).toBe(20_000);
});

test('a file keeps it for the next run of the same version, and for no other', async ({ onTestFinished }) => {
  const folder = await mkdtemp(join(tmpdir(), 'seaworthy-corpus-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = new CorpusFile(join(folder, 'below'), 'receiver', '1.0.0');
  expect(file.read()).toEqual([]);
  file.write([kept(3), kept(1, true)]);
  expect(file.read()).toEqual([kept(3), kept(1, true)]);
  expect(new CorpusFile(join(folder, 'below'), 'receiver', '1.0.1').read()).toEqual([]);
  expect(new CorpusFile(join(folder, 'below'), 'service', '1.0.0').read()).toEqual([]);
});

test.for([
  ['{"seaworthy": "corp', 'cannot be read'],
  ['{"seaworthy":"corpus","format":1,"kit":"0.9.0","sequences":[]}', 'by another version of the kit (0.9.0)'],
] as const)('a file that cannot be gone on with stays as it is: %s', async ([content, why], { onTestFinished }) => {
  const folder = await mkdtemp(join(tmpdir(), 'seaworthy-corpus-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = new CorpusFile(folder, 'receiver', '1.0.0');
  expect(file.check()).toBeUndefined();
  await writeFile(join(folder, 'receiver.json'), content);
  expect(file.check()).toContain(why);
  file.write([kept(3)]);
  expect(file.read()).toEqual([kept(3)]);
  expect(await readFile(join(folder, 'receiver.json'), 'utf8')).toBe(content);
  expect((await readdir(folder)).toSorted()).toEqual(['receiver-1.0.0.json', 'receiver.json']);
});

test('a folder that cannot be written is refused, and later reported once', async ({ onTestFinished }) => {
  const folder = await mkdtemp(join(tmpdir(), 'seaworthy-corpus-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'taken'), '');
  const file = new CorpusFile(join(folder, 'taken'), 'receiver', '1.0.0');
  expect(() => file.check()).toThrow(UsageError);
  const warnings: string[] = [];
  for (let time = 0; time < 2; time++) file.writeOr([kept(1)], (line) => warnings.push(line));
  expect(warnings).toEqual([expect.stringContaining('The corpus cannot be written')]);
});

test('lines of output are alike where only numbers, ids and quoted values differ', () => {
  expect(outputPattern('12:01:33 took 15 ms for "7f3a"')).toBe(outputPattern('12:07:01 took 4 ms for "x"'));
  expect(outputPattern('lost 5be0b6a5-1c77 at last')).toBe(outputPattern('lost 91e0-aa at last'));
  expect(outputPattern('it failed')).not.toBe(outputPattern('it worked'));
  const patterns = new OutputPatterns();
  expect(patterns.fresh(['took 1 ms', 'took 2 ms', 'failed'])).toEqual(['took # ms', 'failed']);
  expect(patterns.fresh(['took 3 ms'])).toEqual([]);
});
