import { hash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

import { isUnwritable } from '../errors.ts';
import { makeDirectory } from './writtenFile.ts';
import type { ReportedBody } from '../../reports/model/exchange.ts';
import type { Secrets } from '../secrets/secrets.ts';

const shownBytes = 64 * 1024;

/**
 * How a body is shown in a report.
 *
 * @param file - where a body goes that is too large to show, without what is secret
 */
export function reportedBody(body: Buffer, file: string, secrets: Secrets): ReportedBody {
  const sha256 = hash('sha256', body);
  const size = { bytes: body.length, sha256 };
  if (body.length > shownBytes) {
    const shown = secrets.hideBytes(body);
    return { ...size, base64: shown.subarray(0, 1024).toString('base64'), ...(writtenBeside(file, shown) && { file }) };
  }
  const text = body.toString();
  return Buffer.from(text).equals(body) ? { ...size, text } : { ...size, base64: body.toString('base64') };
}

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
