import { readFile } from 'node:fs/promises';

import { UsageError } from './errors.ts';

/** The text of a file with certificates in PEM form. @throws UsageError where it cannot be read */
export async function readCertificates(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw new UsageError(
      'SW_FILE_UNREADABLE',
      {
        received: `--ca ${path} cannot be read: ${(cause as Error).message}`,
        valid: 'the path of a file with certificates in PEM form',
        next: 'correct the path',
      },
      { cause },
    );
  }
}
