import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { replayCommand } from '../../../reports/curl/replayCommand.ts';
import { shellQuote } from '../../../reports/curl/shell.ts';
import { summarise } from '../../../reports/model/summary.ts';
import { locatedRun } from '../../../runner/output/readRun.ts';
import { attempt, answered, body, counterexample, finished } from '../../reports/madeUpRun.ts';
import { found, searchStarted } from '../../reports/madeUpSearch.ts';
import type { Counterexample } from '../../../reports/model/exchange.ts';

const run = promisify(execFile);
const file = join('.seaworthy', 'runs', 'run-1', 'found.json');
let folder: string;

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'seaworthy-located-')));
});

afterEach(() => rm(folder, { recursive: true }));

/** What a counterexample becomes once the folder of its run was moved to another one. */
async function moved(reported: Partial<Counterexample>, name: string): Promise<Counterexample> {
  await mkdir(join(folder, 'first', '.seaworthy', 'runs', 'run-1'), { recursive: true });
  await writeFile(join(folder, 'first', file), '{}');
  await rename(join(folder, 'first'), join(folder, name));
  const started = searchStarted({ run: { id: 'run-1', seed: 1, intensity: 'quick', strict: false } });
  const summary = summarise([started, found({ counterexample: counterexample(reported) }), finished()]);
  const place = { journal: join(folder, name, 'run.ndjson'), workingDirectory: folder };
  const [failure] = locatedRun(summary, place).search?.failures ?? [];
  return failure!.counterexample;
}

/** The words that a shell makes of a command. */
async function wordsOf(command: string): Promise<readonly string[]> {
  const { stdout } = await run('sh', ['-c', `printf '%s\\n' ${command}`]);
  return stdout.trimEnd().split('\n');
}

describe('the paths of a run that was moved', () => {
  for (const name of ['second', 'the second', "it's the second"]) {
    it(`are words of its commands: ${name}`, async () => {
      const { command } = searchStarted();
      const reported = await moved({ file, curl: replayCommand(file, command) }, name);
      expect(reported.file).toBe(join(name, file));
      expect(await wordsOf(reported.curl)).toEqual([
        'seaworthy',
        'replay',
        join(name, file),
        '--url',
        'http://127.0.0.1:4711/hooks',
      ]);
    });

    it(`are words of other shell lines: ${name}`, async () => {
      const large = attempt('', answered(200));
      const request = { ...large.request, body: { ...body(''), file } };
      const exchange = { attempts: [{ ...large, request }] };
      const curl = `${shellQuote(`@${file}`)} ${shellQuote(file)} ${file} ${shellQuote(`${file}.not`)} in:${file}`;
      const reported = await moved({ exchange, curl }, name);
      const path = join(name, file);
      expect(await wordsOf(reported.curl)).toEqual([`@${path}`, path, path, `${file}.not`, `in:${file}`]);
    });
  }
});
