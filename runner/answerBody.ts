/** Bytes of an answer's body that are kept. */
const kept = 64 * 1024;
/** Bytes of an answer's body that are read at most, so that an endless answer ends. */
const drained = 1024 * 1024;

/** The body of an answer: its first 64 KiB are kept, the rest is read up to 1 MiB and thrown away. */
export class AnswerBody {
  readonly #chunks: Buffer[] = [];
  #bytes = 0;

  /** @returns false once more than 1 MiB came: then nobody should read on */
  add(chunk: Buffer): boolean {
    const room = kept - this.#bytes;
    if (room > 0) this.#chunks.push(chunk.length > room ? chunk.subarray(0, room) : chunk);
    this.#bytes += chunk.length;
    return this.#bytes <= drained;
  }

  /** What was kept, read as UTF-8; bytes that are none become U+FFFD. */
  text(): string {
    return this.#chunks.length === 0 ? '' : Buffer.concat(this.#chunks).toString('utf8');
  }
}
