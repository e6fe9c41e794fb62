import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { receiverFaults, subtleFaultNames } from '../reference/faults/receiver/index.ts';
import { serviceFaults, subtleServiceFaultNames } from '../reference/faults/service/index.ts';
import type { RunEvent } from '../reports/model/events.ts';
import { startReference } from './startReference.ts';

const program = fileURLToPath(new URL('../runner/cli/main.ts', import.meta.url));

/** What a search looks for, and how. */
export interface FuzzJob {
  readonly fault: string;
  readonly seed: number;
  readonly feedback: boolean;
  /** Its budget, in seconds. */
  readonly time: number;
}

/** What one search by the program saw. It survives JSON. */
export interface FuzzRun extends FuzzJob {
  readonly exit: number | null;
  /** Sequences that were tried. */
  readonly cases: number;
  /** Failures that did not come again. */
  readonly flaky: number;
  /** The first failure, where there was one. */
  readonly found?: FoundFailure;
}

export interface FoundFailure {
  readonly requirement: string;
  readonly cause: string;
  /** Seconds of the run until it was first seen, and until it was reported: shrunk, and tried again. */
  readonly seen: number;
  readonly reported: number;
  /** Steps of the sequence as it was found, and after it was shrunk. */
  readonly before: number;
  readonly after: number;
  /** The shrunk sequence, for people. */
  readonly steps: readonly string[];
  /** The saved case, as it stands in its file. */
  readonly file: string;
}

/** Names of all subtle faults: those of the receiver first. */
export const fuzzedFaults: readonly string[] = [...subtleFaultNames, ...subtleServiceFaultNames];

/** The requirements that a fault breaks, the main one first. */
export function brokenBy(fault: string): readonly [string, ...string[]] {
  return (receiverFaults[fault] ?? serviceFaults[fault])!.breaks;
}

/** Starts the reference with a fault as a process of its own, and searches it as a user would. */
export async function fuzzRun(job: FuzzJob): Promise<FuzzRun> {
  const folder = await mkdtemp(join(tmpdir(), 'seaworthy-fuzz-'));
  const reference = await startReference(job.fault, folder);
  try {
    const journal = join(folder, 'journal.ndjson');
    const { seed, feedback, time } = job;
    const budget = [
      '--time',
      `${time}s`,
      '--until-failure',
      '--seed',
      String(seed),
      ...(feedback ? [] : ['--no-feedback']),
    ];
    const exit = await runProgram([...reference.words, ...budget, '--report', `journal=${journal}`], folder);
    const events = (await readFile(journal, 'utf8').catch(() => '')).split('\n').filter((line) => line !== '');
    return {
      ...job,
      exit,
      ...(await seen(
        events.map((line) => JSON.parse(line) as RunEvent),
        folder,
      )),
    };
  } finally {
    await reference.close();
    await rm(folder, { recursive: true });
  }
}

async function runProgram(words: readonly string[], cwd: string): Promise<number | null> {
  const kit = spawn(process.execPath, [program, 'fuzz', ...words], { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
  const interrupt = () => kit.kill('SIGINT');
  process.once('exit', interrupt);
  const [code] = (await once(kit, 'exit')) as [number | null];
  process.off('exit', interrupt);
  return code;
}

async function seen(events: readonly RunEvent[], folder: string): Promise<Pick<FuzzRun, 'cases' | 'flaky' | 'found'>> {
  const last = events.findLast(({ type }) => type === 'fuzz.progressed');
  const failed = events.flatMap((event) => (event.type === 'fuzz.failed' ? [event] : []));
  const first = failed.find(({ outcome }) => outcome === 'failed');
  return {
    cases: last?.type === 'fuzz.progressed' ? last.cases : 0,
    flaky: failed.filter(({ outcome }) => outcome === 'flaky').length,
    ...(first && {
      found: {
        requirement: first.counterexample.requirements[0]!,
        cause: first.cause,
        seen: (first.at ?? first.ms) / 1000,
        reported: first.ms / 1000,
        before: first.found,
        after: first.steps.length,
        steps: first.steps,
        file: await readFile(resolve(folder, first.counterexample.file ?? ''), 'utf8').catch(() => ''),
      },
    }),
  };
}
