import { randomUUID } from 'node:crypto';
import { rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { makeDirectory } from './makeDirectory.ts';

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
