import { createHash } from 'node:crypto';

import type { ReportedBody } from '../../reports/model/exchange.ts';
import { writtenBeside } from './writtenBeside.ts';
import type { Secrets } from '../secrets/secrets.ts';

const shownBytes = 64 * 1024;

/**
 * How a body is shown in a report.
 *
 * @param file - where a body goes that is too large to show, without what is secret
 */
export function reportedBody(body: Buffer, file: string, secrets: Secrets): ReportedBody {
  const sha256 = createHash('sha256').update(body).digest('hex');
  const size = { bytes: body.length, sha256 };
  if (body.length > shownBytes) {
    const shown = secrets.hideBytes(body);
    return { ...size, base64: shown.subarray(0, 1024).toString('base64'), ...(writtenBeside(file, shown) && { file }) };
  }
  const text = body.toString();
  return Buffer.from(text).equals(body) ? { ...size, text } : { ...size, base64: body.toString('base64') };
}
