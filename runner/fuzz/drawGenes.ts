import type { Chance } from './chance.ts';
import type { Gene, Kinds } from './gene.ts';

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
export function drawGenes(kinds: Kinds, chance: Chance, alone = false): readonly Gene[] {
  const weights = swarm(kinds, chance);
  const { most, usual } = lengths[alone ? 'alone' : 'beside'];
  const length = 1 + chance.below(chance.happens(0.15) ? most : usual);
  const [opener] = [...kinds.values()].filter(({ opens }) => opens);
  const isFirst = opener !== undefined && chance.happens(isOpened);
  const first = isFirst ? [{ kind: opener.kind, seed: chance.seed(), path: '' }] : [];
  return [...first, ...Array.from({ length }, () => drawGene(weights, chance))];
}

/** One gene of any kind. */
export function drawAnyGene(kinds: Kinds, chance: Chance): Gene {
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
