import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { Chance } from '../../../runner/fuzz/chance.ts';
import { Corpus, type Kept } from '../../../runner/fuzz/corpus.ts';
import { CorpusFile } from '../../../runner/fuzz/corpusFile.ts';
import { outputPattern, OutputPatterns } from '../../../runner/fuzz/outputPatterns.ts';

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
  await writeFile(join(folder, 'below', 'receiver.json'), '{"seaworthy": "corp');
  expect(file.read()).toEqual([]);
});

test('lines of output are alike where only numbers, ids and quoted values differ', () => {
  expect(outputPattern('12:01:33 took 15 ms for "7f3a"')).toBe(outputPattern('12:07:01 took 4 ms for "x"'));
  expect(outputPattern('lost 5be0b6a5-1c77 at last')).toBe(outputPattern('lost 91e0-aa at last'));
  expect(outputPattern('it failed')).not.toBe(outputPattern('it worked'));
  const patterns = new OutputPatterns();
  expect(patterns.fresh(['took 1 ms', 'took 2 ms', 'failed'])).toEqual(['took # ms', 'failed']);
  expect(patterns.fresh(['took 3 ms'])).toEqual([]);
});
