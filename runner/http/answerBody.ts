/** Bytes of an answer's body that are kept where nothing else is said. */
const keptBytes = 64 * 1024;
/** Bytes of an answer's body that are read at most, so that an endless answer ends. */
const drainedBytes = 1024 * 1024;

/** The body of an answer: its first bytes (64 KiB) are kept, the rest is read up to 1 MiB and thrown away. */
export class AnswerBody {
  readonly #kept: number;
  readonly #chunks: Buffer[] = [];
  #bytes = 0;

  /** @param kept - bytes that are kept */
  constructor(kept = keptBytes) {
    this.#kept = kept;
  }

  /** @returns false once more than 1 MiB, or than is kept, came: then nobody should read on */
  add(chunk: Buffer): boolean {
    const room = this.#kept - this.#bytes;
    if (room > 0) this.#chunks.push(chunk.length > room ? chunk.subarray(0, room) : chunk);
    this.#bytes += chunk.length;
    return this.#bytes <= Math.max(drainedBytes, this.#kept);
  }

  /** What was kept, read as UTF-8; bytes that are none become U+FFFD. */
  text(): string {
    return this.#chunks.length === 0 ? '' : Buffer.concat(this.#chunks).toString('utf8');
  }
}
