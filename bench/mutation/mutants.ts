import { globSync, readFileSync } from 'node:fs';

import { Instrumenter, type File, type Mutant } from '@stryker-mutator/instrumenter';

/** The rooms of which a sample is drawn. */
const rooms = ['suites', 'runner/engine'];

/**
 * A file that cannot be counted in, for its `continue` with a label is none where Stryker has put a switch around it, and the
 * file by which its tests are found.
 */
export const neighbours: Readonly<Record<string, string>> = { 'runner/engine/shrunk.ts': 'runner/engine/property.ts' };

const silent = { isDebugEnabled: () => false, debug() {}, info() {}, warn() {}, trace() {} };

/** Every mutant of the rooms, and the files as Stryker writes them: with all mutants in them, and a count of who comes by. */
export async function listMutants(): Promise<{
  readonly mutants: readonly Mutant[];
  readonly switched: readonly File[];
}> {
  const names = rooms.flatMap((room) => globSync(`${room}/**/*.ts`)).toSorted();
  const files = names.map((name) => ({ name, mutate: true, content: readFileSync(name, 'utf8') }));
  const options = { plugins: null, ignorers: [], excludedMutations: ['StringLiteral'] } as const;
  const { files: switched, mutants } = await new Instrumenter(silent).instrument(files, options);
  return {
    mutants: mutants.filter(({ status }) => status !== 'Ignored'),
    switched: switched.filter(({ name }) => !(name in neighbours)),
  };
}

/** A file with one mutant in it. */
export function mutated(text: string, { location, replacement }: Mutant): string {
  const lines = text.split('\n');
  const at = ({ line, column }: Mutant['location']['start']): number =>
    lines.slice(0, line).join('\n').length + (line > 0 ? 1 : 0) + column;
  return text.slice(0, at(location.start)) + replacement + text.slice(at(location.end));
}
