import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

/**
 * Loaded before the program (`--import`): ends it with SIGKILL as it writes so many bytes of its journal, in the middle of a
 * line as well, or once so many of its checks have ended. What it has written by then stays, and nothing of it runs any more.
 */
const { writeSync, openSync } = fs;
const journal = process.env['KILLED_JOURNAL'];
let left = Number(process.env['KILLED_AFTER'] ?? Infinity);
let ends = Number(process.env['KILLED_ENDED'] ?? Infinity);
let file: number | undefined;

fs.openSync = (path, ...rest) => {
  const opened = openSync(path, ...rest);
  if (path === journal) file = opened;
  return opened;
};

fs.writeSync = ((fd: number, bytes: Buffer, at: number): number => {
  if (fd !== file) return writeSync(fd, bytes, at);
  ends -= bytes.toString('latin1', at).split('"type":"check.finished"').length - 1;
  if (bytes.length - at < left && ends > 0) {
    left -= bytes.length - at;
    return writeSync(fd, bytes, at);
  }
  writeSync(fd, bytes, at, Math.min(left, bytes.length - at));
  process.kill(process.pid, 'SIGKILL');
  throw new Error('unreachable: the process is gone');
}) as typeof fs.writeSync;

syncBuiltinESMExports();
