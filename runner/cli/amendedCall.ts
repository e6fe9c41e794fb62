import { resolve } from 'node:path';

import type { Expectation, RunEvent, RunStarted } from '../../reports/model/events.ts';
import { resumeDifferences } from '../../reports/model/shards.ts';
import { summarise } from '../../reports/model/summary.ts';
import { UsageError } from '../errors.ts';
import type { CommandLine, SettingSources } from '../options/settings.ts';
import type { ProcessSpec } from '../process/targetProcess.ts';
import type { ReportTarget } from '../options/optionKinds.ts';
import { type EarlierRun, earlierRun, goingOn, isWhole } from '../output/earlierRun.ts';
import { journalEvents } from '../output/readRun.ts';
import { requireOther } from '../output/checkReports.ts';
import type { CommandWorld } from './programEnvironment.ts';
import type { RunSummary } from '../../reports/model/runSummary.ts';
import type { Header } from '../../suites/delivery.ts';
import { openAddress, withAuthorization } from '../http/openAddress.ts';
import { chosen } from '../options/selection.ts';
import { newestRun } from '../output/keptRuns.ts';

/** A call, and the run that it goes on with; none where `--resume` is not given. */
export interface ResumedCall {
  readonly sources: SettingSources;
  readonly earlier?: EarlierRun;
}

/**
 * The same call as if what the journal says of its run had been given, where the command line does not say it.
 *
 * @throws UsageError where the journal cannot be read, or is none of such a run
 */
export async function resumedCall(
  sources: SettingSources,
  { resume }: { readonly resume: string | undefined },
  workingDirectory: string,
): Promise<ResumedCall> {
  if (resume === undefined) return { sources };
  const earlier = await earlierRun(resolve(workingDirectory, resume));
  return { sources: withPlan(sources, earlier), earlier };
}

function withPlan(sources: SettingSources, earlier: EarlierRun): SettingSources {
  const { resume: _, ...given } = sources.commandLine;
  const isSelected = given['only'] !== undefined || given['skip'] !== undefined;
  const { only, assume = [], ...others } = planOf(earlier);
  const assumed = [...assume, ...(given['assume'] ?? [])];
  const commandLine = {
    ...others,
    ...(!isSelected && only && { only }),
    ...given,
    ...(assumed.length > 0 && { assume: assumed }),
  };
  return { ...sources, commandLine };
}

function planOf({ summary: { run, checks, leftOut = [], requirements, assumptions } }: EarlierRun): CommandLine {
  const { seed, intensity, strict, shard, concurrency } = run;
  const isPartial = leftOut.some(({ part }) => part === undefined);
  const elsewhere = leftOut.filter(({ part }) => part !== undefined);
  const required = requirements.filter((each) => each.required).map(({ id }) => id);
  const assumed = assumptions.filter(({ source }) => source !== 'default').map(({ key, value }) => `${key}=${value}`);
  return {
    seed: [String(seed)],
    intensity: [intensity],
    ...(strict && { strict: ['true'] }),
    ...(shard && { shard: [`${shard.index}/${shard.count}`] }),
    ...(concurrency !== undefined && { concurrency: [String(concurrency)] }),
    ...(isPartial && { only: [...checks, ...elsewhere].map(({ id }) => id) }),
    ...(required.length > 0 && { require: required }),
    ...(assumed.length > 0 && { assume: assumed }),
  };
}

/** What a plan takes over from an earlier run. What is known to fail stays known, unless a file says it anew. */
export function earlierPart(
  earlier: EarlierRun | undefined,
  { expectFailures }: { readonly expectFailures: string | undefined },
): { readonly earlier?: EarlierRun; readonly expectations?: readonly Expectation[] } {
  const { expectations } = earlier?.summary ?? {};
  return {
    ...(earlier && { earlier }),
    ...(expectations && expectFailures === undefined && { expectations }),
  };
}

/**
 * Requires that a run is the one that it is to go on with.
 *
 * @param begun - its first event
 * @throws UsageError where its plan differs, or a report would replace the journal
 */
export function requireSame(
  earlier: EarlierRun | undefined,
  begun: RunStarted,
  { targetProcess }: { readonly targetProcess?: ProcessSpec },
  reports: readonly ReportTarget[],
  { workingDirectory }: Pick<CommandWorld, 'workingDirectory'>,
): void {
  if (earlier === undefined) return;
  for (const report of reports) requireOther(report, [earlier.path], workingDirectory);
  const { target } = begun;
  // The kit chooses the port of a container anew each time.
  const isPlaced = targetProcess?.kind !== 'container';
  const address = isPlaced ? target.address : atPortOf(target.address, earlier.summary.target.address);
  const differences = resumeDifferences(earlier.summary, summarise([{ ...begun, target: { ...target, address } }]));
  if (differences.length === 0) return;
  throw new UsageError('SW_RESUME_DIFFERS', {
    received: `the journal ${earlier.path} is not of this run: ${differences.join('; ')} (first the journal, then this run)`,
    valid: 'the target, the contract, the version of the kit and the options of the run that is gone on with',
    next: 'give them again, beside --resume, or leave --resume out to begin anew',
  });
}

