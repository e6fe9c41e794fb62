import { writeFileSync, accessSync, constants, existsSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, extname } from 'node:path';

import type { Contract } from '../../spec/contract.ts';
import type { ExportTarget } from '../options/fuzzOptions.ts';
import { makeDirectory, checkFolder, shownPath } from '../output/writtenFile.ts';
import type { SavedCase } from '../engine/savedCase.ts';
import { shellWord } from '../../reports/curl/shell.ts';
import type { Secrets } from '../secrets/secrets.ts';
import { curlExport } from './curlExport.ts';
import { vitestTest } from './vitestTest.ts';
import { UsageError } from '../errors.ts';

/** A saved case, and the file that holds it. */
interface ExportedCase {
  readonly file: string;
  readonly saved: SavedCase;
}

/** Where cases are exported, and what is known there. */
interface ExportPlace {
  readonly workingDirectory: string;
  /** The contract of a case; nothing for the one that it names, if that ships with the kit. */
  readonly contractOf: (saved: SavedCase) => Contract | undefined;
  /** Those of the receiver, to find out what is signed with them. */
  readonly secrets: readonly string[];
  /** What no file holds, those secrets included. */
  readonly hidden: Secrets;
}

const endings = { vitest: '.test.ts', curl: '.sh' } as const satisfies Record<ExportTarget['format'], string>;

/**
 * Writes each case in each of the forms.
 *
 * @returns a line for people about each
 * @throws UsageError where a file cannot be written
 */
export async function exportCases(
  cases: readonly ExportedCase[],
  targets: readonly ExportTarget[],
  { workingDirectory, contractOf, secrets, hidden }: ExportPlace,
): Promise<readonly string[]> {
  const said: string[] = [];
  for (const target of targets) {
    for (const [index, { file, saved }] of cases.entries()) {
      const path = pathOf(target, resolve(workingDirectory, file), index, workingDirectory);
      const shown = shownPath(path);
      const written =
        target.format === 'vitest'
          ? vitestTest(saved, relative(workingDirectory, path))
          : await curlExport(saved, workingDirectory, secrets, contractOf(saved));
      if (typeof written !== 'string') {
        said.push(`Not written as a shell script: ${shownPath(file)}: ${written.why}`);
        continue;
      }
      write(
        path,
        hidden.hide(written),
        `--export ${target.format}${target.path === undefined ? '' : `=${target.path}`}`,
      );
      said.push(target.format === 'vitest' ? `Vitest test: ${shown}` : `Shell script: sh ${shellWord(shown)}`);
    }
  }
  return said;
}

/** Beside the case, in the folder that is named, or in the file; a second case gets `-2` in its name there. */
function pathOf({ format, path }: ExportTarget, file: string, index: number, workingDirectory: string): string {
  const ending = endings[format];
  const name = `${basename(file, '.json')}${ending}`;
  if (path === undefined) return join(dirname(file), name);
  const { place, isFolder } = exportPlace(path, workingDirectory);
  if (isFolder) return join(place, name);
  return index === 0 ? place : place.replace(/((?:\.test|\.spec)?\.\w+)$/, `-${index + 1}$1`);
}

function write(path: string, content: string, option: string): void {
  try {
    makeDirectory(dirname(path));
    writeFileSync(path, content);
  } catch (cause) {
    throw notWritable(option, path, cause);
  }
}

/**
 * Makes sure that what is found later can be written where it is wanted. Leaves nothing behind.
 *
 * @throws UsageError where it cannot
 */
export function checkExports(targets: readonly ExportTarget[], workingDirectory: string): void {
  for (const { format, path } of targets) {
    if (path === undefined) continue;
    const { place, isFolder } = exportPlace(path, workingDirectory);
    try {
      checkFolder(isFolder ? place : dirname(place));
      if (!isFolder && existsSync(place)) accessSync(place, constants.W_OK);
    } catch (cause) {
      throw notWritable(`--export ${format}=${path}`, place, cause);
    }
  }
}

/** What cannot be written as it was asked for. @param option - as it was given */
function notWritable(option: string, path: string, cause: unknown): UsageError {
  return new UsageError(
    'SW_REPORT_WRITE',
    {
      received: `${option}: ${path} cannot be written: ${(cause as Error).message}`,
      valid: 'the path of a file or of a folder that can be written',
      next: 'choose another path, and run again, or seaworthy replay <file> --export with the saved case',
    },
    { cause },
  );
}

/** Where exported files go: to a folder, or to a file where the path has an ending and no such folder is there. */
function exportPlace(path: string, workingDirectory: string) {
  const place = resolve(workingDirectory, path);
  const isFolder = path.endsWith('/') || extname(path) === '' || (existsSync(place) && statSync(place).isDirectory());
  return { place, isFolder };
}
