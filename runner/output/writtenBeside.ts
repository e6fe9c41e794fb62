import { writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

import { isUnwritable } from '../errors.ts';
import { makeDirectory } from './makeDirectory.ts';

/**
 * Writes a file that goes along with a report, and makes the folder for it.
 *
 * @returns false where nothing can be written there: a run goes on without it, and its journal says so
 * @throws whatever else goes wrong
 */
export function writtenBeside(file: string, content: string | Buffer): boolean {
  try {
    makeDirectory(dirname(file));
    writeFileSync(file, content);
    return true;
  } catch (error) {
    if (isUnwritable(error)) return false;
    throw error;
  }
}
