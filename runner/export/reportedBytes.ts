import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

import type { ReportedBody } from '../../reports/exchange.ts';

/** The bytes of a body that a report tells of; nothing where they are too many, and not in their file any more. */
export function reportedBytes(body: ReportedBody, workingDirectory: string): Buffer | undefined {
  const candidates = [
    () => (body.text === undefined ? undefined : Buffer.from(body.text)),
    () => (body.base64 === undefined ? undefined : Buffer.from(body.base64, 'base64')),
    () => (body.file === undefined ? undefined : readFileSync(resolve(workingDirectory, body.file))),
  ];
  return candidates.map(readOrNothing).find((bytes) => bytes !== undefined && isBody(bytes, body));
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
