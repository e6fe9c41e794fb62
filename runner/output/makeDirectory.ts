import { existsSync, mkdirSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { randomUUID } from 'node:crypto';

/**
 * Makes sure that files can be written to a folder, and leaves nothing behind: not even the folder, where it was missing.
 *
 * @throws what the system says where it cannot be made or written
 */
export function checkFolder(folder: string): void {
  const made: string[] = [];
  try {
    makeDirectory(folder, (path) => made.push(path));
    const probe = join(folder, `.seaworthy-${randomUUID()}`);
    writeFileSync(probe, '', { flag: 'wx' });
    rmSync(probe);
  } finally {
    for (const path of made.toReversed()) rmdirSync(path);
  }
}

/**
 * Makes a directory and those above it, where they are missing. Not `recursive` of `mkdirSync`: that never returns
 * where a directory can be looked for but not made, as below /proc.
 *
 * @param onMade - called for each directory that was missing
 * @throws what `mkdirSync` throws
 */
export function makeDirectory(path: string, onMade: (made: string) => void = () => {}): void {
  if (existsSync(path)) return;
  makeDirectory(dirname(path), onMade);
  mkdirSync(path);
  onMade(path);
}

/** A path as people are shown it: relative to the working directory where it is below it. */
export function shownPath(path: string): string {
  const below = relative(process.cwd(), path);
  return below.startsWith('..') ? path : below;
}
