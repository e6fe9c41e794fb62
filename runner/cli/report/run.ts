import { relative, resolve } from 'node:path';

import { exitCode } from '../../../reports/model/exitCode.ts';
import type { ReportDocument } from '../../../reports/model/document.ts';
import { formatsFor, renderDocument } from '../../../reports/formats/index.ts';
import { checkReports, stdoutUse, type CheckedReport } from '../../output/checkReports.ts';
import { UsageError } from '../../errors.ts';
import { openFileSink } from '../../output/fileSink.ts';
import { githubActions } from '../../options/githubActions.ts';
import { locatedRun } from '../../output/locatedRun.ts';
import { readRun } from '../../output/readRun.ts';
import { requireOther } from '../../output/requireOther.ts';
import { reportedDocument, type JournaledRun } from '../../output/reportedDocument.ts';
import { explainBroken } from '../explain/explainBroken.ts';
import { reportOptions } from './command.ts';
import type { CommandInput } from '../command.ts';
import { commandSettings } from '../commandSettings.ts';
import type { ProgramEnvironment } from '../programEnvironment.ts';

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
