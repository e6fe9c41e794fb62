import { randomInt, randomBytes } from 'node:crypto';
import { join, resolve } from 'node:path';

import type { Contract } from '../../spec/contract.ts';
import { reachOf } from '../http/access.ts';
import { assume } from '../options/assume.ts';
import type { Settings, sharedOptions } from '../options/options.ts';
import { readCertificates } from '../options/readCertificates.ts';
import { readExpectations } from '../options/readExpectations.ts';
import { dividedChecks, requiredIds } from '../options/selection.ts';
import { kitIdentity } from '../output/kitIdentity.ts';
import type { GivenOptions, RunPlan } from './plan.ts';
import type { SideCheck } from './side.ts';
import { usualTimeLimit } from './timeLimit.ts';

/** What a plan of any suite needs beside the settings; all of it has a default. */
export interface RunPlanOptions<C> {
  /** The suite to select from. Default: all checks of the kit. */
  readonly checks?: readonly C[];
  /** Ends the run early where it is aborted. */
  readonly signal?: AbortSignal;
  /** The command to show as the one that repeats the run, seed excluded. Default: `seaworthy receiver <url>` or the like. */
  readonly command?: string;
  /** What the user gave; with it, failed cases are kept in the run's directory. */
  readonly given?: GivenOptions;
  /** Milliseconds that one counterexample may take to shrink; 0 keeps each as it was found. Default: by intensity. */
  readonly shrinkTime?: number;
  /** Under which the run's own directory is made, if it needs one. Default: `.seaworthy/runs` in the working directory. */
  readonly directory?: string;
}

/** What the plan of a suite begins with. */
interface Suite<C> {
  readonly contract: Contract;
  /** Those that were asked for and apply to the contract. */
  readonly checks: readonly C[];
  /** The command without options. */
  readonly command: string;
  /** Whether the kit starts the target itself. */
  readonly startsTarget: boolean;
}

/**
 * What the plans of all suites have in common: everything checked and filled in, nothing sent yet.
 *
 * @throws UsageError for patterns that match nothing, unknown assumptions, unreadable files
 */
export async function runPlan<C extends Pick<SideCheck<never>, 'id' | 'requirements'>>(
  { contract, checks, command, startsTarget }: Suite<C>,
  settings: Settings<typeof sharedOptions>,
  options: RunPlanOptions<C>,
): Promise<Omit<RunPlan<C>, 'timeout' | 'targetProcess'>> {
  const assumptions = await assume(contract, settings.assume);
  const selected = dividedChecks(checks, settings);
  const seed = settings.seed ?? randomInt(2 ** 32);
  const runId = newRunId();
  const { require: needed, intensity, bail, strict, insecure, ca, expectFailures } = settings;
  const { concurrency, rate, settle, reset } = settings;
  return {
    contract,
    assumptions,
    ...selected,
    required: requiredIds(checks, needed),
    seed,
    intensity,
    timeLimit: settings.time ?? usualTimeLimit(intensity, startsTarget),
    ...defined({ concurrency, rate, settle, reset, shrinkTime: options.shrinkTime }),
    bail,
    strict,
    ...(ca !== undefined && { ca: await readCertificates(ca) }),
    insecure,
    reach: reachOf(settings.allowRemote),
    ...(expectFailures !== undefined && { expectations: await readExpectations(expectFailures) }),
    runId,
    command: `${options.command ?? command} --seed ${seed}`,
    directory: join(resolve(options.directory ?? join('.seaworthy', 'runs')), runId),
    ...(options.given && { given: options.given }),
    kit: kitIdentity(),
    signal: options.signal ?? new AbortController().signal,
  };
}

/** What of it was given. */
function defined<Given extends object>(given: Given): { [Name in keyof Given]?: Exclude<Given[Name], undefined> } {
  const entries = Object.entries(given).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [Name in keyof Given]?: Exclude<Given[Name], undefined> };
}

/** Settings with the default of each option that was not given. */
export function withDefaults<Settings>(
  options: Readonly<Record<string, { readonly default: unknown }>>,
  given: Partial<Settings>,
): Settings {
  const defaults = Object.entries(options).map(([name, option]) => [name, option.default]);
  return { ...Object.fromEntries(defaults), ...given } as Settings;
}

/** A name for a run that sorts by time, and is never used twice. */
function newRunId(): string {
  const time = new Date().toISOString().slice(0, 19).replaceAll(':', '-');
  return `${time}-${randomBytes(3).toString('hex')}`;
}
