import type { Contract, JsonSchema } from '../../spec/contract.ts';

/**
 * The schema of what an operation of the contract takes as its body; of several media types, the first one's.
 *
 * @throws RangeError for an operation that the contract does not have, or that takes no body
 */
export function operationBody(contract: Contract, operationId: string): JsonSchema {
  const operation = contract.operations.find((each) => each.operationId === operationId);
  const content = Object.values(operation?.request ?? {})[0];
  if (content !== undefined) return content.schema;
  const known = contract.operations.filter(({ request }) => Object.keys(request).length > 0);
  throw new RangeError(
    `The contract has no operation '${operationId}' with a body. It has ${known.map((each) => each.operationId).join(', ')}.`,
  );
}
