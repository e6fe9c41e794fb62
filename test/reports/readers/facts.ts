import { exitCode } from '../../../reports/model/exitCode.ts';
import { findings } from '../../../reports/model/findings.ts';
import { matrixRows } from '../../../reports/model/document.ts';
import { regressions, type Comparison } from '../../../reports/model/compareRuns.ts';
import { runProblems } from '../../../reports/model/runProblems.ts';
import { bindingBroken } from '../../../reports/model/verdict.ts';
import { visible } from '../../../reports/text/visible.ts';
import type { RunSummary } from '../../../reports/model/runSummary.ts';

/** What all formats have to agree about in a run. */
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
  /** How many requirements are broken that bind. */
  readonly broken: number;
  /** Whether the run broke off, or could not be made. */
  readonly incomplete: boolean;
  /** The titles of what ended the run early. */
  readonly problems: readonly string[];
  /** `<id> <outcome>` of each entry of `--expect-failures`, sorted. */
  readonly expectations: readonly string[];
  /** What the contract leaves out, separated by commas. */
  readonly leftOut: string;
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
    broken: bindingBroken(summary).length,
    incomplete: !summary.run.complete || exitCode(summary) > 1,
    problems: runProblems(summary).map(({ title }) => visible(title)),
    expectations: (summary.expectations ?? []).map(({ id, outcome }) => `${id} ${outcome}`).toSorted(),
    leftOut: (summary.contract.leftOut ?? []).join(', '),
  };
}

/** What is said of it in a text; nothing where it is not spoken of. */
export function leftOutOf(text = ''): string {
  const [, parts = ''] = /^Not in this contract, so not tested: (.*?)\.?$/m.exec(text) ?? [];
  return parts;
}

/** What all formats have to agree about in two runs compared. */
export interface ComparisonFacts {
  readonly regressed: boolean;
  /** The requirements that broke and count. */
  readonly broke: readonly string[];
  /** `<id> <change>` of each requirement. */
  readonly changes: readonly string[];
}

/** The facts of a comparison. */
export function factsOfComparison(comparison: Comparison): ComparisonFacts {
  return {
    regressed: comparison.regressed,
    broke: regressions(comparison).map(({ id }) => id),
    changes: comparison.requirements.map(({ id, change }) => `${id} ${change}`),
  };
}

/** What all formats have to agree about in several targets side by side. */
export interface MatrixFacts {
  /** How many conform. */
  readonly conforming: number;
  readonly targets: number;
  readonly verdicts: readonly RunSummary['verdict'][];
  readonly exitCodes: readonly number[];
  /** The exit codes, the smallest first. */
  readonly codes: readonly number[];
  /** The checks that have a failing case, of each target. */
  readonly failing: readonly (readonly string[])[];
  /** `<id> <outcome> <outcome> ...` of each requirement, an outcome for each target. */
  readonly rows: readonly string[];
}

/** The facts of several targets. */
export function factsOfMatrix(summaries: readonly RunSummary[]): MatrixFacts {
  const each = summaries.map(factsOf);
  return {
    conforming: each.filter(({ verdict }) => verdict === 'conforms').length,
    targets: each.length,
    verdicts: each.map(({ verdict }) => verdict),
    exitCodes: each.map((facts) => facts.exitCode),
    codes: each.map((facts) => facts.exitCode).toSorted((one, other) => one - other),
    failing: each.map(({ failing }) => failing),
    rows: matrixRows(summaries).map(({ id, outcomes }) => rowText(id, outcomes)),
  };
}

/** A row of {@link MatrixFacts}. */
export function rowText(id: string, outcomes: readonly (string | null | undefined)[]): string {
  return [id, ...outcomes.map((outcome) => outcome ?? 'none')].join(' ');
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