function atPortOf(address: string, other: string): string {
  const url = new URL(address);
  url.port = URL.parse(other)?.port ?? '';
  return url.href;
}

/**
 * The events of a run: with those of the one that it goes on with, or those alone where nothing is left to do.
 *
 * @param run - begins the run
 */
export function resumedEvents(
  earlier: EarlierRun | undefined,
  run: () => AsyncIterable<RunEvent>,
  { secrets, stderr }: Pick<CommandWorld, 'secrets' | 'stderr'>,
): AsyncIterable<RunEvent> {
  if (earlier === undefined) return run();
  const { id, settled, summary } = earlier;
  const left = summary.checks.length - settled.size;
  if (!isWhole(earlier)) {
    stderr.write(`Going on with run ${id}: ${settled.size} checks are settled, ${left} are left.\n`);
    return goingOn(run(), earlier, secrets);
  }
  stderr.write(`Nothing is left to do: run ${id} settled all of its ${settled.size} checks. It is reported again.\n`);
  return journalEvents(earlier.path);
}

/** Which run counts as the newest one: of the same kind of target, and a search where this is one. */
interface Wanted {
  readonly kind: RunSummary['target']['kind'];
  readonly search: boolean;
  readonly workingDirectory: string;
}

/** What of the settings is about it. */
interface LastFailedSettings {
  readonly lastFailed: boolean;
  readonly only: readonly string[];
}

/**
 * The same call as if the checks that failed in the newest run had been given with `--only`; of `--only` itself what is
 * among them.
 *
 * @throws UsageError where there is no such run, or no such check
 */
export async function withLastFailed(
  sources: SettingSources,
  { lastFailed, only }: LastFailedSettings,
  { kind, search, workingDirectory }: Wanted,
): Promise<SettingSources> {
  if (!lastFailed) return sources;
  const run = await newestRun(workingDirectory, (each) => {
    return each.target.kind === kind && (each.search !== undefined) === search && hasJudged(each);
  });
  if (run === undefined) throw noRun(search ? `search in a ${kind}` : `run of a ${kind}`);
  const failed = run.checks.filter(({ outcome }) => outcome === 'failed' || outcome === 'warned');
  const ids = failed.filter((check) => only.length === 0 || chosen(only, check)).map(({ id }) => id);
  if (ids.length === 0) throw nothingFailed(run, only);
  const { lastFailed: _, ...rest } = sources.commandLine;
  return { ...sources, commandLine: { ...rest, only: ids } };
}

/** A run that reached nothing says nothing of the checks that failed before it. */
function hasJudged({ checks }: RunSummary): boolean {
  return checks.some(({ outcome }) => ['passed', 'failed', 'warned'].includes(outcome));
}

function noRun(what: string): UsageError {
  return new UsageError('SW_NOTHING_SELECTED', {
    received: `--last-failed was given, and no earlier ${what} is kept here`,
    valid: 'a run in .seaworthy/runs of this directory, where a run keeps its journal unless it is given another path',
    next: 'leave --last-failed out to run all checks',
  });
}

function nothingFailed({ run }: RunSummary, only: readonly string[]): UsageError {
  const among = only.length === 0 ? '' : ` among --only ${only.join(' --only ')}`;
  return new UsageError('SW_NOTHING_SELECTED', {
    received: `--last-failed was given, and no check${among} failed in the newest run, ${run.id}`,
    valid: 'a newest run in which a check failed or warned',
    next: 'leave --last-failed out to run all checks',
  });
}

/** A call whose address holds no user and no password. */
interface OpenCall {
  readonly url: string;
  readonly sources: SettingSources;
}

/**
 * The same call as if the user and the password in the address of a receiver had been given as a header.
 *
 * @param headers - those that were given, wherever
 */
export function openCall(address: string, headers: readonly Header[], sources: SettingSources): OpenCall {
  const open = openAddress(address);
  if (open.authorization === undefined) return { url: address, sources };
  const header = withAuthorization(headers, open).map((each) => each.join(': '));
  return { url: open.address, sources: { ...sources, commandLine: { ...sources.commandLine, header } } };
}
