import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { openJournal } from '../runner/output/journal.ts';
import { runOfMany } from '../test/reports/runOfMany.ts';
import { contract } from './generate.ts';
import { type Group, inTurns } from './group.ts';

const path = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const built = path('../dist/runner/cli/seaworthy.cjs');
const sources = path('../runner/cli/seaworthy.cjs');
const program = existsSync(built) ? built : sources;

/** Deliveries of the run whose report is written. */
const reported = 50_000;

/** What it takes to start the program. */
export const starting: Group = {
  name: 'starting',
  how: `The program, from its start to its end, beside node -e 0. It is ${program === built ? 'the built one' : 'the one of the sources, for none was built'}.`,
  unit: 'ms',
  moreIsBetter: false,
  open: async () => ({
    round: inTurns({
      'seaworthy --help': () => msOf([program, '--help']),
      'seaworthy requirements': () => msOf([program, 'requirements']),
      'node -e 0': () => msOf(['-e', '0']),
    }),
    pairs: [
      ['seaworthy --help', 'node -e 0'],
      ['seaworthy requirements', 'node -e 0'],
    ],
  }),
};

const parseLines = `
  const { createInterface } = require('node:readline');
  const lines = createInterface({ input: require('node:fs').createReadStream(process.argv[1]) });
  lines.on('line', (line) => JSON.parse(line));`;

/** What it takes to write a page of a long run. */
export const reporting: Group = {
  name: 'report',
  how: `The HTML report of ${reported} deliveries, made of their journal by a program of its own, beside one that reads the
same file line by line and does JSON.parse.`,
  unit: 'ms',
  moreIsBetter: false,
  rounds: 3,
  open: async () => {
    const folder = await mkdtemp(join(tmpdir(), 'seaworthy-bench-'));
    const file = join(folder, 'run.ndjson');
    const journal = openJournal(file);
    const names = contract.events.map(({ name }) => name);
    for (const event of runOfMany(reported, names)) journal.write(event);
    journal.close();
    const words = [sources, 'report', file, '--report', `html=${join(folder, 'report.html')}`];
    return {
      round: inTurns({
        'HTML report': () => msOf(words),
        'reading its journal': () => msOf(['-e', parseLines, file]),
      }),
      pairs: [['HTML report', 'reading its journal']],
      close: () => rm(folder, { recursive: true }),
    };
  },
};

function msOf(words: readonly string[]): number {
  const begun = performance.now();
  const { status, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${words.join(' ')} ended with ${status}: ${stderr}`);
  return performance.now() - begun;
}
