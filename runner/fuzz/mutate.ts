import type { Chance } from './chance.ts';
import { drawAnyGene } from './drawGenes.ts';
import type { Gene, Kinds } from './gene.ts';

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
export function mutate(genes: Genes, other: Genes, kinds: Kinds, chance: Chance): Genes {
  let changed = genes;
  for (let left = 1 + chance.below(4); left > 0; left--) {
    const next = chance.of(mutations)(changed, other, kinds, chance).slice(0, longest);
    if (next.length > 0) changed = next;
  }
  return changed;
}
