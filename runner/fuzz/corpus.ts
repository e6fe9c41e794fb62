import fc from 'fast-check';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

import type { Gene } from './gene.ts';

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
