import { randomBytes, randomInt } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { AssumptionError, assumptionValue, resolveAssumptions } from '../spec/assumptions.ts';
import type { Assumption } from '../spec/assumptions.ts';
import { ContractError, loadContract } from '../spec/contract.ts';
import type { Contract } from '../spec/contract.ts';
import { parseDuration } from '../spec/duration.ts';
import type { ReceiverCheck } from '../suites/check.ts';
import { receiverChecks } from '../suites/receiver/index.ts';
import { KitError, UsageError } from './errors.ts';
import { kitIdentity } from './kitIdentity.ts';
import { didYouMean, nearest } from './nearest.ts';
import { receiverOptions } from './options.ts';
import type { ReceiverSettings } from './options.ts';
import type { ReceiverPlan } from './plan.ts';
import { requirePatterns, selectChecks } from './selection.ts';
import { checkedProbe, targetUrl } from './target.ts';

/** What {@link receiverPlan} needs beside the settings; all of it has a default. */
export interface ReceiverPlanOptions extends Partial<ReceiverSettings> {
  /** The suite to select from. Default: all checks of the kit. */
  readonly checks?: readonly ReceiverCheck[];
  /** Ends the run early where it is aborted. */
  readonly signal?: AbortSignal;
  /** The command to show as the one that repeats the run, seed excluded. Default: `seaworthy receiver <url>`. */
  readonly command?: string;
  /** Under which the run's own directory is made, if it needs one. Default: `.seaworthy/runs` in the working directory. */
  readonly directory?: string;
}

/**
 * The plan of a run of the receiver suite: everything checked and filled in, nothing sent yet.
 *
 * @param url - the receiver's address, http or https
 * @throws UsageError for a bad or remote address, patterns that match nothing, unknown assumptions, unreadable files
 *
 * @example
 * const plan = await receiverPlan('http://localhost:3000/hooks', { secret: ['...'], intensity: 'quick' });
 * for await (const event of runReceiver(plan)) console.log(event.type);
 */
export async function receiverPlan(url: string, options: ReceiverPlanOptions = {}): Promise<ReceiverPlan> {
  const settings = withDefaults(options);
  const contract = shippedContract();
  const assumptions = assume(contract, settings);
  const checks = selectChecks(options.checks ?? receiverChecks, settings);
  requireEvents(contract, settings.events);
  const seed = settings.seed ?? randomInt(2 ** 32);
  const runId = newRunId();
  const { probe, rate, settle } = settings;
  return {
    contract,
    assumptions,
    checks,
    url: await targetUrl(url, settings.allowRemote),
    secrets: settings.secret,
    ...(probe !== undefined && { probe: await checkedProbe(probe, settings.allowRemote) }),
    events: settings.events,
    headers: settings.header,
    seed,
    intensity: settings.intensity,
    concurrency: settings.concurrency,
    ...(rate !== undefined && { rate }),
    bail: settings.bail,
    ...(settle !== undefined && { settle }),
    timeout: parseDuration(assumptionValue(assumptions, 'delivery.timeout')),
    strict: settings.strict,
    ...(settings.ca !== undefined && { ca: await readCertificates(settings.ca) }),
    insecure: settings.insecure,
    runId,
    command: `${options.command ?? `seaworthy receiver ${url}`} --seed ${seed}`,
    directory: join(resolve(options.directory ?? join('.seaworthy', 'runs')), runId),
    kit: kitIdentity(),
    signal: options.signal ?? new AbortController().signal,
  };
}

function withDefaults(options: ReceiverPlanOptions): ReceiverSettings {
  const defaults = Object.entries(receiverOptions).map(([name, option]) => [name, option.default]);
  return { ...Object.fromEntries(defaults), ...options } as ReceiverSettings;
}

/** Loaded once: it takes a third of a second, and what is generated from it is kept with it. */
let loaded: Contract | undefined;

/**
 * The contract that ships with the kit.
 *
 * @throws KitError where it does not load
 */
export function shippedContract(): Contract {
  try {
    return (loaded ??= loadContract());
  } catch (cause) {
    if (!(cause instanceof ContractError)) throw cause;
    const next = 'install the package again; where that does not help, report it';
    throw new KitError(
      'SW_CONTRACT_BROKEN',
      { received: `the contract does not load: ${cause.message}`, next },
      { cause },
    );
  }
}

/** `--timeout` is the short way to say which delivery time-out is assumed; reports then show it as such. */
function assume(contract: Contract, { assume, timeout }: ReceiverSettings): readonly Assumption[] {
  const overrides = timeout === undefined ? assume : { ...assume, 'delivery.timeout': `${timeout}ms` };
  const keys = contract.assumptions.map(({ key }) => key);
  const unknown = Object.keys(overrides).find((key) => !keys.includes(key));
  if (unknown !== undefined)
    throw noAssumption(`there is no assumption "${unknown}"`, didYouMean(nearest(unknown, keys)));
  try {
    return resolveAssumptions(contract.assumptions, overrides);
  } catch (cause) {
    if (!(cause instanceof AssumptionError)) throw cause;
    throw noAssumption(cause.message, undefined, { cause });
  }
}

function noAssumption(received: string, suggestion: string | undefined, options?: ErrorOptions): UsageError {
  const all = 'seaworthy requirements --assumptions lists the keys, their defaults and what they accept';
  const next = suggestion === undefined ? all : `${suggestion} ${all}`;
  return new UsageError('SW_ASSUMPTION_INVALID', { received, next }, options);
}

function requireEvents(contract: Contract, patterns: readonly string[]): void {
  const names = contract.events.map(({ name }) => name);
  requirePatterns('--events', patterns, names, {
    valid: 'names of the event catalogue, with * for any characters',
    list: `the catalogue has ${names.length} events, among them ${names.slice(0, 3).join(', ')}`,
  });
}

async function readCertificates(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw new UsageError(
      'SW_FILE_UNREADABLE',
      {
        received: `--ca ${path} cannot be read: ${(cause as Error).message}`,
        valid: 'the path of a file with certificates in PEM form',
        next: 'correct the path',
      },
      { cause },
    );
  }
}

/** Sorts by time, and is never used twice. */
function newRunId(): string {
  const time = new Date().toISOString().slice(0, 19).replaceAll(':', '-');
  return `${time}-${randomBytes(3).toString('hex')}`;
}
