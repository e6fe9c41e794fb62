import { exitCode } from '../../../reports/model/exitCode.ts';
import { findings } from '../../../reports/model/findings.ts';
import { runProblems } from '../../../reports/model/runProblems.ts';
import { visible } from '../../../reports/text/visible.ts';
import type { RunSummary } from '../../../reports/model/runSummary.ts';

/** What all formats have to agree about. */
export interface Facts {
  readonly verdict: RunSummary['verdict'];
  readonly exitCode: number;
  /** The checks by outcome: passed, failed, warned, not observable, inconclusive, errored. */
  readonly counts: readonly number[];
  /** `<id> <outcome>` of each requirement. */
  readonly requirements: readonly string[];
  /** `<id> <outcome>` of each check, sorted. */
  readonly checks: readonly string[];
  /** The checks that have a failing case, sorted. */
  readonly failing: readonly string[];
  /** The titles of what ended the run early. */
  readonly problems: readonly string[];
  /** `<id> <outcome>` of each entry of `--expect-failures`, sorted. */
  readonly expectations: readonly string[];
}

/** The facts of a summary, all texts made visible. */
export function factsOf(summary: RunSummary): Facts {
  const { passed, failed, warned, notObservable, inconclusive, errored } = summary.summary;
  return {
    verdict: summary.verdict,
    exitCode: exitCode(summary),
    counts: [passed, failed, warned, notObservable, inconclusive, errored],
    requirements: summary.requirements.map(({ id, outcome }) => `${id} ${outcome}`),
    checks: summary.checks.map(({ id, outcome }) => `${id} ${outcome}`).toSorted(),
    failing: unique(findings(summary).map(({ check }) => check.id)),
    problems: runProblems(summary).map(({ title }) => visible(title)),
    expectations: (summary.expectations ?? []).map(({ id, outcome }) => `${id} ${outcome}`).toSorted(),
  };
}

/** Each text once, sorted. */
export function unique(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)].toSorted();
}

/** The verdict and the exit code that a sentence of a report tells: `Does not conform: ... (exit code 1)`. */
export function spokenVerdict(sentence: string): Pick<Facts, 'verdict' | 'exitCode'> {
  const [, code = ''] = /\(exit code (\d+)/.exec(sentence) ?? [];
  const broken = /^Does not conform: |^\d[\d,]* failures? found in .*, broken: /.test(sentence);
  const verdict = broken ? 'does-not-conform' : sentence.startsWith('Conforms: ') ? 'conforms' : 'inconclusive';
  return { verdict, exitCode: Number.parseInt(code, 10) };
}
