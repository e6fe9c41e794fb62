import type { Phase } from './side.ts';

/** The checks of a phase that go on at the same time, in the order in which they come. */
export function turnsOf<C>(phase: Phase<C>): readonly (readonly C[])[] {
  const { true: shared = [], false: others = [] } = Object.groupBy(phase.checks, (check) =>
    phase.sharesWait?.(check) === true ? 'true' : 'false',
  );
  return [...(shared.length === 0 ? [] : [shared]), ...others.map((check) => [check])];
}

/** A phase, and those that go on beside it. */
export function withMeanwhile<C>(phase: Phase<C>): readonly Phase<C>[] {
  return [phase, ...(phase.meanwhile ? withMeanwhile(phase.meanwhile.phase) : [])];
}

/** Which part of the time that is left is for the first of these phases: by how many checks each has, and how long they take. */
export function shareOfFirst<C>(phases: readonly Phase<C>[]): number {
  const [first = 0, ...others] = phases.map(weightOf);
  return first === 0 ? 0 : first / others.reduce((sum, weight) => sum + weight, first);
}

function weightOf<C>({ checks, weight = 1, meanwhile }: Phase<C>): number {
  return checks.length * weight + (meanwhile ? weightOf(meanwhile.phase) : 0);
}
