import { type Failing, type Shrinking, type Shrunken, simplerProgram } from './simplerProgram.ts';
import type { DrawnStep } from './gene.ts';
import type { FuzzStep } from '../../suites/fuzz/fuzzing.ts';

/**
 * Looks for the smallest sequence that fails in the same way: fewer steps count most, then simpler steps, then slots
 * whose names are in the order in which they appear. Ends once nothing smaller fails, or there is no more time.
 */
export async function shrinkProgram<F>(failing: Failing<F>, given: Shrinking<F>): Promise<Shrunken<F>> {
  let cut = false;
  const goesOn = (): boolean => {
    const isTime = given.goesOn();
    cut ||= !isTime;
    return isTime;
  };
  const shrinking = { ...given, goesOn };
  let smallest = failing;
  for (let simpler = true; simpler && shrinking.goesOn();) {
    const shorter = await shorterProgram(smallest, shrinking);
    // Nothing of it could be made simpler a moment ago.
    if (shorter === smallest && smallest !== failing) break;
    smallest = await simplerProgram(shorter, shrinking);
    simpler = smallest !== shorter;
  }
  return { ...(await withSlotsInOrder(smallest, shrinking)), cut };
}

async function withSlotsInOrder<F>(failing: Failing<F>, shrinking: Shrinking<F>): Promise<Failing<F>> {
  const { steps } = failing.program;
  const renamed = slotsInOrder(steps);
  if (renamed === steps) return failing;
  const [failed] = await shrinking.play([{ steps: renamed }]);
  return failed ?? failing;
}

/** Places of steps in a sequence, in order. */
type Places = readonly number[];

/** Steps of a sequence that were tried alone. */
interface Tried<F> {
  readonly places: Places;
  /** Nothing where they hold. */
  readonly failing: Failing<F> | undefined;
}

/** Slots whose steps are tried alone, at most. */
const fewSlots = 2;

/**
 * Leaves out the steps that a failure does not need: whole parts, what does not belong to one or two slots, single steps;
 * then all at once that could be left out one by one.
 */
async function shorterProgram<F>(failing: Failing<F>, shrinking: Shrinking<F>): Promise<Failing<F>> {
  let smallest = failing;
  let guesses: readonly Places[] = [];
  while (smallest.program.steps.length > 1 && shrinking.goesOn()) {
    const { steps } = smallest.program;
    const tried = await firstThatFail(steps, [...guesses, ...candidatesFor(steps, shrinking.width)], shrinking);
    const best = shortestOf(tried);
    if (best?.failing === undefined) return smallest;
    smallest = best.failing;
    guesses = guessesFrom(tried, best.places, steps.length);
  }
  return smallest;
}

function candidatesFor(steps: readonly DrawnStep[], width: number): readonly Places[] {
  const places = steps.map((_, place) => place);
  return [...ofFewSlots(steps), ...subsequences(places, width)];
}

/** The steps of one slot or two, with those that name none and without them. */
function ofFewSlots(steps: readonly DrawnStep[]): readonly Places[] {
  const named = steps.map(({ step }) => slotsOf(step));
  const slots = [...new Set(named.flat())];
  const sets = slots.flatMap((slot, place) => [[slot], ...slots.slice(place + 1).map((other) => [slot, other])]);
  return sets
    .filter(({ length }) => length <= fewSlots && slots.length > 1)
    .toSorted((one, other) => one.length - other.length)
    .map((set) => [...named.keys()].filter((place) => named[place]!.every((slot) => set.includes(slot))));
}

/** Tries candidates in parts, up to the first part in which some fail. @returns what was tried in that part */
async function firstThatFail<F>(
  steps: readonly DrawnStep[],
  candidates: readonly Places[],
  shrinking: Shrinking<F>,
): Promise<readonly Tried<F>[]> {
  const distinct = new Map(candidates.map((places) => [places.join(), places]));
  const proper = [...distinct.values()].filter(({ length }) => length > 0 && length < steps.length);
  for (let from = 0; from < proper.length && shrinking.goesOn(); from += shrinking.width) {
    const part = proper.slice(from, from + shrinking.width);
    const failed = await shrinking.play(part.map((places) => ({ steps: places.map((place) => steps[place]!) })));
    if (failed.some((each) => each !== undefined))
      return part.map((places, index) => ({ places, failing: failed[index] }));
  }
  return [];
}

function shortestOf<F>(tried: readonly Tried<F>[]): Tried<F> | undefined {
  const failed = tried.filter(({ failing }) => failing !== undefined);
  return failed.toSorted((one, other) => one.places.length - other.places.length)[0];
}

/** What to try next of the shortest: the steps that could not be left out alone, then these and each one of the others. */
function guessesFrom<F>(tried: readonly Tried<F>[], shortest: Places, length: number): readonly Places[] {
  const single = tried.filter(({ places }) => places.length === length - 1);
  if (single.length < length / 2) return [];
  const free = new Set(single.flatMap(({ places, failing }) => (failing ? (missingIn(places, length) ?? []) : [])));
  const needed = [...shortest.keys()].filter((index) => !free.has(shortest[index]!));
  const others = [...shortest.keys()].filter((index) => free.has(shortest[index]!));
  return [needed, ...others.map((other) => [...needed, other].toSorted((one, next) => one - next))];
}

function missingIn(places: Places, length: number): number | undefined {
  return Array.from({ length }, (_, place) => place).find((place) => !places.includes(place));
}

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
function slotsOf(step: FuzzStep): readonly string[] {
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

/** Candidates from which on short ones are guessed, too. */
const many = 16;

/**
 * Shorter candidates of a list, in the order in which they are worth trying. Where few may be tried: those that leave
 * out a half, a quarter, ..., one element. Else all that there are where the list is short; or those, and all that have one
 * or two elements.
 *
 * @param most - how many are tried at once
 */
export function subsequences<T>(list: readonly T[], most: number): readonly (readonly T[])[] {
  const places = list.map((_, place) => place);
  const shorter = most < many ? withoutParts(places) : manyOf(places, most);
  const distinct = new Map(shorter.map((some) => [some.join(), some]));
  const proper = [...distinct.values()].filter(({ length }) => length > 0 && length < list.length);
  return proper.map((some) => some.map((place) => list[place]!));
}

function manyOf(places: Places, most: number): readonly Places[] {
  const all = places.length < 12 && 2 ** places.length - 2 <= most ? allOf(places) : someOf(places, most);
  return all.toSorted((one, other) => one.length - other.length);
}

function allOf(places: Places): readonly Places[] {
  return Array.from({ length: 2 ** places.length }, (_, bits) => places.filter((place) => (bits >> place) & 1));
}

function someOf(places: Places, most: number): readonly Places[] {
  const parts = withoutParts(places);
  const pairs = places.flatMap((one) => places.slice(one + 1).map((other) => [one, other]));
  return [...parts, ...[...places.map((place) => [place]), ...pairs].slice(0, Math.max(0, most - parts.length))];
}

function withoutParts(places: Places): readonly Places[] {
  const sizes: number[] = [];
  for (let size = Math.ceil(places.length / 2); size > 1; size = Math.ceil(size / 2)) sizes.push(size);
  return [...sizes, 1].flatMap((size) => {
    const starts = places.filter((place) => place % size === 0);
    return starts.map((start) => places.filter((place) => place < start || place >= start + size));
  });
}
