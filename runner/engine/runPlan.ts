import { randomInt, randomBytes } from 'node:crypto';
import { join, resolve } from 'node:path';

import type { Expectation } from '../../reports/model/events.ts';
import type { LeftOutCheck, Shard } from '../../reports/model/selectionEvents.ts';
import type { Contract } from '../../spec/contract.ts';
import { reachOf } from '../http/access.ts';
import { assume } from '../options/assume.ts';
import type { sharedOptions } from '../options/sharedOptions.ts';
import type { Settings } from '../options/option.ts';
import { readCertificates } from '../options/readCertificates.ts';
import { readExpectations } from '../options/readExpectations.ts';
import { dividedChecks, requiredIds } from '../options/selection.ts';
import { UsageError } from '../errors.ts';
import { runsFolder } from '../output/keptRuns.ts';
import { kitIdentity } from '../options/packages.ts';
import type { EarlierPart, GivenOptions, RunPlan } from './plan.ts';
import type { SideCheck } from './side.ts';
import { usualTimeLimit } from './ending.ts';
import { defined } from '../../spec/defined.ts';
import { amount } from '../../reports/text/amount.ts';

/** What a plan of any suite needs beside the settings; all of it has a default. */
export interface RunPlanOptions<C> {
  /** The suite to select from. Default: all checks of the kit. */
  readonly checks?: readonly C[];
  /** Ends the run early where it is aborted. */
  readonly signal?: AbortSignal;
  /** The command to show as the one that repeats the run, seed excluded. Default: `seaworthy receiver <url>` or the like. */
  readonly command?: string;
  /** The run that this one goes on with. */
  readonly earlier?: EarlierPart;
  /** What the user gave; with it, failed cases are kept in the run's directory. */
  readonly given?: GivenOptions;
  /** What is known to fail, in place of the file that `expectFailures` names. */
  readonly expectations?: readonly Expectation[];
  /** Milliseconds that one counterexample may take to shrink; 0 keeps each as it was found. Default: by intensity. */
  readonly shrinkTime?: number;
  /** Under which the run's own directory is made, if it needs one. Default: `.seaworthy/runs` in the working directory. */
  readonly directory?: string;
}

type PlannedCheck = Pick<SideCheck<never>, 'id' | 'requirements' | 'weight' | 'schedule' | 'needs'>;

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
export async function runPlan<C extends PlannedCheck>(
  { contract, checks, command, startsTarget }: Suite<C>,
  settings: Settings<typeof sharedOptions>,
  options: RunPlanOptions<C>,
): Promise<Omit<RunPlan<C>, 'timeout' | 'targetProcess'>> {
  const assumptions = assume(contract, settings.assume);
  const { shard } = settings;
  const selected = inShard(dividedChecks(checks, settings), { shard, startsTarget, seed: settings.seed });
  const seed = settings.seed ?? randomInt(2 ** 32);
  const runId = newRunId();
  const { require: needed, intensity, bail, strict, insecure, ca, expectFailures } = settings;
  const { concurrency, rate, settle, reset, maxAnswer } = settings;
  const expectations =
    options.expectations ?? (expectFailures === undefined ? undefined : readExpectations(expectFailures));
  return {
    contract,
    assumptions,
    ...selected,
    ...(shard !== undefined && { shard }),
    ...(options.earlier && { earlier: options.earlier }),
    required: requiredIds(checks, needed),
    seed,
    intensity,
    timeLimit: settings.time ?? usualTimeLimit(intensity, startsTarget),
    ...defined({ concurrency, rate, settle, reset, maxAnswer, shrinkTime: options.shrinkTime }),
    bail,
    strict,
    ...(ca !== undefined && { ca: await readCertificates(ca) }),
    insecure,
    reach: reachOf(settings.allowRemote),
    ...(expectations !== undefined && { expectations }),
    runId,
    command: `${options.command ?? command} --seed ${seed}`,
    directory: join(resolve(options.directory ?? runsFolder), runId),
    ...(options.given && { given: options.given }),
    kit: kitIdentity(),
    signal: options.signal ?? new AbortController().signal,
  };
}

