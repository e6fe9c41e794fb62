import type { Change } from '../model/compareRuns.ts';
import type { CheckOutcome } from '../model/events.ts';
import { exitCode } from '../model/exitCode.ts';
import type { RequirementOutcome, RunSummary } from '../model/runSummary.ts';
import { unsettledFailures } from '../model/search.ts';
import { verdictSentence } from '../model/verdict.ts';
import { earlyEnd } from './cutShortTexts.ts';

/**
 * The verdict with the exit code, as a text of its own. That the run did not come to its end stands before it, unless the
 * target does not conform: that no end would have changed.
 *
 * @example 'Does not conform: 11 of 11 MUSTs observed, broken: IDM-2 (exit code 1)'
 * @example 'Incomplete: this run was killed after 4.2 s. Inconclusive: 9 of 11 MUSTs observed, none broken (exit code 3)'
 */
export function verdictLine(summary: RunSummary): string {
  const sentence = capital(verdictSentence(summary));
  const code = `(exit code ${exitCode(summary)}${summary.run.strict ? ', --strict' : ''})`;
  const end = earlyEnd(summary);
  if (end === undefined) return `${sentence} ${code}`;
  return summary.verdict === 'does-not-conform'
    ? `${sentence}. ${end} ${code}`
    : `Incomplete: ${end.charAt(0).toLowerCase()}${end.slice(1)}. ${sentence} ${code}`;
}

/** The same for a heading, without the exit code. @example ['Incomplete', 'This run was killed after 4.2 s. Inconclusive: 9 of …'] */
export function headWords(summary: RunSummary): readonly [title: string, detail: string] {
  const [title, detail] = verdictWords(summary);
  const end = earlyEnd(summary);
  if (end === undefined) return [title, detail];
  return summary.verdict === 'does-not-conform'
    ? [title, `${detail}. ${end}.`]
    : ['Incomplete', `${end}. ${capital(verdictSentence(summary))}.`];
}

/** The verdict in a word or two, and the rest of its sentence. @example ['Does not conform', '11 of 11 MUSTs observed, …'] */
function verdictWords(summary: RunSummary): readonly [title: string, detail: string] {
  const text = verdictSentence(summary);
  const [, word = '', rest = ''] = /^([a-z ]+): (.*)$/s.exec(text) ?? [];
  if (summary.search === undefined && word !== '') return [capital(word), capital(rest)];
  return [searchTitle(summary), capital(text)];
}

function searchTitle({ search }: RunSummary): string {
  if (search === undefined) return '';
  if (search.failures.some(({ outcome }) => outcome === 'failed')) return 'Failures found';
  return unsettledFailures(search) > 0 ? 'No failure confirmed' : 'No failure found';
}

/** The text with its first letter as a capital, unless it begins with a name that has a dot, as that of a host. */
export function capital(text: string): string {
  if (/^[^ .]*\.\S/.test(text)) return text;
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** What reports call a change, as a title. */
export const changeTitles: Readonly<Record<Change, string>> = {
  broke: 'Broke',
  'no-longer-observed': 'No longer observed',
  fixed: 'Fixed',
  'newly-observed': 'Newly observed',
  added: 'Only in the later run',
  removed: 'Only in the earlier run',
  same: 'Unchanged',
};

/** How a requirement or a check stood in a run, in words. */
export function standingWords(outcome: RequirementOutcome | CheckOutcome | undefined): string {
  return outcome ?? 'not run';
}

/** The changes that are reported one by one, the gravest first. */
export const changesToReport = ['broke', 'no-longer-observed', 'fixed', 'newly-observed', 'added', 'removed'] as const;
