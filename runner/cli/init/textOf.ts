import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The text of a file; empty where there is none that can be read. */
export function textOf(folder: string, name: string): string {
  try {
    return readFileSync(join(folder, name), 'utf8');
  } catch {
    return '';
  }
}
