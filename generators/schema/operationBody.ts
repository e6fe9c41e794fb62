import type { Contract, JsonSchema } from '../../spec/contract.ts';
import type { OperationRole } from '../../spec/names.ts';

/**
 * The schema of what an operation of the contract takes as its body; of several media types, the first one's.
 *
 * @throws ContractError for a role that the contract does not have; RangeError for an operation that takes no body
 */
export function operationBody(contract: Contract, role: OperationRole): JsonSchema {
  const { operationId, request } = contract.operation(role);
  const content = Object.values(request)[0];
  if (content !== undefined) return content.schema;
  const known = contract.operations.filter(({ request }) => Object.keys(request).length > 0);
  throw new RangeError(
    `The contract has no operation '${operationId}' with a body. It has ${known.map((each) => each.operationId).join(', ')}.`,
  );
}
