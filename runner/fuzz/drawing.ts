import { Chance } from './chance.ts';
import type { Corpus, Kept } from './corpus.ts';
import { drawAnyGene, drawGenes } from './drawGenes.ts';
import type { FuzzFound, FuzzTarget } from './fuzzTarget.ts';
import type { Kinds } from './gene.ts';
import { mutate } from './mutate.ts';
import { drawProgram, type Program } from './program.ts';

/** What is drawn depends on, beside what is kept. */
interface How {
  readonly seed: number;
  /** Whether what is kept is changed further. */
  readonly feedback: boolean;
}

/** How often a sequence is a changed one of those that are kept. */
const changed = 0.5;

/** Draws the sequences of a search: those that wait to be tried again first, then new ones and changed ones in turns. */
export class Drawing<F extends FuzzFound> {
  readonly #target: FuzzTarget<F>;
  readonly #corpus: Corpus;
  readonly #how: How;
  readonly #waiting: Kept[] = [];

  constructor(target: FuzzTarget<F>, corpus: Corpus, how: How) {
    this.#target = target;
    this.#corpus = corpus;
    this.#how = how;
  }

  /** Lets these come before all others. */
  queue(kept: readonly Kept[]): void {
    this.#waiting.push(...kept);
  }

  /** @param from - sequences that were tried before; this one is at this place of those that come next */
  draw(alone: boolean, from: number, place: number): Program {
    const { lanes } = this.#target;
    const chance = new Chance(`${this.#how.seed}/fuzz/${from + place}`);
    const kinds = this.#target.kinds(alone, place % lanes);
    const waiting = this.#waiting.findIndex((kept) => kept.alone === alone);
    const [kept] = waiting === -1 ? [] : this.#waiting.splice(waiting, 1);
    const program = drawProgram(kinds, kept?.genes ?? this.#genes(kinds, chance, alone));
    if (alone) return this.#withLife(program, kinds, chance);
    return program.steps.length > 0 ? program : drawProgram(kinds, drawGenes(kinds, chance));
  }

  #genes(kinds: Kinds, chance: Chance, alone: boolean) {
    const isChanged = this.#how.feedback && chance.happens(changed);
    const kept = isChanged ? this.#corpus.choose(chance, alone) : undefined;
    const other = kept && this.#corpus.choose(chance, alone);
    return kept && other ? mutate(kept.genes, other.genes, kinds, chance) : drawGenes(kinds, chance, alone);
  }

  /** What runs alone holds the target's life in its hands somewhere. */
  #withLife(program: Program, kinds: Kinds, chance: Chance): Program {
    const holds = ({ steps }: Program): boolean => steps.some(({ step }) => this.#target.model.holdsLife(step));
    for (let tries = 0; tries < 100 && !holds(program); tries++) {
      const more = drawProgram(kinds, [drawAnyGene(kinds, chance)]);
      if (!holds(more)) continue;
      const at = chance.below(program.steps.length + 1);
      return { steps: program.steps.toSpliced(at, 0, ...more.steps) };
    }
    return program;
  }
}
