import type { FuzzStep } from '../../suites/fuzz/fuzzing.ts';
import type { DrawnStep } from './gene.ts';

const slot = /^[a-f]$/;

/**
 * The steps with their slots named a, b, ... in the order in which they appear. A slot is a text of a step that is a
 * single letter from a to f.
 *
 * @returns the same list where they are named like that already
 */
export function slotsInOrder(steps: readonly DrawnStep[]): readonly DrawnStep[] {
  const names = new Map<string, string>();
  for (const { step } of steps) collect(step, names);
  if ([...names].every(([old, fresh]) => old === fresh)) return steps;
  return steps.map((drawn) => ({ ...drawn, step: renamed(drawn.step, names) as FuzzStep }));
}

/** The slots that a step names, in the order in which they appear. */
export function slotsOf(step: FuzzStep): readonly string[] {
  const names = new Map<string, string>();
  collect(step, names);
  return [...names.keys()];
}

function collect(value: unknown, names: Map<string, string>): void {
  if (typeof value === 'string') {
    if (slot.test(value) && !names.has(value)) names.set(value, String.fromCharCode(97 + names.size));
  } else if (typeof value === 'object' && value !== null) {
    for (const member of Object.values(value)) collect(member, names);
  }
}

function renamed(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return names.get(value) ?? value;
  if (Array.isArray(value)) return value.map((item) => renamed(item, names));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, renamed(member, names)]));
}
