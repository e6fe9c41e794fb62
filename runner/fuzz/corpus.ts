import { existsSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import fc from 'fast-check';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

import type { Gene } from './gene.ts';
import { checkFolder, makeDirectory } from '../output/writtenFile.ts';
import { UsageError } from '../errors.ts';
import { parseJson } from '../../spec/parseJson.ts';
import { readTextFile } from '../../spec/readTextFile.ts';

/** A sequence that is kept. */
export interface Kept {
  readonly genes: readonly Gene[];
  /** Whether it was played alone. */
  readonly alone: boolean;
}

/** Sequences that are kept at most, and answers that are known at most: memory must not grow with the run. */
const most = { kept: 500, features: 20_000 } as const;

/** What a search leaves to chance. The same name gives the same choices, always. */
export class Chance {
  readonly #random: fc.Random;

  /** @param name - the seed of the run, and what is chosen for */
  constructor(name: string) {
    this.#random = new fc.Random(xoroshiro128plus(fc.hash(name)));
  }

  /** A whole number from 0 up to, not including, the bound. */
  below(bound: number): number {
    return this.#random.nextInt(0, bound - 1);
  }

  /** True with this probability. */
  happens(probability: number): boolean {
    return this.#random.nextDouble() < probability;
  }

  /** A number from 0 to 1. */
  share(): number {
    return this.#random.nextDouble();
  }

  /** A seed for values. */
  seed(): number {
    return this.#random.nextInt(0, 2 ** 31 - 1);
  }

  /** One of them. @throws TypeError where there is none */
  of<T>(choices: readonly T[]): T {
    if (choices.length === 0) throw new TypeError('there is nothing to choose from');
    return choices[this.below(choices.length)]!;
  }
}

/** The sequences that are kept: for each answer that was seen, the shortest one that brought it. */
export class Corpus {
  readonly #best = new Map<string, Kept>();
  readonly #features = new Set<string>();
  /** How many answers each kept sequence is the shortest for. */
  readonly #uses = new Map<Kept, number>();
  #changes = 0;

  /** Answers that were different from all before them. */
  get distinct(): number {
    return this.#features.size;
  }

  get size(): number {
    return this.#uses.size;
  }

  /** How often it has changed. */
  get changes(): number {
    return this.#changes;
  }

  get kept(): readonly Kept[] {
    return [...this.#uses.keys()];
  }

  /** Learns what a sequence brought. @returns whether it was kept */
  learn(kept: Kept, features: readonly string[]): boolean {
    const before = this.#changes;
    for (const feature of features) this.#compare(feature, kept);
    return this.#changes > before;
  }

  /** One that was kept, the newer ones more often. */
  choose(chance: Chance, alone: boolean): Kept | undefined {
    const all = this.kept.filter((kept) => kept.alone === alone);
    if (all.length === 0) return undefined;
    const share = chance.share();
    return all[Math.floor((1 - share * share) * all.length)] ?? all.at(-1);
  }

  #compare(feature: string, kept: Kept): void {
    const best = this.#best.get(feature);
    if (best !== undefined && best.genes.length <= kept.genes.length) return;
    if (!this.#features.has(feature) && this.#features.size >= most.features) return;
    this.#features.add(feature);
    if (best === undefined && !this.#uses.has(kept) && this.#uses.size >= most.kept) return;
    this.#best.set(feature, kept);
    this.#uses.set(kept, (this.#uses.get(kept) ?? 0) + 1);
    if (best !== undefined) this.#release(best);
    this.#changes += 1;
  }

  #release(kept: Kept): void {
    const uses = (this.#uses.get(kept) ?? 0) - 1;
    if (uses > 0) this.#uses.set(kept, uses);
    else this.#uses.delete(kept);
  }
}

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
