import fc, { type Arbitrary, type Value } from 'fast-check';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

import type { FuzzStep, StepKind } from '../../suites/fuzz/fuzzing.ts';

/** A sequence as it is searched for: its steps, each with what it was drawn from. */
export interface Program {
  readonly steps: readonly DrawnStep[];
}

/** A sequence of these genes; a gene that draws nothing is left out. */
export function drawProgram(kinds: Kinds, genes: readonly Gene[]): Program {
  return { steps: genes.flatMap((gene) => drawStep(kinds, gene) ?? []) };
}

export function genesOf({ steps }: Program): readonly Gene[] {
  return steps.map(({ gene }) => gene);
}

/** What is played. */
export function stepsOf({ steps }: Program): readonly FuzzStep[] {
  return steps.map(({ step }) => step);
}

export function kindsOf({ steps }: Program): readonly string[] {
  return steps.map(({ step }) => step.do);
}

/** What a step is drawn from. It survives JSON, and the same one gives the same step, as long as the kit stays the same. */
export interface Gene {
  readonly kind: string;
  readonly seed: number;
  /** The steps of shrinking that were taken: `0:2`; empty where there were none. */
  readonly path: string;
}

/** A step with all that is needed to shrink it. */
export interface DrawnStep {
  readonly gene: Gene;
  readonly step: FuzzStep;
  readonly arbitrary: Arbitrary<FuzzStep>;
  readonly value: Value<FuzzStep>;
  /** Whether it stands for itself: its gene would draw another one. */
  readonly fixed?: true;
}

/** The kinds of steps, by name. */
export type Kinds = ReadonlyMap<string, StepKind>;

/** @returns nothing where there is no such kind, or it does not shrink like that */
export function drawStep(kinds: Kinds, gene: Gene): DrawnStep | undefined {
  const arbitrary = kinds.get(gene.kind)?.steps;
  if (arbitrary === undefined) return undefined;
  const random = new fc.Random(xoroshiro128plus(gene.seed));
  let value: Value<FuzzStep> | null = arbitrary.generate(random, biasOf(gene.seed));
  for (const taken of gene.path === '' ? [] : gene.path.split(':')) {
    value = arbitrary.shrink(value.value_, value.context).getNthOrLast(Number(taken));
    if (value === null) return undefined;
  }
  return { gene, step: value.value, arbitrary, value };
}

/** The smaller neighbours of a step, the smallest first. */
export function* smallerSteps({ gene, arbitrary, value }: DrawnStep): Generator<DrawnStep> {
  let taken = 0;
  for (const smaller of arbitrary.shrink(value.value_, value.context)) {
    const path = gene.path === '' ? `${taken}` : `${gene.path}:${taken}`;
    taken += 1;
    yield { gene: { ...gene, path }, step: smaller.value, arbitrary, value: smaller };
  }
}

/** Small neighbours of a step that are farther away: with all its members at their smallest, then with the first half of them. */
export function simplestSteps(step: DrawnStep): readonly DrawnStep[] {
  const chain: DrawnStep[] = [];
  for (let last = step; chain.length < longestChain;) {
    const [smallest] = smallerSteps(last).take(1);
    if (smallest === undefined) break;
    chain.push(smallest);
    last = smallest;
  }
  // The first of them is the first neighbour.
  const places = new Set([chain.length - 1, chain.length >> 1, chain.length >> 2].filter((place) => place > 0));
  return [...places].map((place) => chain[place]!);
}

/** A step that was not drawn. It does not shrink. */
export function fixedStep(step: FuzzStep): DrawnStep {
  const arbitrary = fc.constant(step);
  const value = arbitrary.generate(new fc.Random(xoroshiro128plus(0)), undefined);
  return { gene: { kind: step.do, seed: 0, path: '' }, step, arbitrary, value, fixed: true };
}

/** Steps towards the smallest that are taken at most. */
const longestChain = 40;

/** The bias towards small and extreme values, as fast-check varies it over its runs. */
function biasOf(seed: number): number {
  return 2 + (seed % 3);
}
