import { scheduleOf, type ReceiverCheck } from '../../suites/check.ts';
import type { Contract } from '../../spec/contract.ts';

/**
 * The checks that decide MUSTs, in groups: those of the MUST with the fewest kinds of case first, so that where there is no
 * time for all as many are decided as can be. What must run alone is in no group, and a MUST that depends on it comes last.
 */
export function mustsFirst(
  checks: readonly ReceiverCheck[],
  contract: Pick<Contract, 'requirement'>,
  kindsOfCase: (check: ReceiverCheck) => number,
): readonly (readonly ReceiverCheck[])[] {
  const ids = new Set(checks.flatMap(({ requirements }) => requirements));
  const musts = [...ids].filter((id) => contract.requirement(id).level === 'must');
  const kindsOf = (check: ReceiverCheck): number => (isSociable(check) ? kindsOfCase(check) : Infinity);
  const groups = musts.map((id) => {
    const own = checks.filter(({ requirements }) => requirements.includes(id));
    return { own: own.filter(isSociable), kinds: own.reduce((sum, check) => sum + kindsOf(check), 0) };
  });
  const inOrder = groups.toSorted((one, other) => (one.kinds === other.kinds ? 0 : one.kinds - other.kinds));
  const known = new Set<ReceiverCheck>();
  return inOrder.map(({ own }) => own.filter((check) => !known.has(check) && known.add(check)));
}

function isSociable(check: ReceiverCheck): boolean {
  return check.canary === true || scheduleOf(check).kind === 'beside';
}
