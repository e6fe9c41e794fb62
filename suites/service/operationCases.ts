import fc, { type Arbitrary } from 'fast-check';

import type { Contract } from '../../spec/contract.ts';
import { offers } from '../../spec/serviceTerms.ts';
import type { OperationRole } from '../../spec/names.ts';

/** One case for each of these roles that the contract has: the id of the operation that plays it, for that is what a report shows. */
export function operationCases(contract: Contract, roles: readonly OperationRole[]): readonly Arbitrary<string>[] {
  return roles
    .filter((role) => offers(contract, role))
    .map((role) => fc.constant(contract.operation(role).operationId));
}

/** Which of these roles an operation plays. @throws TypeError where it plays none of them */
export function roleOf<Role extends OperationRole>(
  contract: Contract,
  operationId: string,
  roles: readonly Role[],
): Role {
  const role = roles.find((each) => contract.service?.operations[each] === operationId);
  if (role === undefined) throw new TypeError(`${operationId} plays none of the roles ${roles.join(', ')}`);
  return role;
}
