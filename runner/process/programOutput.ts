import { closeSync, openSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';

import { makeDirectory } from '../output/writtenFile.ts';
import { Secrets } from '../secrets/secrets.ts';
import type { SecretStream } from '../secrets/secretPattern.ts';

/** Lines that are held in memory, and the characters that are kept of each. */
const held = { lines: 500, characters: 4_000 };

/** Bytes that a file takes at most: a target that writes without end must not fill the disk. */
const fileLimit = 16 * 1024 * 1024;

const cutOff = '\n(seaworthy: the rest of the output was not kept)\n';

/**
 * What a target says, without what is secret: its last lines in memory, all of it in a file, up to 16 MiB. The file is made, with its folder,
 * when the first byte comes. Where it cannot be written, the lines in memory are all that is kept.
 */
export class KeptOutput {
  readonly #path: string;
  readonly #secrets: Secrets;
  readonly #lines: string[] = [];
  readonly #streams: OutputStream[] = [];
  #descriptor: number | undefined;
  #said = 0;
  #written = 0;
  #state: 'unopened' | 'open' | 'full' | 'unwritable' = 'unopened';

  /** @param secrets - what is kept nowhere */
  constructor(path: string, secrets = new Secrets()) {
    this.#path = path;
    this.#secrets = secrets;
  }

  /** Takes one more output stream; lines of several are kept apart even where they come in pieces. */
  keep(source: Readable): void {
    const hiding = this.#secrets.stream();
    const stream: OutputStream = { hiding, decoder: new StringDecoder('utf8'), partial: '' };
    this.#streams.push(stream);
    source.on('data', (chunk: Buffer) => this.#take(stream, hiding.write(chunk)));
    source.once('close', () => this.#take(stream, hiding.end()));
  }

  /** How many lines were said until now. */
  get position(): number {
    return this.#said;
  }

  /**
   * The last lines, those not ended yet included.
   *
   * @param since - a {@link position}: what was said before is left out
   */
  tail(count: number, since = 0): readonly string[] {
    const unended = this.#streams.map(({ partial }) => partial).filter((partial) => partial !== '');
    const lines = [...this.#lines, ...unended];
    return lines.slice(Math.max(0, lines.length - Math.min(count, this.#said - since + unended.length)));
  }

  /** The file with all of it; nothing where nothing was said, or it could not be written. */
  get file(): string | undefined {
    return this.#state === 'unopened' || this.#state === 'unwritable' ? undefined : this.#path;
  }

  /** Ends the file; what comes after is kept in memory only. */
  close(): void {
    for (const stream of this.#streams) this.#take(stream, stream.hiding.end());
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
    if (this.#state === 'open') this.#state = 'full';
  }

  #take(stream: OutputStream, shown: Buffer): void {
    this.#write(shown);
    this.#split(stream, shown);
  }

  #split(stream: OutputStream, chunk: Buffer): void {
    const lines = (stream.partial + stream.decoder.write(chunk)).split(/\r?\n/);
    stream.partial = (lines.pop() ?? '').slice(-held.characters);
    this.#said += lines.length;
    this.#lines.push(...lines.slice(-held.lines).map((line) => line.slice(0, held.characters)));
    if (this.#lines.length > held.lines) this.#lines.splice(0, this.#lines.length - held.lines);
  }

  #write(chunk: Buffer): void {
    if (this.#state === 'full' || this.#state === 'unwritable' || chunk.length === 0) return;
    try {
      this.#descriptor ??= this.#open();
      this.#written += writeSync(this.#descriptor, chunk.subarray(0, fileLimit - this.#written));
      if (this.#written < fileLimit) return;
      writeSync(this.#descriptor, cutOff);
      this.close();
    } catch {
      this.#state = 'unwritable';
    }
  }

  #open(): number {
    makeDirectory(dirname(this.#path));
    const descriptor = openSync(this.#path, 'w');
    this.#state = 'open';
    return descriptor;
  }
}

interface OutputStream {
  readonly hiding: SecretStream;
  readonly decoder: StringDecoder;
  partial: string;
}

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
