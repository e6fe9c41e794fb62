import { Chance, type Corpus, type Kept } from './corpus.ts';
import type { FuzzFound, FuzzTarget } from './fuzzTarget.ts';
import { type Kinds, type Gene, drawProgram, type Program } from './gene.ts';

/** Steps of a sequence that was drawn anew: mostly few; and of one that runs alone, for there is time for few of those. */
const lengths = { beside: { usual: 8, most: 20 }, alone: { usual: 3, most: 8 } } as const;

/** How likely a kind takes part in a sequence, before it gets a weight of its own there. */
const takesPart = 0.6;

/** How often a sequence begins with a step of the kind that opens one, where there is such a kind. */
const isOpened = 0.9;

/**
 * Genes of a sequence that was drawn anew. Each sequence leaves out some kinds of steps and prefers others, for what
 * shows a mistake is often many of one kind (swarm testing).
 */
function drawGenes(kinds: Kinds, chance: Chance, alone = false): readonly Gene[] {
  const weights = swarm(kinds, chance);
  const { most, usual } = lengths[alone ? 'alone' : 'beside'];
  const length = 1 + chance.below(chance.happens(0.15) ? most : usual);
  const [opener] = [...kinds.values()].filter(({ opens }) => opens);
  const isFirst = opener !== undefined && chance.happens(isOpened);
  const first = isFirst ? [{ kind: opener.kind, seed: chance.seed(), path: '' }] : [];
  return [...first, ...Array.from({ length }, () => drawGene(weights, chance))];
}

/** One gene of any kind. */
function drawAnyGene(kinds: Kinds, chance: Chance): Gene {
  return drawGene(new Map([...kinds].map(([name, { weight }]) => [name, weight])), chance);
}

function swarm(kinds: Kinds, chance: Chance): ReadonlyMap<string, number> {
  const chosen = [...kinds].filter(() => chance.happens(takesPart));
  const some = chosen.length > 0 ? chosen : [chance.of([...kinds])];
  return new Map(some.map(([name, { weight }]) => [name, weight * (0.2 + chance.share() * 1.8)]));
}

function drawGene(weights: ReadonlyMap<string, number>, chance: Chance): Gene {
  const sum = [...weights.values()].reduce((all, weight) => all + weight, 0);
  let left = chance.share() * sum;
  const kind = [...weights].find(([, weight]) => (left -= weight) <= 0)?.[0] ?? [...weights.keys()].at(-1)!;
  return { kind, seed: chance.seed(), path: '' };
}

/** What is drawn depends on, beside what is kept. */
interface How {
  readonly seed: number;
  /** Whether what is kept is changed further. */
  readonly feedback: boolean;
}

/**
 * How often a sequence is a changed one of those that are kept, at most, and after how many sequences that is reached: while
 * most of what there is was not seen yet, new ones find more.
 */
const changed = { most: 0.5, after: 4000 } as const;

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
    const isChanged = chance.happens(changed.most * Math.min(1, (from + place) / changed.after));
    const program = drawProgram(kinds, kept?.genes ?? this.#genes(kinds, { chance, alone, isChanged }));
    if (alone) return this.#withProcessControl(program, kinds, chance);
    return program.steps.length > 0 ? program : drawProgram(kinds, drawGenes(kinds, chance));
  }

  #genes(kinds: Kinds, { chance, alone, isChanged }: { chance: Chance; alone: boolean; isChanged: boolean }) {
    const kept = isChanged && this.#how.feedback ? this.#corpus.choose(chance, alone) : undefined;
    const other = kept && this.#corpus.choose(chance, alone);
    return kept && other ? mutate(kept.genes, other.genes, kinds, chance) : drawGenes(kinds, chance, alone);
  }

  /** What runs alone holds process control of the target somewhere. */
  #withProcessControl(program: Program, kinds: Kinds, chance: Chance): Program {
    const holds = ({ steps }: Program): boolean => steps.some(({ step }) => this.#target.model.controlsProcess(step));
    for (let tries = 0; tries < 100 && !holds(program); tries++) {
      const more = drawProgram(kinds, [drawAnyGene(kinds, chance)]);
      if (!holds(more)) continue;
      const at = chance.below(program.steps.length + 1);
      return { steps: program.steps.toSpliced(at, 0, ...more.steps) };
    }
    return program;
  }
}

/** Steps of a sequence that was changed, at most. */
const longest = 24;

type Genes = readonly Gene[];

/** A change of a sequence. @param other - another one that was kept */
type Mutation = (genes: Genes, other: Genes, kinds: Kinds, chance: Chance) => Genes;

const mutations: readonly Mutation[] = [
  function drop(genes, _other, _kinds, chance) {
    return genes.toSpliced(chance.below(genes.length), 1);
  },
  function repeat(genes, _other, _kinds, chance) {
    return genes.toSpliced(chance.below(genes.length + 1), 0, chance.of(genes));
  },
  function swap(genes, _other, _kinds, chance) {
    const [one, two] = [chance.below(genes.length), chance.below(genes.length)];
    return genes.with(one, genes[two]!).with(two, genes[one]!);
  },
  function splice(genes, other, _kinds, chance) {
    return [...genes.slice(0, 1 + chance.below(genes.length)), ...other.slice(chance.below(other.length))];
  },
  function redraw(genes, _other, _kinds, chance) {
    const place = chance.below(genes.length);
    return genes.with(place, { ...genes[place]!, seed: chance.seed(), path: '' });
  },
  function add(genes, _other, kinds, chance) {
    return genes.toSpliced(chance.below(genes.length + 1), 0, drawAnyGene(kinds, chance));
  },
];

/** A sequence that was kept, changed in one to four places. */
function mutate(genes: Genes, other: Genes, kinds: Kinds, chance: Chance): Genes {
  let changed = genes;
  for (let left = 1 + chance.below(4); left > 0; left--) {
    const next = chance.of(mutations)(changed, other, kinds, chance).slice(0, longest);
    if (next.length > 0) changed = next;
  }
  return changed;
}
