import { existsSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { checkFolder, makeDirectory } from '../output/makeDirectory.ts';
import { UsageError } from '../errors.ts';
import type { Kept } from './corpus.ts';
import { parseJson } from '../../spec/parseJson.ts';
import { readTextFile } from '../../spec/readTextFile.ts';

/** What the file holds. */
interface CorpusDocument {
  readonly seaworthy: 'corpus';
  readonly format: 1;
  readonly subject: string;
  /** Another version may draw other steps from the same genes. */
  readonly kit: string;
  readonly sequences: readonly Kept[];
}

/** What became of a file of the corpus. */
type Read = { readonly kept: readonly Kept[] } | { readonly trouble: string };

/**
 * The sequences that earlier searches kept, in a file of the folder of the corpus. A file that another version of the kit
 * wrote, or that cannot be read, stays as it is: then another one is begun beside it.
 */
export class CorpusFile {
  readonly #folder: string;
  readonly #subject: string;
  readonly #kit: string;
  #warned = false;

  /**
   * @param folder - absolute; it is made where it is missing
   * @param kit - the version of the kit
   */
  constructor(folder: string, subject: string, kit: string) {
    this.#folder = folder;
    this.#subject = subject;
    this.#kit = kit;
  }

  /** What is there; nothing where there is no file of this version. */
  read(): readonly Kept[] {
    const read = readCorpus(this.#place().path, this.#kit);
    return read !== undefined && 'kept' in read ? read.kept : [];
  }

  /**
   * Makes sure that it can be written.
   *
   * @returns a line for people where a file is there that cannot be gone on with
   * @throws UsageError where the folder cannot be made or written
   */
  check(): string | undefined {
    try {
      checkFolder(this.#folder);
    } catch (cause) {
      throw notWritable(this.#folder, cause);
    }
    const { path, trouble } = this.#place();
    return trouble && `${trouble}, and stays as it is: this search keeps its sequences in ${path}`;
  }

  /** Writes them; where that fails, says so once. @param warn - takes a line for people */
  writeOr(sequences: readonly Kept[], warn: (line: string) => void = () => {}): void {
    try {
      this.write(sequences);
    } catch (cause) {
      if (!this.#warned)
        warn(`The corpus cannot be written, so later searches begin without it: ${(cause as Error).message}`);
      this.#warned = true;
    }
  }

  write(sequences: readonly Kept[]): void {
    makeDirectory(this.#folder);
    const document: CorpusDocument = {
      seaworthy: 'corpus',
      format: 1,
      subject: this.#subject,
      kit: this.#kit,
      sequences,
    };
    const { path } = this.#place();
    // A run that is killed while it writes leaves the old file.
    const fresh = `${path}.${process.pid}`;
    writeFileSync(fresh, `${JSON.stringify(document)}\n`);
    renameSync(fresh, path);
  }

  /** The first file that is free or of this version, and what is wrong with the first of those before it. */
  #place(): { readonly path: string; readonly trouble?: string } {
    const usual = join(this.#folder, `${this.#subject}.json`);
    let trouble: string | undefined;
    for (let path = usual, number = 1; ; path = join(this.#folder, this.#otherName(number++))) {
      const read = readCorpus(path, this.#kit);
      if (read === undefined || 'kept' in read) return { path, ...(trouble !== undefined && { trouble }) };
      trouble ??= read.trouble;
    }
  }

  /** `receiver-0.2.0.json`, `receiver-0.2.0-2.json` */
  #otherName(number: number): string {
    return `${this.#subject}-${this.#kit}${number === 1 ? '' : `-${number}`}.json`;
  }
}

/** @returns nothing where there is no file */
function readCorpus(path: string, kit: string): Read | undefined {
  if (!existsSync(path)) return undefined;
  const unreadable = { trouble: `The corpus in ${path} cannot be read` };
  try {
    const document = parseJson(readTextFile(path)) as Partial<CorpusDocument> | null;
    if (document?.seaworthy !== 'corpus' || !Array.isArray(document.sequences)) return unreadable;
    if (document.format !== 1 || document.kit !== kit)
      return { trouble: `The corpus in ${path} was written by another version of the kit (${String(document.kit)})` };
    return { kept: document.sequences.filter(isKept) };
  } catch {
    return unreadable;
  }
}

function notWritable(folder: string, cause: unknown): UsageError {
  return new UsageError(
    'SW_CORPUS_WRITE',
    {
      received: `--corpus ${folder} cannot be written: ${(cause as Error).message}`,
      valid: 'a folder that can be made and written',
      next: 'choose another folder, or search without one: --no-feedback',
    },
    { cause },
  );
}

function isKept(value: unknown): value is Kept {
  const { genes, alone } = (value ?? {}) as Partial<Kept>;
  return typeof alone === 'boolean' && Array.isArray(genes) && genes.length > 0 && genes.every(isGene);
}

function isGene(value: unknown): boolean {
  const { kind, seed, path } = (value ?? {}) as Partial<Kept['genes'][number]>;
  return typeof kind === 'string' && Number.isInteger(seed) && typeof path === 'string' && /^(\d+(:\d+)*)?$/.test(path);
}
