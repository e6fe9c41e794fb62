import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import { parseYaml, shippedValue } from '../../spec/parseYaml.ts';

const spec = join(import.meta.dirname, '..', '..', 'spec');

test.each(globSync('{contracts/*,general}/*.yaml', { cwd: spec }))(
  '%s is known, and holds what its YAML says',
  (file) => {
    const text = readFileSync(join(spec, file), 'utf8');
    const known: unknown = JSON.parse(shippedValue(text)!);
    expect(known).toStrictEqual(parseYaml(text));
    expect(JSON.stringify(known), 'in the same order').toBe(JSON.stringify(parseYaml(text)));
  },
);

test('a text that differs by one byte is read as it is', () => {
  const text = readFileSync(join(spec, 'general', 'requirements.yaml'), 'utf8');
  expect(shippedValue(`${text} `)).toBeUndefined();
});
