import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { receiverFaults } from '../reference/faults/receiver/index.ts';
import type { JsonReport } from '../reports/formats/json/jsonReport.ts';
import { freePort } from '../runner/catcher/freePort.ts';
import { shellWord } from '../reports/curl/shell.ts';
import { receiverChecks } from '../suites/receiver/index.ts';

const program = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Milliseconds: a run that takes longer is interrupted, and counts as one that found nothing. */
const limit = 15 * 60_000;
const secret = 'a secret of the table';

/** The checks that need process control of the receiver, or keep it busy, and nothing else that a user would have to set up. */
const processChecks = receiverChecks.filter(
  ({ id, needs }) =>
    id.startsWith('receiver/load/') ||
    (needs.includes('process-control') && !needs.includes('api') && !needs.includes('published')),
);

/** What these checks can show broken. */
export const processRequirements: ReadonlySet<string> = new Set(
  processChecks.flatMap(({ requirements }) => requirements),
);

/** What one run of the program against the reference receiver saw. It survives JSON. */
export interface CrashRun {
  /** Nothing for the receiver that keeps the contract. */
  readonly fault?: string;
  readonly seed: number;
  readonly exit: number | null;
  readonly seconds: number;
  readonly broken: readonly string[];
  /** Of each requirement that is broken, the smallest case that shows it. */
  readonly smallest: Readonly<Record<string, SmallestCase>>;
  /** Checks that ended otherwise than passed or failed, each with the reason. */
  readonly undecided: readonly string[];
}

/** A case, and how much has to happen in it. */
export interface SmallestCase {
  /** In the words of the report. */
  readonly summary: string;
  /** Deliveries, kills, stops and pauses. */
  readonly size: number;
}

/** Runs the program as a user would, and starts the receiver through it. */
export async function crashRun(fault: string | undefined, seed: number): Promise<CrashRun> {
  const folder = await mkdtemp(join(tmpdir(), 'seaworthy-crashes-'));
  try {
    const report = join(folder, 'report.json');
    const rest = ['--seed', String(seed), '--report', `json=${report}`];
    const exit = await runProgram([...(await words(folder, fault)), ...rest]);
    const text = await readFile(report, 'utf8').catch(() => '');
    const nothing = { seconds: 0, broken: [], smallest: {}, undecided: [`no report, exit code ${exit}`] };
    return { ...(fault !== undefined && { fault }), seed, exit, ...(text === '' ? nothing : seen(JSON.parse(text))) };
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function words(folder: string, fault: string | undefined): Promise<readonly string[]> {
  const origin = `http://127.0.0.1:${await freePort('127.0.0.1', new Set())}`;
  const receiver = [process.execPath, program('../reference/receiver/main.ts'), '--port', new URL(origin).port];
  const rest = ['--secret', secret, '--database', join(folder, 'receiver.db'), ...(fault ? ['--fault', fault] : [])];
  const start = [...receiver, ...rest].map(shellWord).join(' ');
  const only = checksFor(fault).flatMap((id) => ['--only', id]);
  const timeLimit = fault === undefined ? undefined : receiverFaults[fault]!.timeout;
  // The cases of `quick` are the first of those that `standard` tries: what is found by fewer is found by more.
  const intensity = fault === undefined ? 'standard' : 'quick';
  const target = ['--intensity', intensity, '--start', start, '--secret', secret, '--probe', `${origin}/effects/{id}`];
  return ['receiver', `${origin}/hooks`, ...target, ...only, ...(timeLimit ? ['--timeout', `${timeLimit}ms`] : [])];
}

/** All of them for the receiver without a fault; of those, for a fault, the ones that its main requirement concerns. */
function checksFor(fault: string | undefined): readonly string[] {
  const main = fault === undefined ? undefined : receiverFaults[fault]!.breaks[0];
  const concerned = processChecks.filter(({ requirements }) => main === undefined || requirements.includes(main));
  return concerned.map(({ id }) => id);
}

/** Runs the program, and ends it with this one. */
export async function runProgram(options: readonly string[]): Promise<number | null> {
  const kit = spawn(process.execPath, [program('../runner/cli/main.ts'), ...options], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const interrupt = () => kit.kill('SIGINT');
  const timer = setTimeout(interrupt, limit);
  process.once('exit', interrupt);
  const [code] = (await once(kit, 'exit')) as [number | null];
  process.off('exit', interrupt);
  clearTimeout(timer);
  return code;
}

function seen({
  run,
  requirements,
  checks,
}: JsonReport): Pick<CrashRun, 'seconds' | 'broken' | 'smallest' | 'undecided'> {
  const broken = requirements.filter(({ outcome }) => outcome === 'broken').map(({ id }) => id);
  const undecided = checks.filter(({ outcome }) => !['passed', 'failed', 'warned'].includes(outcome));
  return {
    seconds: run.durationMs / 1000,
    broken,
    smallest: Object.fromEntries(broken.map((id) => [id, smallest(checks, id)])),
    undecided: undecided.map(({ id, outcome, reason }) => `${id} ${outcome}: ${reason}`),
  };
}

function smallest(checks: JsonReport['checks'], requirement: string): SmallestCase {
  const cases = checks.flatMap(({ counterexample }) => {
    if (!counterexample?.requirements.includes(requirement)) return [];
    const { summary, timeline = [], exchange } = counterexample;
    const happened = timeline.filter(({ what }) => ['sent', 'killed', 'stopping', 'paused'].includes(what)).length;
    return [{ summary, size: happened || exchange.attempts.length }];
  });
  return cases.toSorted((one, other) => one.size - other.size)[0]!;
}
