import { relative, resolve } from 'node:path';

import { exitCode } from '../../../reports/model/exitCode.ts';
import type { ReportDocument } from '../../../reports/model/document.ts';
import { formatsFor, renderDocument } from '../../../reports/formats/index.ts';
import { checkReports, stdoutUse, type CheckedReport, requireOther } from '../../output/checkReports.ts';
import { UsageError } from '../../errors.ts';
import { openFileSink } from '../../output/writtenFile.ts';
import { githubActions } from '../../options/githubActions.ts';
import { locatedRun, readRun } from '../../output/readRun.ts';
import { explainBroken } from '../explain/run.ts';
import { reportOptions } from './command.ts';
import type { CommandInput } from '../command.ts';
import { commandSettings } from '../commandSettings.ts';
import type { ProgramEnvironment } from '../programEnvironment.ts';
import { compareRuns } from '../../../reports/model/compareRuns.ts';
import { mergeRuns } from '../../../reports/model/mergeRuns.ts';
import { shardDifferences } from '../../../reports/model/shards.ts';
import type { RunSummary } from '../../../reports/model/runSummary.ts';

/** What `seaworthy report` does. @returns the exit code */
export async function reportJournals(input: CommandInput): Promise<number> {
  const { operands = [], programEnvironment } = input;
  const { workingDirectory } = programEnvironment;
  const settings = commandSettings(reportOptions, input);
  const reports = checkReports(settings.report, formatsFor('run'));
  const [first, ...others] = operands;
  if (first === undefined) throw journalMissing();
  for (const report of reports) requireOther(report, operands, workingDirectory);
  const runs: [JournaledRun, ...JournaledRun[]] = [await journaled(first, programEnvironment)];
  for (const journal of others) runs.push(await journaled(journal, programEnvironment));
  const document = reportedDocument(runs, settings);
  for (const { format } of reports) requireShown(format, document);
  for (const report of reports) {
    await write(report, document, operands, programEnvironment).catch((error: unknown) => {
      throw notWritten(report, error);
    });
  }
  if (document.kind === 'comparison') return document.comparison.regressed ? 1 : 0;
  return document.kind === 'run' && areShards(runs) ? exitCode(document.summary) : 0;
}

/** Whether these are parts that none could decide alone: what was expected, or required, and lies in another part. */
function areShards(runs: readonly JournaledRun[]): boolean {
  return runs.length > 1 && runs.every(({ summary }) => summary.run.shard !== undefined);
}

async function journaled(
  journal: string,
  { workingDirectory, environment }: ProgramEnvironment,
): Promise<JournaledRun> {
  const path = resolve(workingDirectory, journal);
  const place = { journal: path, workingDirectory, root: githubActions(environment, workingDirectory).root };
  return { journal: relative(workingDirectory, path), summary: locatedRun(await readRun(path), place) };
}

async function write(
  target: CheckedReport,
  document: ReportDocument,
  journals: readonly string[],
  { stdout, documents, workingDirectory, environment }: ProgramEnvironment,
): Promise<void> {
  const { format, path } = target;
  const { summary, fromRoot } = githubActions(environment, workingDirectory);
  const [journal] = journals;
  const shown = {
    explain: explainBroken,
    ...(journal !== undefined && journals.length === 1 && { journal }),
    ...(fromRoot !== undefined && { fromRoot }),
  };
  if (path === undefined) {
    const sink = stdoutUse(target) === 'text' ? stdout : documents;
    const { columns, colors, printer } = sink;
    sink.write(await renderDocument(format, document, { ...shown, columns, colors, ...(printer && { printer }) }));
    if (stdoutUse(target) === 'commands') summary?.write(await renderDocument('markdown', document, shown));
    return;
  }
  const file = openFileSink(resolve(workingDirectory, path), `--report ${format}=${path}`);
  file.write(await renderDocument(format, document, { ...shown, path }));
  file.commit();
}

const words: Readonly<Record<ReportDocument['kind'], string>> = {
  run: 'an earlier run: it would be the journal that it is made from',
  comparison: 'a comparison of two runs',
  matrix: 'several targets side by side',
};

function requireShown(format: CheckedReport['format'], { kind }: ReportDocument): void {
  const valid = formatsFor(kind);
  if (valid.includes(format)) return;
  throw new UsageError('SW_REPORT_DOCUMENT', {
    received: `--report ${format} cannot show ${words[kind]}`,
    valid: valid.join(', '),
    next: 'choose one of these formats',
  });
}

/** A full disk, or a summary of the step that is not there, is nobody's bug. */
function notWritten({ format, path }: CheckedReport, cause: unknown): unknown {
  if (!(cause instanceof Error) || !('syscall' in cause)) return cause;
  const received = `--report ${path === undefined ? format : `${format}=${path}`} cannot be written: ${cause.message}`;
  const next = 'make room, or choose another path, and give the command again: the journal is as it was';
  return new UsageError('SW_REPORT_WRITE', { received, valid: 'a path that can be written', next }, { cause });
}

