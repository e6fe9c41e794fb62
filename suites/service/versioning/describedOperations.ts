import type { Contract, Operation } from '../../../spec/contract.ts';

/** The operations whose method and path the contract describes; the others are there by assumption. */
export function describedOperations(contract: Contract): readonly Operation[] {
  const assumed = contract.assumptions.flatMap(({ operation }) => (operation === undefined ? [] : [operation]));
  return contract.operations.filter(({ operationId }) => !assumed.includes(operationId));
}
