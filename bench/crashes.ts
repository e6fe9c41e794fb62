import { appendFile, mkdir, readFile, rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { receiverFaultNames, receiverFaults } from '../reference/faults/receiver/index.ts';
import { type CrashRun, crashRun, processRequirements } from './crashRun.ts';
import { crashTable, mainOf } from './crashTable.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seeds: { type: 'string', default: '5' },
    reference: { type: 'string', default: '20' },
    jobs: { type: 'string', default: '2' },
    /** Forgets the runs of before. */
    fresh: { type: 'boolean', default: false },
  },
});

/** One run a line, so that an interrupted table goes on where it was. */
const file = fileURLToPath(new URL('../.seaworthy/crashes.ndjson', import.meta.url));

type Job = Pick<CrashRun, 'fault' | 'seed'>;

/** Faults that take process control to be seen, and nothing else that has to be set up. */
function crashFaults(): readonly string[] {
  const faults = receiverFaultNames.filter(
    (name) => receiverFaults[name]!.processControl && processRequirements.has(mainOf(name)),
  );
  const unknown = positionals.filter((name) => !faults.includes(name));
  if (unknown.length === 0) return positionals.length > 0 ? positionals : faults;
  throw new RangeError(`No crash fault is named ${unknown.join(', ')}. Valid are: ${faults.join(', ')}.`);
}

function allJobs(): readonly Job[] {
  const upTo = (count: string): readonly number[] => Array.from({ length: Number(count) }, (_, index) => index + 1);
  const faulty = crashFaults().flatMap((fault) => upTo(values.seeds).map((seed) => ({ fault, seed })));
  return [...faulty, ...upTo(values.reference).map((seed) => ({ seed }))];
}

async function earlierRuns(): Promise<readonly CrashRun[]> {
  await mkdir(dirname(file), { recursive: true });
  if (values.fresh) await rm(file, { force: true });
  const text = await readFile(file, 'utf8').catch(() => '');
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as CrashRun]));
}

function reported({ fault, seed, exit, seconds, broken, undecided }: CrashRun): string {
  const name = fault ?? 'without a fault';
  const seen = broken.length > 0 ? `broken: ${broken.join(', ')}` : 'nothing broken';
  return [`${name}, seed ${seed}: ${seen} (exit ${exit}, ${seconds.toFixed(0)} s)`, ...undecided].join('\n  ');
}

// So that the programs it started are interrupted as well, and leave no receiver behind.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

const jobs = allJobs();
const runs = [...(await earlierRuns())];
const isSame = (one: Job) => (other: Job) => one.fault === other.fault && one.seed === other.seed;
const open = jobs.filter((job) => !runs.some(isSame(job)));

async function work(): Promise<void> {
  for (let job = open.shift(); job !== undefined; job = open.shift()) {
    const run = await crashRun(job.fault, job.seed);
    runs.push(run);
    await appendFile(file, `${JSON.stringify(run)}\n`);
    console.error(reported(run));
  }
}

await Promise.all(Array.from({ length: Number(values.jobs) }, work));
const wanted = jobs.flatMap((job) => runs.filter(isSame(job)).slice(-1));
console.log(`Node ${process.version}, ${availableParallelism()} cores, ${process.platform} ${process.arch}
${values.jobs} runs at a time; with a fault at the quick intensity, without one at standard

${crashTable(wanted)}`);
