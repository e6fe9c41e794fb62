import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

/**
 * Loaded before the program (`--import`): ends it with SIGKILL as it writes so many bytes of its journal, in the middle of a
 * line as well. What it has written by then stays, and nothing of it runs any more.
 */
const { writeSync, openSync } = fs;
const journal = process.env['KILLED_JOURNAL'];
let left = Number(process.env['KILLED_AFTER']);
let file: number | undefined;

fs.openSync = (path, ...rest) => {
  const opened = openSync(path, ...rest);
  if (path === journal) file = opened;
  return opened;
};

fs.writeSync = ((fd: number, bytes: Buffer, at: number): number => {
  if (fd !== file || bytes.length - at < left) {
    if (fd === file) left -= bytes.length - at;
    return writeSync(fd, bytes, at);
  }
  writeSync(fd, bytes, at, left);
  process.kill(process.pid, 'SIGKILL');
  throw new Error('unreachable: the process is gone');
}) as typeof fs.writeSync;

syncBuiltinESMExports();
