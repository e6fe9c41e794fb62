import { appendFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { fuzzedFaults, fuzzRun, type FuzzJob, type FuzzRun } from './fuzzRun.ts';
import { fuzzTable, isFound } from './fuzzTable.ts';
import { keepFound } from './keepFound.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seeds: { type: 'string', default: '5' },
    /** Seconds of a search. */
    time: { type: 'string', default: '60' },
    /** Searches at a time: they wait more than they compute. */
    beside: { type: 'string', default: '1' },
    /** Forgets the runs of before. */
    fresh: { type: 'boolean', default: false },
    /** Writes the table into docs/measurements.md. */
    write: { type: 'boolean', default: false },
    /** Writes the smallest sequence of each fault into test/proof/fuzzed. */
    keep: { type: 'boolean', default: false },
  },
});

const path = (name: string): string => fileURLToPath(new URL(`../${name}`, import.meta.url));
/** One run a line, so that an interrupted table goes on where it was. */
const file = path('.seaworthy/fuzz-bench.ndjson');
const document = path('docs/measurements.md');
const markers = ['<!-- table of npm run bench:fuzz -->', '<!-- end of the table -->'] as const;

function allJobs(): readonly FuzzJob[] {
  const unknown = positionals.filter((name) => !fuzzedFaults.includes(name));
  if (unknown.length > 0) {
    throw new RangeError(`No subtle fault is named ${unknown.join(', ')}. Valid are: ${fuzzedFaults.join(', ')}.`);
  }
  const faults = positionals.length > 0 ? positionals : fuzzedFaults;
  const seeds = Array.from({ length: Number(values.seeds) }, (_, index) => index + 1);
  const time = Number(values.time);
  return seeds.flatMap((seed) =>
    faults.flatMap((fault) => [true, false].map((feedback) => ({ fault, seed, feedback, time }))),
  );
}

async function earlierRuns(): Promise<readonly FuzzRun[]> {
  await mkdir(dirname(file), { recursive: true });
  if (values.fresh) await rm(file, { force: true });
  const text = await readFile(file, 'utf8').catch(() => '');
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as FuzzRun]));
}

function reported(run: FuzzRun): string {
  const { fault, seed, feedback, found, cases, flaky, exit } = run;
  const seen =
    found === undefined
      ? `nothing in ${cases} sequences (exit ${exit})`
      : `${isFound(run) ? '' : 'NOT ITS OWN: '}${found.requirement} ${found.cause} after ${found.seen.toFixed(1)} s, ${found.before} steps, shrunk to ${found.after} after ${found.reported.toFixed(1)} s`;
  return `${fault}, seed ${seed}${feedback ? '' : ', without feedback'}: ${seen}${flaky > 0 ? `, ${flaky} flaky` : ''}`;
}

async function writeDocument(table: string): Promise<void> {
  const text = await readFile(document, 'utf8');
  const [begin, end] = markers.map((marker) => text.indexOf(marker)) as [number, number];
  if (begin < 0 || end < begin)
    throw new Error(`${document} does not hold ${markers.join(' and ')}, one after the other.`);
  await writeFile(document, `${text.slice(0, begin)}${markers[0]}\n\n${table}\n\n${text.slice(end)}`);
}

// So that the programs it started are interrupted as well, and leave no reference behind.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

const jobs = allJobs();
const runs = [...(await earlierRuns())];
const isSame = (one: FuzzJob) => (other: FuzzJob) =>
  (['fault', 'seed', 'feedback', 'time'] as const).every((name) => one[name] === other[name]);

const left = jobs.filter((job) => !runs.some(isSame(job)));
async function work(): Promise<void> {
  for (let job = left.shift(); job !== undefined; job = left.shift()) {
    const run = await fuzzRun(job);
    runs.push(run);
    await appendFile(file, `${JSON.stringify(run)}\n`);
    console.error(reported(run));
  }
}
await Promise.all(Array.from({ length: Number(values.beside) }, work));

const wanted = jobs.flatMap((job) => runs.filter(isSame(job)).slice(-1));
const table = `Node ${process.version}, ${availableParallelism()} cores, ${process.platform} ${process.arch}; budget ${values.time} s, ${values.beside} searches at a time, median of ${values.seeds} seeds

${fuzzTable(wanted)}`;
console.log(table);
if (values.write) await writeDocument(table);
if (values.keep) await keepFound(wanted);
