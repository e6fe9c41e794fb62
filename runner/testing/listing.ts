import type { Expectation } from '../../reports/model/events.ts';
import type { Contract } from '../../spec/contract.ts';

/** A check, as a test. */
export interface ListedCheck {
  readonly id: string;
  readonly title: string;
  readonly requirements: readonly string[];
  /** Where it is known to fail. */
  readonly known?: Expectation;
}

/** The checks of a requirement, as a group of tests. */
export interface ListedRequirement {
  readonly title: string;
  readonly checks: readonly ListedCheck[];
}

type Listable = Pick<ListedCheck, 'id' | 'title' | 'requirements'>;

/** Each check under the requirement that is its main point, in the order of the checks. */
export function listing(
  contract: Contract,
  checks: readonly Listable[],
  expectations: readonly Expectation[],
): readonly ListedRequirement[] {
  const today = new Date().toISOString().slice(0, 10);
  const counting = expectations.filter(({ expires }) => expires === undefined || expires >= today);
  const groups = Map.groupBy(checks, ({ requirements }) => requirements[0] ?? '');
  return [...groups].map(([id, own]) => ({
    title: `${id}: ${contract.requirement(id).statement}`,
    checks: own.map((check) => {
      const known = counting.find((entry) => entry.id === check.id);
      const { title, requirements } = check;
      return { id: check.id, title, requirements, ...(known && { known }) };
    }),
  }));
}

/** `receiver/signature/forged: refuses ...`, so that tests can be chosen by the id of the check, also by a part of it. */
export function testName({ id, title, known }: ListedCheck): string {
  return `${id}: ${title}${known === undefined ? '' : ` (known to fail: ${known.reason})`}`;
}