function journalMissing(): UsageError {
  return new UsageError('SW_ARGUMENT_MISSING', {
    received: 'report was given no journal',
    valid: 'the journals of earlier runs, one or more',
    next: 'seaworthy report .seaworthy/runs/<run>.ndjson, as the last lines of a run name it',
  });
}

/** A run and the journal that it was read from. */
interface JournaledRun {
  readonly journal: string;
  readonly summary: RunSummary;
}

/** How several runs are to be taken. */
export interface DocumentWishes {
  readonly compare: boolean;
  readonly sideBySide: boolean;
}

/**
 * What a report of these runs is about: one run; the parts of one, merged, where they are about the same target; several
 * targets side by side; or, where it is wished, a comparison.
 *
 * @throws UsageError where they do not belong together, with what differs
 */
export function reportedDocument(
  runs: readonly [JournaledRun, ...JournaledRun[]],
  { compare, sideBySide }: DocumentWishes,
): ReportDocument {
  if (sideBySide) requireSeveral(runs, compare);
  if (compare) return comparison(runs);
  const groups = sideBySide ? runs.map((run) => [run] as const) : byTarget(runs);
  const summaries = groups.map(merged);
  const [summary] = summaries;
  if (summaries.length === 1 && summary !== undefined) return { kind: 'run', summary };
  requireOneContract(runs);
  return { kind: 'matrix', summaries };
}

/** What `--side-by-side` cannot do: it would be passed over in silence. */
function requireSeveral(runs: readonly JournaledRun[], compare: boolean): void {
  if (!compare && runs.length > 1) return;
  throw new UsageError('SW_OPTION_CONFLICT', {
    received: compare ? '--side-by-side was given together with --compare' : '--side-by-side was given one journal',
    valid: '--side-by-side with two journals or more, or --compare with two, the earlier one first',
    next: compare
      ? 'leave one of the two options out'
      : 'name the journals of the other targets too, or leave the option out',
  });
}

function byTarget(runs: readonly JournaledRun[]): readonly (readonly JournaledRun[])[] {
  return [...Map.groupBy(runs, ({ summary: { target } }) => `${target.kind} ${target.address}`).values()];
}

function merged(runs: readonly JournaledRun[]): RunSummary {
  const [first, ...others] = runs.map(({ summary }) => summary) as [RunSummary, ...RunSummary[]];
  for (const [at, one] of runs.entries()) {
    for (const other of runs.slice(at + 1)) requireParts(one, other);
  }
  return mergeRuns([first, ...others]);
}

function requireParts(one: JournaledRun, other: JournaledRun): void {
  const same = one.summary.run.id === other.summary.run.id;
  const differences = same ? ['both are the same run'] : shardDifferences(one.summary, other.summary);
  if (differences.length === 0) return;
  throw new UsageError('SW_JOURNALS_DIFFER', {
    received: `${one.journal} and ${other.journal} are about the same target, and are no parts of one run: ${few(differences)}`,
    valid:
      'journals of one plan (contract, version, seed, intensity, assumptions) that agree about what both have seen',
    next: same
      ? 'name each run once'
      : 'give --compare for an earlier and a later run, --side-by-side for different targets at one address, or run the parts with the same --seed',
  });
}

function few(differences: readonly string[]): string {
  const shown = differences.slice(0, 5).join('; ');
  return differences.length > 5 ? `${shown}; and ${differences.length - 5} more` : shown;
}

function requireOneContract(runs: readonly JournaledRun[]): void {
  const [first, ...others] = runs;
  const named = ({ summary: { contract } }: JournaledRun): string => `${contract.title} ${contract.version}`;
  const other = others.find((run) => first !== undefined && named(run) !== named(first));
  if (first === undefined || other === undefined) return;
  throw new UsageError('SW_JOURNALS_DIFFER', {
    received: `${first.journal} is about ${named(first)}, and ${other.journal} about ${named(other)}`,
    valid: 'journals about the same version of the same contract',
    next: 'render them one by one, or run the tests again with one version of the kit',
  });
}

function comparison(runs: readonly JournaledRun[]): ReportDocument {
  const [before, after, ...others] = runs;
  if (before === undefined || after === undefined || others.length > 0) {
    throw new UsageError('SW_OPTION_CONFLICT', {
      received: `--compare was given ${runs.length === 1 ? 'one journal' : `${runs.length} journals`}`,
      valid: 'two journals, the earlier one first',
      next: 'seaworthy report --compare before.ndjson after.ndjson',
    });
  }
  const [earlier, later] = [before.summary.target.kind, after.summary.target.kind];
  if (earlier !== later) {
    throw new UsageError('SW_JOURNALS_DIFFER', {
      received: `${before.journal} is about a ${earlier}, and ${after.journal} about a ${later}`,
      valid: 'two runs against receivers, or two against services',
      next: 'compare each with an earlier run of its own kind',
    });
  }
  return { kind: 'comparison', comparison: compareRuns(before.summary, after.summary) };
}
