import fc from 'fast-check';

import type { FuzzStep, StepKind } from '../../suites/fuzz/fuzzing.ts';
import type { SavedCase } from '../engine/savedCase.ts';

/** What a file is checked against. */
interface Playing {
  readonly knows?: readonly string[];
  forbids?(step: FuzzStep): string | undefined;
  describe(step: FuzzStep): string;
}

/** Steps of a kind that are drawn to see what each of them has. */
const samples = { seed: 1, numRuns: 200 } as const;

/**
 * Why the steps of a saved case cannot be played: this version does not know one of them, or one was damaged.
 *
 * @param kinds - those that this run can draw
 * @returns nothing where all of them can be played
 */
export function unplayable(
  model: Playing,
  kinds: readonly StepKind[],
  { sequence = [], beside = [] }: Pick<SavedCase, 'sequence' | 'beside'>,
): string | undefined {
  const drawn = new Map(kinds.map(({ kind, steps }) => [kind, steps]));
  for (const [row, steps] of [sequence, ...beside].entries()) {
    for (const [index, { step }] of steps.entries()) {
      const place = row === 0 ? `step ${index + 1}` : `step ${index + 1} of sequence ${row} beside it`;
      if (model.knows && !model.knows.includes(step.do))
        return `${place} is one that this version of the kit does not know: ${step.do}`;
      const damage = damageOf(step, drawn.get(step.do)) ?? indescribable(step, model);
      if (damage !== undefined) return `${place} (${step.do}) is damaged: ${damage}`;
      const forbidden = model.forbids?.(step);
      if (forbidden !== undefined) return `${place} (${step.do}) is not played: ${forbidden}`;
    }
  }
  return undefined;
}

/** A member that all steps of its kind have, and in the same form, is not there, or in another form. */
function damageOf(step: FuzzStep, steps: StepKind['steps'] | undefined): string | undefined {
  if (steps === undefined) return undefined;
  const all = fc.sample(steps, samples).map(membersOf);
  const members = membersOf(step);
  for (const name of Object.keys(all[0]!)) {
    const forms = new Set(all.map((one) => formOf(one[name])));
    if (!forms.has('nothing') && members[name] === undefined) return `it has no "${name}"`;
    const [form] = forms;
    const isFixed = forms.size === 1 && form !== 'null';
    if (isFixed && formOf(members[name]) !== form) return `its "${name}" has to be ${form}`;
  }
  return undefined;
}

function membersOf(step: FuzzStep): Readonly<Record<string, unknown>> {
  return { ...step };
}

function formOf(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

function indescribable(step: FuzzStep, model: Playing): string | undefined {
  try {
    model.describe(step);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
