import addFormats from 'ajv-formats';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import {
  invalidNeighbour,
  notification,
  valueAt,
  type InvalidNeighbour,
  type Json,
} from '../../../generators/index.ts';
import { loadContract, type CatalogueEvent, type ValidateFunction } from '../../../spec/contract.ts';
import type { JsonSchema } from '../../../spec/jsonSchema.ts';
import { obeysTheLaws } from '../laws.ts';

const contract = loadContract();
const first = contract.events[0] as CatalogueEvent;

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);

/** Whether the two differ at the changed place alone, and every error speaks of it. */
function isProven(
  schema: JsonSchema,
  validate: ValidateFunction = ajv.compile(schema),
): (neighbour: InvalidNeighbour) => boolean {
  return ({ valid, invalid, at }) => {
    const holds = validate(valid) && !validate(invalid);
    const errors = validate.errors ?? [];
    return (
      holds &&
      differences(valid, invalid, '').every((place) => isWithin(place, at)) &&
      errors.every((error) => isWithin(blamed(error), at) || isAlternative(error, at))
    );
  };
}

const isWithin = (place: string, outer: string): boolean => place === outer || place.startsWith(`${outer}/`);

const isAlternative = (error: ErrorObject, at: string): boolean =>
  /\/(anyOf|oneOf|if|propertyNames)/.test(error.schemaPath) && isWithin(at, error.instancePath);

function blamed({ instancePath, keyword, params }: ErrorObject): string {
  const { missingProperty, additionalProperty } = params as Record<string, string>;
  if (keyword === 'required') return `${instancePath}/${missingProperty}`;
  return keyword === 'additionalProperties' ? `${instancePath}/${additionalProperty}` : instancePath;
}

/** The places at which two values differ, innermost; arrays of another length differ as a whole. */
function differences(one: Json | undefined, other: Json | undefined, at: string): readonly string[] {
  if (JSON.stringify(one) === JSON.stringify(other)) return [];
  const areObjects = [one, other].every((value) => typeof value === 'object' && value !== null);
  const areAlike =
    Array.isArray(one) === Array.isArray(other) && (!Array.isArray(one) || one.length === (other as Json[]).length);
  if (!areObjects || !areAlike) return [at];
  const names = new Set([...Object.keys(one as object), ...Object.keys(other as object)]);
  return [...names].flatMap((name) =>
    differences(valueAt(one as Json, `/${name}`), valueAt(other as Json, `/${name}`), `${at}/${name}`),
  );
}

const everyKeyword: JsonSchema = {
  type: 'object',
  required: ['text', 'size', 'list'],
  properties: {
    text: { type: 'string', minLength: 2, maxLength: 6, pattern: '^[a-z]+$' },
    size: { type: 'integer', minimum: 1, maximum: 50 },
    share: { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 },
    step: { type: 'number', multipleOf: 0.5 },
    list: { type: 'array', items: { enum: ['a', 'b', 'c'] }, minItems: 1, maxItems: 3, uniqueItems: true },
    found: { type: 'array', contains: { const: 1 }, items: { type: 'integer' } },
    pair: { type: 'array', prefixItems: [{ const: 'x' }, { type: 'boolean' }], items: false, minItems: 2 },
    either: { anyOf: [{ type: 'string', format: 'uuid' }, { type: 'null' }] },
    one: { oneOf: [{ type: 'integer' }, { type: 'boolean' }] },
    names: {
      type: 'object',
      propertyNames: { pattern: '^[a-z_]+$' },
      additionalProperties: { type: 'integer' },
      minProperties: 1,
      maxProperties: 3,
    },
  },
  additionalProperties: false,
};

obeysTheLaws('invalidNeighbour of every keyword', {
  arbitrary: () => invalidNeighbour(everyKeyword, ajv.compile(everyKeyword)),
  isValid: isProven(everyKeyword),
  draws: 150,
});
// Their schemas share nearly everything, and the neighbours of one take a while.
for (const event of contract.events.filter((_, place) => place % 4 === 0)) {
  obeysTheLaws(`invalidNeighbour of ${event.name}`, {
    arbitrary: () => invalidNeighbour(event.schema, event.validate),
    isValid: isProven(event.schema, event.validate),
    draws: 20,
  });
}
obeysTheLaws('invalidNeighbour of a notification with its resources', {
  arbitrary: () =>
    invalidNeighbour(first.schema, first.validate, { valid: notification(contract, first).map(({ value }) => value) }),
  isValid: isProven(first.schema, first.validate),
});
for (const { operationId, request } of contract.operations) {
  // Its schema is the same for each media type.
  const [body] = Object.values(request);
  if (body === undefined) continue;
  const { schema, validate } = body;
  obeysTheLaws(`invalidNeighbour of ${operationId}`, {
    arbitrary: () => invalidNeighbour(schema, validate),
    isValid: isProven(schema),
    draws: 60,
  });
}

describe('invalidNeighbour', () => {
  const validate = ajv.compile(everyKeyword);
  const draw = (options = {}, numRuns = 500) =>
    fc.sample(invalidNeighbour(everyKeyword, validate, options), { seed: 6, numRuns });

  test('breaks every keyword that it can', () => {
    expect([...new Set(draw().map(({ keyword }) => keyword))].toSorted()).toMatchInlineSnapshot(`
      [
        "additionalProperties",
        "anyOf",
        "const",
        "contains",
        "enum",
        "exclusiveMaximum",
        "exclusiveMinimum",
        "format",
        "maxItems",
        "maxLength",
        "maximum",
        "minItems",
        "minLength",
        "minProperties",
        "minimum",
        "multipleOf",
        "oneOf",
        "pattern",
        "propertyNames",
        "required",
        "type",
        "uniqueItems",
      ]
    `);
  });

  test('breaks no text whose pattern searches for ever in what does not match it', () => {
    const properties = { text: { type: 'string' as const, pattern: '^(a+)+$' }, size: { type: 'integer' as const } };
    const schema = { type: 'object' as const, required: ['text'], properties };
    const drawn = fc.sample(invalidNeighbour(schema, ajv.compile(schema)), { seed: 7, numRuns: 30 });
    expect(drawn.filter(({ at, keyword }) => at === '/text' && keyword !== 'required')).toEqual([]);
  });

  test('breaks those that are asked for', () => {
    expect(new Set(draw({ keywords: ['required'] }, 100).map(({ keyword }) => keyword))).toEqual(new Set(['required']));
  });

  test('says what was changed', () => {
    const words = new Set(
      draw({ keywords: ['required', 'uniqueItems', 'additionalProperties'] }).map(({ change }) => change),
    );
    expect([...words].toSorted()).toMatchInlineSnapshot(`
      [
        "/list: an item twice",
        "/list: the member missing",
        "/size: the member missing",
        "/text: the member missing",
        "/unexpected_member: a member that may not be there",
      ]
    `);
  });

  test('an event name that is not the right one is among those of a notification', () => {
    const { event, type } = contract.delivery.members;
    const drawn = fc.sample(invalidNeighbour(first.schema, first.validate), { seed: 6, numRuns: 300 });
    expect(drawn.map(({ at }) => at)).toEqual(expect.arrayContaining([event, type, contract.delivery.members.id]));
  });
});