/** Which part of a run is asked for, and what its parts depend on. */
interface Division {
  readonly shard: Shard | undefined;
  readonly startsTarget: boolean;
  readonly seed: number | undefined;
}

/**
 * What is left of a selection for one part of it.
 *
 * @throws UsageError without a seed: the parts would try cases of different runs
 */
function inShard<C extends PlannedCheck>(
  { checks, leftOut }: { readonly checks: readonly C[]; readonly leftOut: readonly C[] },
  { shard, startsTarget, seed }: Division,
): { readonly checks: readonly C[]; readonly leftOut: readonly LeftOutCheck[] } {
  const unselected = leftOut.map(({ id, requirements }) => ({ id, requirements }));
  if (shard === undefined) return { checks, leftOut: unselected };
  if (seed === undefined) throw withoutSeed(shard);
  const parts = shards(checks, shard, startsTarget);
  const elsewhere = parts.flatMap((part, place) =>
    place === shard.index - 1 ? [] : part.map(({ id, requirements }) => ({ id, requirements, part: place + 1 })),
  );
  return { checks: parts[shard.index - 1] ?? [], leftOut: [...unselected, ...elsewhere] };
}

function withoutSeed({ index, count }: Shard): UsageError {
  return new UsageError('SW_OPTION_CONFLICT', {
    received: `--shard ${index}/${count} without --seed`,
    valid: 'the same --seed for every part: only then they are parts of one run',
    next: 'give each part the same number, for example that of the CI run',
  });
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

type Schedule = NonNullable<SideCheck<never>['schedule']>['kind'];

/** About how long a case takes, by when its check runs: what shares its waits with others takes the least. */
const costs: Readonly<Record<Schedule, number>> = {
  beside: 1,
  waiting: 2,
  singly: 3,
  alone: 2,
  last: 2,
  interrupting: 8,
};

/** What a check is expected to take depends on these. */
type Costing = Pick<SideCheck<never>, 'weight' | 'schedule' | 'needs'>;

/**
 * The checks of each part: they follow one another as in the whole, so that the parts of a run, put together in their order,
 * are the run. What each part is expected to take is about the same. It depends on the checks and on whether the kit starts the
 * target, and so is the same on every machine.
 *
 * @throws UsageError where there are fewer checks than parts
 */
export function shards<C extends Costing>(
  checks: readonly C[],
  { index, count }: Shard,
  startsTarget: boolean,
): readonly (readonly C[])[] {
  if (count > checks.length) throw tooMany(checks.length, { index, count });
  // What cannot be observed takes no time, and is no part of its own.
  const costOf = (check: C): number =>
    check.needs.includes('process-control') && !startsTarget ? 0 : usualCost(check);
  const whole = checks.reduce((sum, check) => sum + costOf(check), 0);
  const parts: C[][] = [[]];
  let cost = 0;
  for (const [place, check] of checks.entries()) {
    const isDue = place > 0 && cost >= (whole * parts.length) / count;
    const isNeeded = checks.length - place <= count - parts.length;
    if ((isDue || isNeeded) && parts.length < count) parts.push([]);
    parts.at(-1)!.push(check);
    cost += costOf(check);
  }
  return parts;
}

function usualCost({ weight = 1, schedule }: Costing): number {
  return weight * costs[schedule?.kind ?? 'beside'];
}

function tooMany(checks: number, { index, count }: Shard): UsageError {
  return new UsageError('SW_OPTION_VALUE', {
    received: `--shard ${index}/${count}, and ${amount(checks, 'check')}`,
    valid: `at most ${amount(checks, 'part')}: each has a check`,
    next: `split the run into fewer parts, or select more checks`,
  });
}
