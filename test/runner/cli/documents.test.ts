import { readFile } from 'node:fs/promises';

import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';

import { formatTable } from '../../../reports/formats/index.ts';
import { errorsDocument } from '../../../runner/errors.ts';
import { formDocument } from '../../../runner/cli/contract/formDocument.ts';
import { configSchema } from '../../../runner/options/config.ts';
import { optionsDocument } from '../../../runner/cli/optionsDocument.ts';
import { contractFormSchema } from '../../../spec/contractForm.ts';

describe('the documents that are made from code, which npm run docs brings up to date', () => {
  it('lists every option, as the code has it', async () => {
    await expect(optionsDocument()).toMatchFileSnapshot('../../../docs/options.md');
  });

  it('lists every format, as the code has it', async () => {
    const text = await readFile(new URL('../../../docs/reports.md', import.meta.url), 'utf8');
    const [before, after] = text.split(/(?<=^<!-- formats: .* -->\n)[^]*(?=^<!-- end of the formats -->$)/m);
    expect(after).toBeDefined();
    await expect(`${before}\n${formatTable()}\n\n${after}`).toMatchFileSnapshot('../../../docs/reports.md');
  });

  it('lists every member of a contract.yaml, as its schema has it', async () => {
    await expect(formDocument()).toMatchFileSnapshot('../../../docs/contract-form.md');
  });

  it('has the schema of a config file, as the options have it', async () => {
    const text = `${JSON.stringify(configSchema(), null, 2)}\n`;
    await expect(text).toMatchFileSnapshot('../../../runner/options/config.schema.json');
  });

  it('lists every error, as the code has it', async () => {
    await expect(errorsDocument()).toMatchFileSnapshot('../../../docs/errors.md');
  });
});

it.each([
  ['a config file', configSchema()],
  ['a contract.yaml', contractFormSchema()],
])('the schema of %s is JSON Schema 2020-12', (_, schema) => {
  expect(new Ajv2020().validateSchema(schema)).toBe(true);
});
