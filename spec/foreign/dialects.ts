import type { ForeignReading, Members } from './reading.ts';
import { isRecord } from '../jsonSchema.ts';
import { below } from '../pointer.ts';

/**
 * Writes what OpenAPI 3.0 and older drafts of JSON Schema say in the words of JSON Schema 2020-12: `nullable`,
 * `exclusiveMinimum: true`, `items` as a list, `additionalItems`, `dependencies`.
 */
export function modernised(schema: Members, pointer: string, reading: ForeignReading): Members {
  return [nullable, exclusive, tuples, dependencies].reduce((members, step) => step(members, pointer, reading), schema);
}

type Step = (members: Members, pointer: string, reading: ForeignReading) => Members;

const nullable: Step = (members, pointer, { say, isOpenApi30 }) => {
  const { type, nullable: isNullable } = members;
  if (isNullable !== true) return members;
  if (isOpenApi30) return type === undefined ? members : { ...members, type: [...new Set([type, 'null'].flat())] };
  const message =
    "nullable is a keyword of OpenAPI 3.0 only; 3.1 has the type 'null'. No null is generated where it stands.";
  say(below(pointer, 'nullable'), 'nullable', 'narrowed', message, 'nullable');
  return members;
};

const exclusive: Step = (members, pointer, { say, isOpenApi30 }) =>
  (['Minimum', 'Maximum'] as const).reduce((all, end) => {
    const [keyword, bound] = [`exclusive${end}`, end.toLowerCase()];
    const { [keyword]: value, [bound]: number, ...rest } = all;
    if (typeof value !== 'boolean') return all;
    if (!isOpenApi30) {
      const message = `${keyword} is ${value}, as in OpenAPI 3.0; since then it is the bound itself. It is taken as it was meant.`;
      say(below(pointer, keyword), keyword, 'translated', message);
    }
    return { ...rest, ...(number === undefined ? {} : { [value ? keyword : bound]: number }) };
  }, members);

const tuples: Step = (members, pointer, { say }) => {
  const { items, additionalItems, ...rest } = members;
  if (!Array.isArray(items)) return members;
  const message = 'items is a list, as in older drafts; it is called prefixItems now. It is taken as it was meant.';
  say(below(pointer, 'items'), 'items', 'translated', message);
  return {
    ...rest,
    prefixItems: items as unknown[],
    ...(additionalItems === undefined ? {} : { items: additionalItems }),
  };
};

const dependencies: Step = (members, pointer, { say }) => {
  const { dependencies: all, ...rest } = members;
  if (!isRecord(all)) return members;
  const message = 'dependencies is now called dependentRequired and dependentSchemas. It is taken as it was meant.';
  say(below(pointer, 'dependencies'), 'dependencies', 'translated', message);
  const [names, schemas] = [true, false].map((isList) =>
    Object.fromEntries(Object.entries(all).filter(([, value]) => Array.isArray(value) === isList)),
  );
  return { dependentRequired: names, dependentSchemas: schemas, ...rest };
};
