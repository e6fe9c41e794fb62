import type { Contract } from '../../../spec/contract.ts';
import { applicable } from '../../../suites/applicable.ts';
import { receiverChecks } from '../../../suites/receiver/index.ts';
import { serviceChecks } from '../../../suites/service/index.ts';
import { jsonText } from '../../../reports/text/jsonText.ts';
import { UsageError } from '../../errors.ts';
import { matches } from '../../options/selection.ts';
import { didYouMean, nearest } from '../../../spec/nearest.ts';
import { faultsOf } from '../lazyReference.ts';
import { openContract } from '../../options/openContract.ts';
import type { CommandInput } from '../command.ts';
import { commandSettings } from '../commandSettings.ts';
import { requirementsOptions } from './command.ts';
import type { AssumptionDefinition } from '../../../spec/assumptions.ts';
import { indented } from '../../../reports/formats/terminal/page.ts';
import { amount } from '../../../reports/text/amount.ts';
import { citation } from '../../../reports/text/citation.ts';
import type { Requirement } from '../../../spec/requirement.ts';

/** What `seaworthy requirements` does. @returns the exit code */
export async function showRequirements(input: CommandInput): Promise<number> {
  const { stdout, documents } = input.programEnvironment;
  const settings = commandSettings(requirementsOptions, input);
  const contract = openContract(settings);
  const { json } = settings;
  if (settings.assumptions) {
    if (json) documents.write(jsonText(contract.assumptions));
    else stdout.write(assumptionTable(contract.assumptions, stdout.columns));
  } else {
    const rows = selected(await requirementRows(contract), input.argument);
    if (json) documents.write(jsonText(rows));
    else stdout.write(requirementTable(rows, stdout.columns));
  }
  return 0;
}

/** @throws UsageError where the pattern names none */
function selected(rows: readonly RequirementRow[], pattern: string | undefined): readonly RequirementRow[] {
  if (pattern === undefined) return rows;
  const found = rows.filter(({ id }) => matches(pattern.toUpperCase(), id));
  if (found.length > 0) return found;
  const ids = rows.map(({ id }) => id);
  throw new UsageError('SW_ID_UNKNOWN', {
    received: `the contract has no requirement ${JSON.stringify(pattern)}`,
    valid: ids.join(', '),
    next: didYouMean(nearest(pattern, ids)) ?? 'choose one of them, with * for any characters',
  });
}

async function requirementRows(contract: Contract): Promise<readonly RequirementRow[]> {
  const checks = [...applicable(contract, receiverChecks), ...applicable(contract, serviceChecks)];
  const faults = await faultsOf(contract);
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

/** A requirement with the ids of the checks that prove it and the names of the faults that break it. */
interface RequirementRow extends Requirement {
  readonly checks: readonly string[];
  readonly faults: readonly string[];
}

const headings = { receiver: 'Receivers', service: 'Services' } as const;

/** The catalogue for a terminal, receivers first. */
function requirementTable(rows: readonly RequirementRow[], columns: number): string {
  const sections = (['receiver', 'service'] as const).map((subject) => {
    const own = rows.filter((row) => row.subject === subject);
    return [
      `${headings[subject]}: ${amount(own.length, 'requirement')}`,
      ...own.map((row) => requirementEntry(row, columns)),
    ].join('\n\n');
  });
  return `${sections.join('\n\n\n')}\n`;
}

function requirementEntry(
  { id, level, section, statement, reason, checks, faults }: RequirementRow,
  columns: number,
): string {
  return [
    `${id}  ${level.toUpperCase()}  ${citation(section)}`,
    indented(statement, columns, '    '),
    ...(reason === undefined ? [] : [indented(reason, columns, '            ', '    why:    ')]),
    indented(checks.join(', ') || 'none yet', columns, '            ', '    checks: '),
    ...(faults.length === 0 ? [] : [indented(faults.join(', '), columns, '            ', '    faults: ')]),
  ].join('\n');
}
