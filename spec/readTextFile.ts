import { readFileSync, statSync } from 'node:fs';

import { sizeText } from './units.ts';

/** A file that is not read: none, no regular one, or too large. Devices and pipes may never end, or never begin. */
export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile';
}

/** Bytes of the largest file that is read at once. */
const largest = 64 * 1024 * 1024;

/**
 * Says no to what is no regular file, before it is opened: a pipe that nobody writes to would hang the program.
 *
 * @throws UnreadableFile; the system's error where the path cannot be followed
 */
export function requireFile(path: string): void {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) throw new UnreadableFile('there is no such file');
  if (stats.isDirectory()) throw new UnreadableFile('it is a directory');
  if (!stats.isFile()) throw new UnreadableFile('it is no regular file');
}

/**
 * The text of a file that the user named.
 *
 * @throws UnreadableFile; the system's error where it cannot be read
 */
export function readTextFile(path: string): string {
  requireFile(path);
  const { size } = statSync(path);
  if (size > largest) throw new UnreadableFile(`it has ${size} bytes, more than ${sizeText(largest)}`);
  return readFileSync(path, 'utf8');
}
