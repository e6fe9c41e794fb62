import { writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';

import type { ExportTarget } from '../options/exportKind.ts';
import { makeDirectory } from '../output/makeDirectory.ts';
import type { SavedCase } from '../engine/savedCase.ts';
import { shellWord } from '../options/shellWord.ts';
import type { Secrets } from '../secrets/secrets.ts';
import { shownPath } from '../output/shownPath.ts';
import { notWritable } from './checkExports.ts';
import { curlExport } from './curlExport.ts';
import { exportPlace } from './exportPlace.ts';
import { vitestTest } from './vitestTest.ts';

/** A saved case, and the file that holds it. */
interface ExportedCase {
  readonly file: string;
  readonly saved: SavedCase;
}

/** Where cases are exported, and what is known there. */
interface ExportPlace {
  readonly workingDirectory: string;
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
  { workingDirectory, secrets, hidden }: ExportPlace,
): Promise<readonly string[]> {
  const said: string[] = [];
  for (const target of targets) {
    for (const [index, { file, saved }] of cases.entries()) {
      const path = pathOf(target, resolve(workingDirectory, file), index, workingDirectory);
      const shown = shownPath(path);
      const written =
        target.format === 'vitest'
          ? vitestTest(saved, relative(workingDirectory, path))
          : await curlExport(saved, workingDirectory, secrets);
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
