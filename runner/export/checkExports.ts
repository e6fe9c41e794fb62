import { accessSync, constants, existsSync } from 'node:fs';
import { dirname } from 'node:path';

import { checkFolder } from '../output/checkFolder.ts';
import { UsageError } from '../errors.ts';
import type { ExportTarget } from '../options/exportKind.ts';
import { exportPlace } from './exportPlace.ts';

/**
 * Makes sure that what is found later can be written where it is wanted. Leaves nothing behind.
 *
 * @throws UsageError where it cannot
 */
export function checkExports(targets: readonly ExportTarget[], workingDirectory: string): void {
  for (const { format, path } of targets) {
    if (path === undefined) continue;
    const { place, isFolder } = exportPlace(path, workingDirectory);
    try {
      checkFolder(isFolder ? place : dirname(place));
      if (!isFolder && existsSync(place)) accessSync(place, constants.W_OK);
    } catch (cause) {
      throw notWritable(`--export ${format}=${path}`, place, cause);
    }
  }
}

/** What cannot be written as it was asked for. @param option - as it was given */
export function notWritable(option: string, path: string, cause: unknown): UsageError {
  return new UsageError(
    'SW_REPORT_WRITE',
    {
      received: `${option}: ${path} cannot be written: ${(cause as Error).message}`,
      valid: 'the path of a file or of a folder that can be written',
      next: 'choose another path, and run again, or seaworthy replay <file> --export with the saved case',
    },
    { cause },
  );
}
