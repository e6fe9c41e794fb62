import { writeFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';

import { indented } from '../../reports/formats/terminal/page.ts';
import { learnedFile } from '../../reports/model/learnedFile.ts';
import type { RunSummary } from '../../reports/model/runSummary.ts';
import { verdictLine } from '../../reports/text/verdictWords.ts';
import type { Need, ServiceNeed } from '../../suites/check.ts';
import { openAuthority } from '../catcher/authority.ts';
import { UsageError } from '../errors.ts';
import { makeDirectory, openFileSink } from '../output/writtenFile.ts';
import type { Outputs } from '../output/outputs.ts';
import type { ServicePlan } from '../service/plan.ts';
import type { CommandWorld, ProgramEnvironment } from './programEnvironment.ts';

interface Listed {
  readonly id: string;
  readonly title: string;
  readonly requirements: readonly string[];
  /** Default: none. */
  readonly needs?: readonly (Need | ServiceNeed)[];
}

/** The options that give what a check needs. */
const options: Readonly<Record<Need | ServiceNeed, string>> = {
  secret: '--secret',
  'process-control': '--start or --image',
  'secret-variable': '--secret-env',
  published: '--published',
  api: '--api-listen',
  probe: '--probe',
  event: '--emit',
  'any-event': '--emit',
  trackable: '--trackable',
  untrackable: '--untrackable',
};

/**
 * What `--list` shows: each check with its title, its requirements, and the options that it needs.
 *
 * @param tracks - the service tracks numbers, so that one that it finds raises an event, too. Default: false
 */
export function checkList(checks: readonly Listed[], columns: number, tracks = false): string {
  const words = tracks ? { ...options, event: `${options.event} or ${options.trackable}` } : options;
  const entries = checks.map(
    (check) => `${check.id}\n${indented(check.title, columns, '  ')}\n${footnote(check, words)}\n`,
  );
  return `${entries.join('\n')}\n${checks.length} ${checks.length === 1 ? 'check' : 'checks'}; nothing was sent.\n`;
}

function footnote({ requirements, needs = [] }: Listed, words: typeof options): string {
  const needed = needs.map((need) => words[need]).join(', ');
  return `  ${requirements.join(', ')}${needed === '' ? '' : `; needs ${needed}`}`;
}

/** What somebody has to know who reads no report in this terminal. */
export function lastWords(summary: RunSummary, { journal, reports }: Pick<Outputs, 'journal' | 'reports'>): string {
  const { lost, errors } = summary;
  return [
    ...errors.map(({ where, message }) => `error in ${where}: ${message}\n`),
    ...(lost ? [`${lost.reason}\n`, ...(lost.advice === '' ? [] : [`${lost.advice}\n`])] : []),
    `${verdictLine(summary)}\n`,
    `journal: ${journal}\n`,
    ...reports.map((report) => `report: ${report}\n`),
  ].join('');
}

/**
 * Makes sure that what is learned can be written, before anything is sent (`--learn`).
 *
 * @throws UsageError where it cannot
 */
export function checkLearned(file: string | undefined, { workingDirectory }: CommandWorld): void {
  if (file !== undefined) openFileSink(resolve(workingDirectory, file), '--learn');
}

/**
 * Writes what a run learned about the contract's gaps, and says so (`--learn`).
 *
 * @throws UsageError where the file cannot be written
 */
export function writeLearned(
  file: string,
  summary: RunSummary,
  { secrets, stderr, workingDirectory }: CommandWorld,
): void {
  const path = resolve(workingDirectory, file);
  try {
    makeDirectory(dirname(path));
    writeFileSync(path, secrets.hide(learnedFile(summary)));
  } catch (cause) {
    throw new UsageError(
      'SW_REPORT_WRITE',
      {
        received: `--learn ${file} cannot be written: ${(cause as Error).message}`,
        valid: 'the path of a file that can be written',
        next: 'choose another path, and run again',
      },
      { cause },
    );
  }
  stderr.write(`What was learned is in ${file}; use it with: seaworthy receiver <url> --assume @${file}\n`);
}

/** Endpoints that speak https need a service that trusts their authority: says where it is. */
export async function tellAuthority(
  plan: ServicePlan,
  { stderr, workingDirectory }: ProgramEnvironment,
): Promise<void> {
  const { base, catcher, authorityDirectory } = plan;
  if (base.protocol !== 'https:' || catcher !== undefined) return;
  const { path, note } = await openAuthority(authorityDirectory);
  const shown = relative(workingDirectory, path);
  if (note !== undefined) stderr.write(`${note}\n`);
  stderr.write(`The endpoints of the kit speak https. The service has to trust their authority: ${shown}\n`);
}
