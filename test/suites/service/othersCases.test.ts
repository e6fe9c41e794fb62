import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import fc from 'fast-check';
import { expect, it } from 'vitest';

import { loadContract } from '../../../spec/contract.ts';
import { others } from '../../../suites/service/updates/leftAlone.ts';

const press = join(import.meta.dirname, '../../../reference/press');

it.each([
  ['required: [target, topics]', false],
  ['required: [target]', true],
])('creates webhooks without events only where the document lets it: %s', (required, isBare) => {
  const text = (name: string) => readFileSync(join(press, name), 'utf8');
  const openapi = text('openapi.yaml').replaceAll('required: [target, topics]', required);
  const contract = loadContract({ contract: text('contract.yaml'), openapi });
  const drawn = [others.cases({ contract } as never)]
    .flat()
    .flatMap((each) => fc.sample(each as fc.Arbitrary<object>, 1));
  expect(drawn.some((pair) => 'bare' in pair)).toBe(isBare);
});
