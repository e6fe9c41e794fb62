import type { ErrorObject } from 'ajv/dist/2020.js';

import { isRecord } from './jsonSchema.ts';
import { didYouMean, nearest } from './nearest.ts';
import { parentOf } from './pointer.ts';

/** The first example of a schema, as YAML that stands on one line. */
export function exampleOf(schema: unknown, before: string): string {
  const examples = isRecord(schema) ? schema['examples'] : undefined;
  if (!Array.isArray(examples) || examples.length === 0) return '';
  return `${before}${examples.map(shownValue).join(' or ')}`;
}

/** A value as JSON, on one line and not too long. */
export function shownValue(value: unknown): string {
  return JSON.stringify(value)?.slice(0, 120) ?? 'missing';
}

const kinds: Readonly<Record<string, string>> = {
  string: 'a text',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a mapping',
};

/** What a schema allows where a value did not fit, in words. Ajv has to be `verbose`. */
export function validOf({ keyword, params, data, schema, parentSchema }: ErrorObject): string {
  if (keyword === 'enum') {
    const allowed = (params['allowedValues'] as readonly unknown[]).map(String);
    const meant = typeof data === 'string' ? didYouMean(nearest(data, allowed)) : undefined;
    return `one of ${allowed.join(', ')}${meant === undefined ? '' : ` (${meant})`}`;
  }
  if (keyword === 'const') return shownValue(schema);
  const { minimum, maximum, pattern, title } = parentSchema ?? {};
  if (keyword === 'minimum' || keyword === 'maximum') return `a whole number from ${minimum} to ${maximum}`;
  const kind = [parentSchema?.['type']]
    .flat()
    .map((type) => kinds[String(type)] ?? 'a value')
    .join(' or ');
  const form = exampleOf(parentSchema, ' such as ');
  if (typeof title === 'string') return `${title}${form}`;
  return form === '' && typeof pattern === 'string' ? `${kind} of the form ${pattern}` : `${kind}${form}`;
}

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
