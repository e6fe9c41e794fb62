import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { UsageError } from '../errors.ts';
import { isSavedCase, readSavedCase, type SavedCase } from '../engine/savedCase.ts';

/** A saved case and the file that it was read from. */
export interface CaseFile {
  readonly file: string;
  readonly saved: SavedCase;
}

/**
 * The saved cases of files and folders: of a folder all in it and below it, by name; other JSON files there are left out.
 *
 * @throws UsageError where a file cannot be read or holds no saved case, or a folder holds none
 */
export async function caseFiles(paths: readonly string[]): Promise<readonly CaseFile[]> {
  const files = await Promise.all(paths.map(async (path) => ((await isFolder(path)) ? filesBelow(path) : [path])));
  return Promise.all(files.flat().map(async (file) => ({ file, saved: await readSavedCase(file) })));
}

async function isFolder(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found?.isDirectory() === true;
}

async function filesBelow(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder, { recursive: true });
  const paths = names.filter((name) => name.endsWith('.json')).map((name) => join(folder, name));
  const cases = await Promise.all(
    paths.toSorted().map(async (path) => (isSavedCase(await readFile(path, 'utf8')) ? [path] : [])),
  );
  if (cases.flat().length === 0) throw folderEmpty(folder);
  return cases.flat();
}

function folderEmpty(folder: string): UsageError {
  return new UsageError('SW_CASE_INVALID', {
    received: `there is no saved case in the folder ${folder}`,
    valid: 'a folder with files that seaworthy receiver, seaworthy service or seaworthy fuzz wrote about failures',
    next: 'give the folder of a run, .seaworthy/runs/<run>, or one that you copied such files to',
  });
}
