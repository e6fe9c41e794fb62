import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';

/** Characters that are kept. */
const kept = 64 * 1024;

/** Waits for what a program prints once it is up, and reads from it at which port it listens. */
export class Announcement {
  readonly #pattern: RegExp;
  #said = '';

  /** @param pattern - its group `port`, where it has one, matches the port */
  constructor(pattern: RegExp) {
    // Each look begins at the first character.
    this.#pattern = new RegExp(pattern.source, pattern.flags.replaceAll(/[gy]/g, ''));
  }

  read(output: Readable): void {
    const decoder = new StringDecoder('utf8');
    output.on('data', (chunk: Buffer) => (this.#said = (this.#said + decoder.write(chunk)).slice(-kept)));
  }

  /** What was found in all that was printed until now; nothing before. */
  get found(): { readonly port?: string } | undefined {
    const found = this.#pattern.exec(this.#said);
    const port = found?.groups?.['port'];
    return found === null ? undefined : { ...(port !== undefined && { port }) };
  }
}
