import type { IncomingMessage } from 'node:http';

/** 16 MiB: what is larger may be refused (GAP-23). */
const bodyLimit = 16 * 1024 * 1024;

/** How long what is left of an oversized body is thrown away, in ms, so that the sender comes to read the refusal. */
const discardTime = 2000;

/** A body that cannot be had: too large (413), or its connection broke (400). */
export class BodyError extends Error {
  override readonly name = 'BodyError';
  readonly statusCode: number;

  constructor(statusCode: number, message: string, options?: ErrorOptions) {
    super(message, options);
    this.statusCode = statusCode;
  }
}

/**
 * Reads a request's body whole.
 *
 * @param limit - largest body taken, in bytes
 * @throws BodyError with the status that the sender should get
 */
export async function readBody(head: IncomingMessage, limit: number = bodyLimit): Promise<Buffer> {
  if (Number(head.headers['content-length'] ?? 0) > limit) return discard(head, limit);
  const body = await collect(head, limit);
  return body ?? discard(head, limit);
}

/** All bytes, or nothing as soon as they are more than the limit. */
function collect(head: IncomingMessage, limit: number): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    head.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limit) chunks.push(chunk);
      else resolve(undefined);
    });
    head.on('end', () => resolve(Buffer.concat(chunks)));
    onBreak(head, reject);
  });
}

async function discard(head: IncomingMessage, limit: number): Promise<never> {
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(resolve, discardTime);
    let left = 4 * limit;
    head.removeAllListeners('data');
    head.on('data', (chunk: Buffer) => ((left -= chunk.length) < 0 ? resolve() : undefined));
    head.on('end', resolve);
    head.on('close', () => clearTimeout(timer));
    onBreak(head, reject);
  });
  throw new BodyError(413, `The body is larger than ${limit} bytes.`);
}

function onBreak(head: IncomingMessage, reject: (error: BodyError) => void): void {
  const broke = (cause: unknown) => reject(new BodyError(400, 'The connection broke within the body.', { cause }));
  // It may have broken before anyone read from it: then no event would come any more.
  if (head.destroyed) broke(head.errored);
  head.on('error', broke);
}
