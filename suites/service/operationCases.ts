import fc, { type Arbitrary } from 'fast-check';

import type { Contract } from '../../spec/contract.ts';
import { offers, type ServiceTerms } from '../../spec/serviceTerms.ts';
import type { OperationRole } from '../../spec/names.ts';

/** One case for each of these roles that the contract has: the id of the operation that plays it, for that is what a report shows. */
export function operationCases(contract: Contract, roles: readonly OperationRole[]): readonly Arbitrary<string>[] {
  return roles
    .filter((role) => offers(contract, role))
    .map((role) => fc.constant(contract.operation(role).operationId));
}

/** The role that an operation plays, of some, with what stands beside it. @throws TypeError where it plays none of them */
export function rowOf<Row extends readonly [OperationRole, unknown]>(
  { operations }: ServiceTerms,
  operationId: string,
  rows: readonly Row[],
): Row {
  const row = rows.find(([role]) => operations[role] === operationId);
  if (row !== undefined) return row;
  throw new TypeError(`${operationId} plays none of the roles ${rows.map(([role]) => role).join(', ')}`);
}
