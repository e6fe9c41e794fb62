import type { RequirementId } from '../spec/names.ts';
import type { Finding, ServiceFinding } from './check.ts';

/** Which requirement of a receiver is broken, and what is known of it before a case shows it. */
export interface Point extends Partial<Parts<Finding, 'twin' | 'difference' | 'differsIn' | 'concurrent' | 'hint'>> {
  readonly requirement: RequirementId;
}

/** Members of a finding; where one is undefined, it is left out. */
type Parts<F, K extends keyof F> = { readonly [Key in K]: F[Key] | undefined };

/** What was expected of a receiver and what came, in short plain sentences, with the attempts that show it. */
type Shown = Pick<Finding, 'expected' | 'actual' | 'attempts' | 'absence' | 'effects' | 'died' | 'hung'>;

/** The same of a service, with the exchanges that show it. `absence` is false by default. */
export type ServiceShown = Pick<ServiceFinding, 'expected' | 'actual' | 'exchanges' | 'died' | 'hung'> &
  Partial<Parts<ServiceFinding, 'absence' | 'hangsOnTime' | 'twin' | 'difference' | 'hint'>>;

/**
 * The finding that a requirement, or several, is broken. All findings are made here, of both sides: what is left out of
 * one is left out of its report, and does not stand there as undefined.
 *
 * @param point - the requirements, the main one first; of a receiver also what is known of the case as a whole
 * @param shown - what this case showed
 * @example finding('WHK-5', { expected: 'active is true', actual: 'it is missing', exchanges: [call] })
 */
export function finding(point: Point, shown: Shown): Finding;
export function finding(requirement: RequirementId | readonly RequirementId[], shown: ServiceShown): ServiceFinding;
export function finding(
  point: Point | RequirementId | readonly RequirementId[],
  shown: Shown | ServiceShown,
): Finding | ServiceFinding {
  const { requirement, ...about } = isPoint(point) ? point : { requirement: point };
  const parts = { requirements: [requirement].flat(), absence: false, ...about, ...shown };
  const known = Object.entries({ ...parts, absence: parts.absence ?? false }).filter(
    ([, value]) => value !== undefined,
  );
  return Object.fromEntries(known) as unknown as Finding | ServiceFinding;
}

function isPoint(point: Point | RequirementId | readonly RequirementId[]): point is Point {
  return typeof point === 'object' && 'requirement' in point;
}
