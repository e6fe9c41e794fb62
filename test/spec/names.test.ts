import { readFileSync } from 'node:fs';

import { expect, it } from 'vitest';

import type { ContractTexts } from '../../spec/contract.ts';
import { shippedTexts } from '../../spec/contractFiles.ts';
import { parseYaml } from '../../spec/parseYaml.ts';

type Row = Readonly<Record<string, string>>;

it('is made of the contract: npm run names brings it up to date', async () => {
  await expect(namesOf(shippedTexts())).toMatchFileSnapshot('../../spec/names.ts');
});

/** Reads the texts by itself: with names that are out of date the contract might not load. */
function namesOf({ contract, requirements, assumptions }: Required<ContractTexts>): string {
  const catalogue = parseYaml(requirements) as Record<'requirements' | 'gaps', readonly Row[]>;
  const { assumptions: filled } = parseYaml(assumptions) as Record<'assumptions', readonly Row[]>;
  const { service } = parseYaml(contract) as Record<'service', { readonly operations: Row }>;
  const general = parseYaml(
    readFileSync(new URL('../../spec/general/requirements.yaml', import.meta.url), 'utf8'),
  ) as typeof catalogue;
  const required = [...catalogue.requirements, ...general.requirements];
  return [
    '// Made of the contract by `npm run names`, which a test demands. Change the YAML files, not this one.\n',
    union('RequirementId', 'The id of something that the contract asks for.', [...new Set(column(required, 'id'))]),
    union('GapId', 'The id of something that the contract leaves open.', column(catalogue.gaps, 'id')),
    union('AssumptionKey', 'What a user writes before the `=` of `--assume`.', column(filled, 'key')),
    `/** The parts that operations of the contract play. */\nexport const operationRoles = [\n${lines(Object.keys(service.operations), (role) => `  '${role}',`)}\n] as const;\n`,
    '/** A part that an operation of the contract plays. */\nexport type OperationRole = (typeof operationRoles)[number];\n',
  ].join('\n');
}

function column(rows: readonly Row[], member: string): readonly string[] {
  return rows.map((row) => row[member]!);
}

function union(name: string, says: string, values: readonly string[]): string {
  return `/** ${says} */\nexport type ${name} =\n${lines(values, (value) => `  | '${value}'`)};\n`;
}

function lines(values: readonly string[], line: (value: string) => string): string {
  return values.map(line).join('\n');
}
