import type { AssumptionDefinition } from '../../spec/assumptions.ts';
import { indented } from './indented.ts';

type Shown = Pick<AssumptionDefinition, 'key' | 'gap' | 'statement' | 'default' | 'accepts' | 'how'>;

/** What is assumed where the contract is silent, for a terminal. */
export function assumptionTable(assumptions: readonly Shown[], columns: number): string {
  const intro = indented(
    'Where the contract is silent, the kit assumes the following. Nothing fails because of it; say otherwise with --assume.',
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
