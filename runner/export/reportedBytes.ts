import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { isAbsolute, relative, resolve } from 'node:path';

import type { ReportedBody } from '../../reports/model/exchange.ts';

/**
 * The bytes of a body that a report tells of; nothing where they are too many, and not in their file any more. Of files, a
 * report may name those below the working directory.
 */
export function reportedBytes(body: ReportedBody, workingDirectory: string): Buffer | undefined {
  const candidates = [
    () => (body.text === undefined ? undefined : Buffer.from(body.text)),
    () => (body.base64 === undefined ? undefined : Buffer.from(body.base64, 'base64')),
    () => (body.file === undefined ? undefined : readBelow(workingDirectory, body.file)),
  ];
  return candidates.map(readOrNothing).find((bytes) => bytes !== undefined && isBody(bytes, body));
}

function readBelow(folder: string, file: string): Buffer | undefined {
  const path = resolve(folder, file);
  const inside = relative(folder, path);
  const isBelow = !isAbsolute(inside) && !inside.split(/[\\/]/).includes('..');
  return isBelow && statSync(path).isFile() ? readFileSync(path) : undefined;
}

function readOrNothing(read: () => Buffer | undefined): Buffer | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

function isBody(bytes: Buffer, { sha256 }: ReportedBody): boolean {
  return createHash('sha256').update(bytes).digest('hex') === sha256;
}
