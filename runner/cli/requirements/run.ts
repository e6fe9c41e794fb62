import type { Contract } from '../../../spec/contract.ts';
import { applicable } from '../../../suites/applicable.ts';
import { receiverChecks } from '../../../suites/receiver/index.ts';
import { serviceChecks } from '../../../suites/service/index.ts';
import { jsonText } from '../../../reports/text/jsonText.ts';
import { openContract } from '../../options/openContract.ts';
import { resolveSettings } from '../../options/settings.ts';
import type { CommandInput } from '../command.ts';
import { requirementsOptions } from './options.ts';
import { requirementTable, type RequirementRow } from './requirementTable.ts';
import type { AssumptionDefinition } from '../../../spec/assumptions.ts';
import { indented } from '../indented.ts';

/** What `seaworthy requirements` does. @returns the exit code */
export async function showRequirements({
  given,
  programEnvironment: { stdout, documents, environment, workingDirectory: directory },
}: CommandInput): Promise<number> {
  const settings = resolveSettings(requirementsOptions, { commandLine: given, environment, config: [], directory });
  const contract = openContract(settings);
  const { json } = settings;
  if (settings.assumptions) {
    if (json) documents.write(jsonText(contract.assumptions));
    else stdout.write(assumptionTable(contract.assumptions, stdout.columns));
  } else {
    const rows = await requirementRows(contract);
    if (json) documents.write(jsonText(rows));
    else stdout.write(requirementTable(rows, stdout.columns));
  }
  return 0;
}

async function requirementRows(contract: Contract): Promise<readonly RequirementRow[]> {
  const [{ receiverFaults }, { serviceFaults }] = await Promise.all([
    import('../../../reference/faults/receiver/index.ts'),
    import('../../../reference/faults/service/index.ts'),
  ]);
  const checks = [...applicable(contract, receiverChecks), ...applicable(contract, serviceChecks)];
  const faults = [...Object.entries(receiverFaults), ...Object.entries(serviceFaults)];
  return contract.requirements.map((requirement) => ({
    ...requirement,
    checks: checks.filter(({ requirements }) => requirements.some((id) => id === requirement.id)).map(({ id }) => id),
    faults: faults.filter(([, { breaks }]) => breaks.some((id) => id === requirement.id)).map(([name]) => name),
  }));
}

type Shown = Pick<AssumptionDefinition, 'key' | 'gap' | 'statement' | 'default' | 'accepts' | 'how'>;

/** What is assumed where the contract is silent, for a terminal. */
function assumptionTable(assumptions: readonly Shown[], columns: number): string {
  const intro = indented(
    'Where the contract is silent, the kit assumes the following. Nothing fails because of it. Change an assumption with --assume.',
    columns,
    '',
  );
  return `${[intro, ...assumptions.map((assumption) => entry(assumption, columns))].join('\n\n')}\n`;
}

function entry({ key, gap, statement, default: value, accepts, how }: Shown, columns: number): string {
  return [
    `${key}  ${gap}`,
    indented(statement, columns, '    '),
    field('default:', value, columns),
    field('accepts:', accepts, columns),
    field('how:', how, columns),
  ].join('\n');
}

function field(name: string, text: string, columns: number): string {
  return indented(text, columns, '             ', `    ${name.padEnd(9)}`);
}
