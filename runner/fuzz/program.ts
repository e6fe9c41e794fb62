import type { FuzzStep } from '../../suites/fuzz/fuzzing.ts';
import { drawStep, type DrawnStep, type Gene, type Kinds } from './gene.ts';

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
