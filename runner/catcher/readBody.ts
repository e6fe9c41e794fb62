import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** The body of a request, as far as it came. */
export interface RequestBody {
  /** The first bytes, up to the limit. */
  readonly kept: Buffer;
  /** How many bytes came; -1 where the body broke off, or was longer than is read. */
  readonly bytes: number;
}

export interface ReadBodyOptions {
  /** Bytes that are kept. */
  readonly limit: number;
  /** Bytes that are read. */
  readonly most: number;
  /** Where what is kept is put. Who gets the body frees it. */
  readonly room: Room;
  /** Milliseconds over which the first of it is read, a little at a time. Default 0. */
  readonly slowness?: number;
}

/** What may be over before its time. */
export interface Ending {
  readonly over: boolean;
  /** Aborted when it is over. To make it takes as long as to answer a request: it is there where somebody waits for it. */
  readonly signal: AbortSignal;
}

/** In how many pieces a slow body is read before the rest of it, and their bytes. */
const slowPieces = 20;

const slowPiece = 1024;

/** Reads the body of a request to its end, or until its connection is gone. Never rejects. @param ending - ends the slowness */
export function readBody(request: IncomingMessage, options: ReadBodyOptions, ending?: Ending): Promise<RequestBody> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    let kept = 0;
    const finish = (whole: boolean): void => {
      request.off('data', take).off('end', end).off('close', breakOff).resume();
      resolve({ kept: joined(chunks, kept), bytes: whole ? bytes : -1 });
    };
    const end = (): void => finish(true);
    const breakOff = (): void => finish(false);
    const take = (chunk: Buffer): void => {
      const part = chunk.subarray(0, options.limit - kept);
      if (part.length > 0 && !options.room.take(part.length)) return breakOff();
      if (part.length > 0) chunks.push(part);
      kept += part.length;
      bytes += chunk.length;
      if (bytes > options.most) breakOff();
    };
    request
      .on('error', () => {})
      .on('end', end)
      .on('close', breakOff);
    const { slowness = 0 } = options;
    if (ending === undefined || slowness === 0) request.on('data', take);
    else void readSlowly(request, { slowness, ending }, take).then(() => request.on('data', take));
  });
}

/** In memory of its own: a small part of a pool that is kept would keep all of that pool. */
function joined(chunks: readonly Buffer[], length: number): Buffer {
  const whole = Buffer.allocUnsafeSlow(length);
  let at = 0;
  for (const chunk of chunks) at += chunk.copy(whole, at);
  return whole;
}

/** The socket is not read while the request's own buffer is full: that is what a peer with a large body feels. */
async function readSlowly(
  request: IncomingMessage,
  { slowness, ending }: { readonly slowness: number; readonly ending: Ending },
  take: (piece: Buffer) => void,
): Promise<void> {
  for (let piece = 0; piece < slowPieces; piece += 1) {
    if (!(await pause(slowness / slowPieces, ending))) return;
    const read: unknown = request.read(Math.min(request.readableLength, slowPiece));
    if (Buffer.isBuffer(read)) take(read);
  }
}

/**
 * Lets time pass. Nothing or less is no pause at all.
 *
 * @returns false where it was ended
 */
export async function pause(ms: number, ending: Ending): Promise<boolean> {
  if (ms > 0) await sleep(ms, undefined, { signal: ending.signal }).catch(() => {});
  return !ending.over;
}

/** The memory that all endpoints of a catcher share for what they keep, and for bodies that are still being read. */
export class Room {
  /** How often something found none. */
  refused = 0;
  readonly #bytes: number;
  #taken = 0;

  constructor(bytes: number) {
    this.#bytes = bytes;
  }

  /** Whether more than half of it is taken. */
  get isCrowded(): boolean {
    return this.#taken > this.#bytes / 2;
  }

  /** @returns whether there was as much */
  take(bytes: number): boolean {
    const fits = this.#taken + bytes <= this.#bytes;
    if (fits) this.#taken += bytes;
    else this.refused += 1;
    return fits;
  }

  free(bytes: number): void {
    this.#taken -= bytes;
  }
}
