import fc from 'fast-check';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

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
