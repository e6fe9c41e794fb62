import type { ErrorObject } from 'ajv/dist/2020.js';

import { parentOf } from './pointer.ts';

/** Where a value does not fit its schema, and how, in words that follow the place. */
interface TellingError {
  readonly instancePath: string;
  readonly message?: string | undefined;
}

/**
 * Of all errors of a value the one that says most. Of the variants of a `oneOf` or `anyOf` only the one is meant whose constants
 * the value has, such as its version; what it lacks of the others is no mistake.
 */
export function tellingError(errors: readonly ErrorObject[]): TellingError | undefined {
  const choices = errors.filter(({ keyword }) => keyword === 'oneOf' || keyword === 'anyOf');
  const constants = errors.filter(
    ({ keyword, instancePath }) =>
      keyword === 'const' && choices.some((choice) => choice.instancePath === parentOf(instancePath)),
  );
  const isOfOther = ({ instancePath, schemaPath }: ErrorObject): boolean =>
    constants.some(
      (constant) =>
        `${instancePath}/`.startsWith(`${parentOf(constant.instancePath)}/`) &&
        schemaPath.startsWith(constant.schemaPath.replace(/properties\/[^/]+\/const$/, '')),
    );
  const [meant] = errors.filter((error) => !choices.includes(error) && !isOfOther(error));
  const [constant] = constants;
  if (meant !== undefined || constant === undefined) return meant ?? errors[0];
  const { instancePath } = constant;
  const same = constants.filter((each) => each.instancePath === instancePath);
  const values = same.map(({ params }) => JSON.stringify(params['allowedValue']));
  return { instancePath, message: `must be ${values.join(' or ')}` };
}
