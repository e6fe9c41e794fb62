import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { isShownBy, isRequired, isTakenBy, plainElse, requiredElse } from '../../../generators/calls/plainBody.ts';
import { loadContract } from '../../../spec/contract.ts';

const press = join(import.meta.dirname, '../../../reference/press');
const text = (name: string) => readFileSync(join(press, name), 'utf8');

/** The print shop's contract, where a hook has more members than the contract places. */
const contract = loadContract({
  contract: text('contract.yaml'),
  openapi: text('openapi.yaml')
    .replace('required: [target, topics]\n', 'required: [target, topics, name, plan, code, size, since, place]\n')
    .replace(
      /^ {8}status: .*\n/m,
      () => `        name: { type: string }
        plan: { type: string, examples: [basic] }
        code: { type: string, pattern: '^[A-Z]{3}$' }
        size: { type: integer, default: 4 }
        since: { type: string, readOnly: true }
        place: { type: object, required: [city], properties: { city: { enum: [Bergen] } } }
        note: { type: string }
        status: { type: string, readOnly: true }
`,
    ),
});

it('fills in what a call has to hold beside the members of a webhook', () => {
  expect(Object.fromEntries(requiredElse(contract, 'create'))).toEqual({
    '/name': 'seaworthy',
    '/plan': 'basic',
    '/code': 'AAA',
    '/size': 4,
    '/place': { city: 'Bergen' },
  });
  expect(plainElse(contract)).toMatchObject({ '/note': null, '/since': null });
  const required = ['/target', '/topics', '/name', '/note'].filter((place) => isRequired(contract, 'create', place));
  expect(required).toEqual(['/target', '/topics', '/name']);
});

it('knows what a creation takes', () => {
  const taken = (['url', 'events', 'active', 'secret', 'headers'] as const).filter((name) =>
    isTakenBy(contract, 'create', name),
  );
  expect(taken).toEqual(['url', 'events']);
});

it('fills in nothing for the tracking service', () => {
  const tracking = loadContract();
  expect([requiredElse(tracking, 'create'), requiredElse(tracking, 'update'), plainElse(tracking)]).toEqual([
    [],
    [],
    {},
  ]);
  expect(isTakenBy(tracking, 'create', 'active')).toBe(true);
});

it('knows what the answer to a creation shows', () => {
  const openapi = text('openapi.yaml');
  const answer = openapi.indexOf('    Hook:\n');
  const silent = openapi.slice(0, answer) + openapi.slice(answer).replace(/^ {8}topics: .*\n/m, '');
  expect(isShownBy(contract, 'events')).toBe(true);
  expect(isShownBy(loadContract({ contract: text('contract.yaml'), openapi: silent }), 'events')).toBe(false);
});
