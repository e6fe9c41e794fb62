import type { PassedCall } from './passedCall.ts';

/** How many of what went through a proxy. */
export interface Tally {
  readonly calls: number;
  readonly violations: number;
  /** Calls with a violation. */
  readonly violating: number;
  /** Calls that are no operation of the contract. */
  readonly undeclared: number;
  /** Calls that the target did not answer. */
  readonly unanswered: number;
}

export const emptyTally: Tally = { calls: 0, violations: 0, violating: 0, undeclared: 0, unanswered: 0 };

/** The tally with one more call. */
export function tallied(tally: Tally, { operationId, remarks, failure }: PassedCall): Tally {
  const violations = remarks.filter(({ counts }) => counts).length;
  return {
    calls: tally.calls + 1,
    violations: tally.violations + violations,
    violating: tally.violating + Number(violations > 0),
    undeclared: tally.undeclared + Number(operationId === ''),
    unanswered: tally.unanswered + Number(failure !== undefined),
  };
}

/** The closing line. */
export function tallyLine({ calls, violations, violating, undeclared, unanswered }: Tally): string {
  return [
    count(calls, 'call'),
    violations === 0 ? 'no violations' : `${count(violations, 'violation')} in ${count(violating, 'call')}`,
    ...(undeclared === 0 ? [] : [`${undeclared} undeclared`]),
    ...(unanswered === 0 ? [] : [`${unanswered} without an answer`]),
  ].join(', ');
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}
