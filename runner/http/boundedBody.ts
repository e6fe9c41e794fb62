import type { IncomingMessage } from 'node:http';

/** The most bytes of a body that a server of the kit keeps in memory. */
export const bodyLimit = 16 * 1024 * 1024;

/** The whole body of a request; nothing is read beyond the limit. Never rejects. */
export async function boundedBody(
  request: IncomingMessage,
  limit = bodyLimit,
): Promise<Buffer | 'too long' | 'broken'> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > limit) return 'too long';
      chunks.push(chunk);
    }
  } catch {
    return 'broken';
  }
  return Buffer.concat(chunks);
}
