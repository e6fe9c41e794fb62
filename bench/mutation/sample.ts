import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';

import { createVitest, type TestSpecification, type Vitest } from 'vitest/node';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

import { chosenTests, type Chosen } from './chosenTests.ts';
import { listMutants, mutated } from './mutants.ts';
import type { Reach } from './reachFile.ts';

/** Milliseconds after which a mutant hangs. */
const patience = 70_000;

const [room = '', count = '100'] = process.argv.slice(2);
const judged = `.seaworthy/judged-${room.replace('/', '-')}.jsonl`;
const generator = xoroshiro128plus(18);

/** How a mutant ended. Without `noticed` it was begun, and took the program with it. */
interface Judged {
  readonly id: string;
  readonly noticed?: boolean;
  /** The tests that noticed it, and those that had the opportunity. */
  readonly by?: readonly string[];
  readonly tests?: readonly string[];
}

function drawn<Item>(list: readonly Item[]): Item[] {
  const left = [...list];
  for (let at = left.length - 1; at > 0; at -= 1) {
    const other = uniformInt(generator, 0, at);
    [left[at], left[other]] = [left[other]!, left[at]!];
  }
  return left;
}

function record(entry: Judged): void {
  appendFileSync(judged, `${JSON.stringify(entry)}\n`);
}

/** Those that were judged before, so that the program goes on where it ended. One that hung was noticed. */
function earlier(): ReadonlyMap<string, boolean> {
  const lines = existsSync(judged) ? readFileSync(judged, 'utf8').trim().split('\n') : [];
  return new Map(lines.map((line) => JSON.parse(line)).map(({ id, noticed = true }: Judged) => [id, noticed]));
}

function pattern(names: readonly string[]): RegExp {
  const escaped = names.map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(' ', ' (?:> )?'));
  return new RegExp(`^\\s*(?:${escaped.join('|')})$`);
}

function specifications(vitest: Vitest, { tests, proofs }: Chosen): TestSpecification[] {
  const project = vitest.getRootProject();
  const specification = (file: string, names: readonly string[]): TestSpecification =>
    project.createSpecification(resolve(file), { testNamePattern: pattern(names) });
  const names = (reaches: readonly Reach[]): string[] => reaches.map(({ name }) => name);
  const files = [...Map.groupBy(tests, ({ file }) => file)].map(([file, own]) => specification(file, names(own)));
  if (proofs.length === 0) return files;
  const conforms = ['receiver', 'process', 'service'].map((as) => `the reference keeps the contract as a ${as}`);
  return [...files, specification('bench/mutation/judges.test.ts', [...names(proofs), ...conforms])];
}

/** Runs the tests of a mutant. @returns what failed */
async function failures(vitest: Vitest, chosen: Chosen): Promise<readonly string[]> {
  const specs = specifications(vitest, chosen);
  if (specs.length === 0) return [];
  process.env['SEAWORTHY_JUDGED'] = chosen.checks.join(',');
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specs);
  const own = testModules.filter(({ moduleId }) => specs.some((spec) => spec.moduleId === moduleId));
  const failed = own.flatMap(({ children }) => [...children.allTests('failed')].map(({ fullName }) => fullName));
  const unloaded = own.flatMap((file) => file.errors().map(({ message }) => `${file.relativeModuleId}: ${message}`));
  return [...failed, ...unloaded, ...unhandledErrors.map(String)];
}

/** The share, and between which shares that of all mutants lies, in 95 of 100 samples (Wilson). */
function score(noticed: number, of: number): string {
  const z = 1.96;
  const share = noticed / of;
  const middle = share + z ** 2 / (2 * of);
  const away = z * Math.sqrt((share * (1 - share)) / of + z ** 2 / (4 * of ** 2));
  const ends = [middle - away, middle + away].map((end) => ((100 * end) / (1 + z ** 2 / of)).toFixed(1));
  return `${room}: ${noticed} of ${of} noticed, ${(100 * share).toFixed(1)} % (${ends.join(' to ')})`;
}

const { mutants } = await listMutants();
const sample = drawn(mutants.filter(({ fileName }) => fileName.startsWith(room))).slice(0, Number(count));
const known = new Map(earlier());
const vitest = await createVitest('test', { config: 'bench/mutation/judges.config.ts', watch: false });
for (const mutant of sample) {
  const chosen = chosenTests(mutant, mutants, drawn);
  if (known.has(mutant.id)) continue;
  const { id, fileName } = mutant;
  const text = readFileSync(fileName, 'utf8');
  const restore = (): void => writeFileSync(fileName, text);
  const hang = setTimeout(() => {
    restore();
    process.exit(9);
  }, patience);
  record({ id });
  writeFileSync(fileName, mutated(text, mutant));
  vitest.invalidateFile(resolve(fileName));
  const by = await failures(vitest, chosen);
  clearTimeout(hang);
  restore();
  vitest.invalidateFile(resolve(fileName));
  known.set(id, by.length > 0);
  record({ id, noticed: by.length > 0, by, tests: [...chosen.tests, ...chosen.proofs].map(({ name }) => name) });
}
await vitest.close();
console.log(score(sample.filter(({ id }) => known.get(id)).length, sample.length));
process.exitCode = 0;
