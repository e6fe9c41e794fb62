import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { makeDirectory } from '../makeDirectory.ts';
import type { Kept } from './corpus.ts';

/** What the file holds. */
interface CorpusDocument {
  readonly seaworthy: 'corpus';
  readonly format: 1;
  readonly subject: string;
  /** Another version may draw other steps from the same genes. */
  readonly kit: string;
  readonly sequences: readonly Kept[];
}

/** The sequences that earlier searches kept, in a file of the folder of the corpus. */
export class CorpusFile {
  readonly #folder: string;
  readonly #subject: string;
  readonly #kit: string;

  /**
   * @param folder - absolute; it is made where it is missing
   * @param kit - the version of the kit
   */
  constructor(folder: string, subject: string, kit: string) {
    this.#folder = folder;
    this.#subject = subject;
    this.#kit = kit;
  }

  /** What is there. A file that cannot be read, or that another version of the kit wrote, counts as empty. */
  read(): readonly Kept[] {
    if (!existsSync(this.#path)) return [];
    try {
      const document = JSON.parse(readFileSync(this.#path, 'utf8')) as Partial<CorpusDocument>;
      if (document.seaworthy !== 'corpus' || document.format !== 1 || document.kit !== this.#kit) return [];
      return (document.sequences ?? []).filter(isKept);
    } catch {
      return [];
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
    // A run that is killed while it writes leaves the old file.
    const fresh = `${this.#path}.${process.pid}`;
    writeFileSync(fresh, `${JSON.stringify(document)}\n`);
    renameSync(fresh, this.#path);
  }

  get #path(): string {
    return join(this.#folder, `${this.#subject}.json`);
  }
}

function isKept(value: unknown): value is Kept {
  const { genes, alone } = (value ?? {}) as Partial<Kept>;
  return typeof alone === 'boolean' && Array.isArray(genes) && genes.length > 0 && genes.every(isGene);
}

function isGene(value: unknown): boolean {
  const { kind, seed, path } = (value ?? {}) as Partial<Kept['genes'][number]>;
  return typeof kind === 'string' && Number.isInteger(seed) && typeof path === 'string' && /^(\d+(:\d+)*)?$/.test(path);
}
