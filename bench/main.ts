import { readFile, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';

import { compared, comparisonTable, type SavedTable } from './compare.ts';
import { type Group, measured, type Row } from './group.ts';
import { making, opinions } from './making.ts';
import { memory } from './memory.ts';
import { reporting, starting } from './programs.ts';
import { receiverRuns, serviceRuns } from './runs.ts';
import { catching, sending } from './sending.ts';
import { table } from './table.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '5' },
    /** Of the time that a contender usually works in a round, where a time is set: less of it tells less. */
    part: { type: 'string', default: '1' },
    /** Of the longer run of the group `memory`. */
    deliveries: { type: 'string', default: '100000' },
    /** Writes the table to this file. */
    save: { type: 'string' },
    /** Sets the table beside one that was saved. */
    compare: { type: 'string' },
  },
});

const part = Number(values.part);
const groups: readonly Group[] = [
  making(part),
  opinions(part),
  sending,
  catching(part),
  ...receiverRuns,
  serviceRuns,
  starting,
  memory(Number(values.deliveries)),
  reporting,
];

function chosen(): readonly Group[] {
  const unknown = positionals.filter((name) => groups.every((group) => group.name !== name));
  if (unknown.length === 0) return groups.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
  const names = groups.map(({ name }) => name).join(', ');
  throw new Error(`There is no group ${unknown.join(', ')}. The groups are ${names}.`);
}

async function main(): Promise<void> {
  const before = values.compare === undefined ? undefined : await read(values.compare);
  const rounds = Math.max(1, Number(values.rounds));
  const rows: Row[] = [];
  for (const group of chosen()) {
    console.error(`${group.name} ...`);
    rows.push(...(await measured(group, rounds)));
  }
  console.log(head(rounds));
  console.log(table(rows));
  console.log(
    `\n${chosen()
      .map(({ name, how }) => `${name}: ${how.replaceAll('\n', ' ')}`)
      .join('\n')}`,
  );
  if (before !== undefined) {
    const now = before.rows.filter(({ group }) => chosen().some(({ name }) => name === group));
    console.log(`\nBeside ${values.compare}:\n${comparisonTable(compared(now, rows))}`);
  }
  if (values.save !== undefined)
    await writeFile(values.save, `${JSON.stringify({ rows } satisfies SavedTable, null, 2)}\n`);
}

async function read(file: string): Promise<SavedTable> {
  return JSON.parse(await readFile(file, 'utf8')) as SavedTable;
}

function head(rounds: number): string {
  return `Node ${process.version}, ${availableParallelism()} cores, ${process.platform} ${process.arch}. Medians of ${rounds} rounds at most.
A ratio is the first divided by what it stands beside, taken within one round, in which
they take turns. Only ratios say anything: figures depend on the machine, and on what else it does.
`;
}

await main();
