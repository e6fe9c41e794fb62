import { expect, it } from 'vitest';

import { loadContract } from '../../spec/contract.ts';
import { tellingError } from '../../spec/schemaErrors.ts';

const contract = `
contract: 1
title: Kiln
event: { at: $request.body#/type }
events:
  fired:
    properties: { data: { oneOf: [{ $ref: '#/$defs/One' }, { $ref: '#/$defs/Two' }] }, at: { type: integer } }
    $defs:
      One: { type: object, required: [v, cone], properties: { v: { const: 1 } } }
      Two: { type: object, required: [v, steps], properties: { v: { const: 2 }, steps: { type: array, minItems: 1 } } }
`;

const cases: readonly (readonly [object, string])[] = [
  [{ data: { v: 1 } }, "/data must have required property 'cone'"],
  [{ data: { v: 2, steps: [] } }, '/data/steps must NOT have fewer than 1 items'],
  [{ data: { v: 2 } }, "/data must have required property 'steps'"],
  [{ data: { v: 3 } }, '/data/v must be 1 or 2'],
  [{ data: { v: 3 }, at: 'noon' }, '/at must be integer'],
  [{ data: 7 }, '/data must be object'],
];

it.each(['oneOf', 'anyOf'].flatMap((of) => cases.map(([body, said]) => [of, body, said] as const)))(
  'in %s, of %j it says %s',
  (of, body, said) => {
    const [event] = loadContract({ contract: contract.replace('oneOf', of) }).events;
    expect(event.validate({ type: 'fired', ...body })).toBe(false);
    const error = tellingError(event.validate.errors ?? []);
    expect(`${error?.instancePath} ${error?.message}`).toBe(said);
  },
);
