import type { RunSummary } from '../../reports/model/runSummary.ts';
import type { Header } from '../../suites/delivery.ts';
import { UsageError } from '../errors.ts';
import { openAddress, withAuthorization } from '../http/openAddress.ts';
import { chosen } from '../options/selection.ts';
import type { SettingSources } from '../options/settings.ts';
import { newestRun } from '../output/keptRuns.ts';

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
    return each.target.kind === kind && (each.search !== undefined) === search;
  });
  if (run === undefined) throw noRun(search ? `search in a ${kind}` : `run of a ${kind}`);
  const failed = run.checks.filter(({ outcome }) => outcome === 'failed' || outcome === 'warned');
  const ids = failed.filter((check) => only.length === 0 || chosen(only, check)).map(({ id }) => id);
  if (ids.length === 0) throw nothingFailed(run, only);
  const { lastFailed: _, ...rest } = sources.commandLine;
  return { ...sources, commandLine: { ...rest, only: ids } };
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
