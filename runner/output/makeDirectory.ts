import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

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
