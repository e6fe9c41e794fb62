import { writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

import { learnedFile } from '../../reports/model/learnedFile.ts';
import { UsageError } from '../errors.ts';
import { openFileSink } from '../output/fileSink.ts';
import { makeDirectory } from '../output/makeDirectory.ts';
import type { CommandWorld } from './programEnvironment.ts';
import type { RunSummary } from '../../reports/model/runSummary.ts';

/**
 * Makes sure that what is learned can be written, before anything is sent (`--learn`).
 *
 * @throws UsageError where it cannot
 */
export function checkLearned(file: string | undefined, { workingDirectory }: CommandWorld): void {
  if (file !== undefined) openFileSink(resolve(workingDirectory, file), '--learn');
}

/**
 * Writes what a run learned about the contract's gaps, and says so (`--learn`).
 *
 * @throws UsageError where the file cannot be written
 */
export function writeLearned(
  file: string,
  summary: RunSummary,
  { secrets, stderr, workingDirectory }: CommandWorld,
): void {
  const path = resolve(workingDirectory, file);
  try {
    makeDirectory(dirname(path));
    writeFileSync(path, secrets.hide(learnedFile(summary)));
  } catch (cause) {
    throw new UsageError(
      'SW_REPORT_WRITE',
      {
        received: `--learn ${file} cannot be written: ${(cause as Error).message}`,
        valid: 'the path of a file that can be written',
        next: 'choose another path, and run again',
      },
      { cause },
    );
  }
  stderr.write(`What was learned is in ${file}; use it with: seaworthy receiver <url> --assume @${file}\n`);
}
