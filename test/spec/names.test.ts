import { expect, it } from 'vitest';

import { shippedTexts } from '../../spec/contract.ts';
import { parseYaml } from '../../spec/parseYaml.ts';

type Row = Readonly<Record<string, string>>;

it('is made of the contract: npm run names brings it up to date', async () => {
  await expect(namesOf(shippedTexts())).toMatchFileSnapshot('../../spec/names.ts');
});

/** Reads the texts by itself: with names that are out of date the contract might not load. */
function namesOf({ openapi, requirements, assumptions }: ReturnType<typeof shippedTexts>): string {
  const catalogue = parseYaml(requirements) as Record<'requirements' | 'gaps', readonly Row[]>;
  const { assumptions: filled } = parseYaml(assumptions) as Record<'assumptions', readonly Row[]>;
  const { 'x-service': service } = parseYaml(openapi) as Record<'x-service', { readonly operations: Row }>;
  return [
    '// Made of the contract by `npm run names`, which a test demands. Change the YAML files, not this one.\n',
    union('RequirementId', 'The id of something that the contract asks for.', column(catalogue.requirements, 'id')),
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
