import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';

import type { Header } from '../../../suites/delivery.ts';
import { bodyLimit } from '../../http/boundedBody.ts';
import { headerValue } from '../mediaType.ts';

const decoders: Readonly<Record<string, (bytes: Buffer, options: { maxOutputLength: number }) => Buffer>> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
};

/**
 * The text of a body without its Content-Encoding, to be judged; the bytes that go on are not these.
 *
 * @returns nothing where it cannot be decoded
 */
export function decodedBody(bytes: Buffer, headers: readonly Header[]): string | undefined {
  const encoding = (headerValue(headers, 'content-encoding') ?? 'identity').trim().toLowerCase();
  if (encoding === 'identity' || bytes.length === 0) return bytes.toString('utf8');
  try {
    return decoders[encoding]?.(bytes, { maxOutputLength: bodyLimit }).toString('utf8');
  } catch {
    return undefined;
  }
}
