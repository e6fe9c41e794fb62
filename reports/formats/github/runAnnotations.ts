import { exitCode } from '../../model/exitCode.ts';
import { unmetExpectations } from '../../model/expectations.ts';
import { expectationText } from '../../text/expectationText.ts';
import { findingText } from '../../text/failureText.ts';
import { findings, type Finding } from '../../model/findings.ts';
import type { ReporterOptions } from '../../reporter.ts';
import { runProblems } from '../../model/runProblems.ts';
import { amount } from '../../text/amount.ts';
import { verdictLine } from '../../text/verdictWords.ts';
import { fromRoot } from './fromRoot.ts';
import type { Annotation } from './workflowCommand.ts';
import type { CheckResult, RunSummary, ExpectationResult } from '../../model/runSummary.ts';

/** What a run says, the verdict first, then the gravest of each kind. */
export function runAnnotations(summary: RunSummary, options: ReporterOptions): readonly Annotation[] {
  const config = options.config === undefined ? {} : { file: fromRoot(options.config, options) };
  return [
    { ...verdictAnnotation(summary), ...config },
    ...runProblems(summary).map(({ title, text }) => error(title, text, config)),
    ...unmetExpectations(summary).map((entry) => expectationAnnotation(entry, config)),
    ...findings(summary).map((finding) => findingAnnotation(finding, summary, options, config)),
    ...unobserved(summary.checks).map((annotation) => ({ ...annotation, ...config })),
  ];
}

/** The verdict of a run in one annotation: an error where it does not conform, else a notice. */
export function verdictAnnotation(summary: RunSummary): Annotation {
  const { kit, target, summary: counts } = summary;
  const { passed, failed, warned, notObservable, inconclusive, errored } = counts;
  const told = `${passed} passed, ${failed} failed, ${warned} warned, ${notObservable} not observable, ${inconclusive} inconclusive, ${errored} errored`;
  const message = `${verdictLine(summary)}\nChecks: ${told}`;
  const kind = exitCode(summary) === 0 ? 'notice' : 'error';
  return { kind, title: `${kit.name}: ${target.kind} ${target.address}`, message };
}

/** Where a finding is shown: beside its saved case, or beside the config file. */
type Place = Pick<Annotation, 'file'>;

function findingAnnotation(finding: Finding, summary: RunSummary, options: ReporterOptions, config: Place): Annotation {
  const { check, weight, broken, expected = [], counterexample } = finding;
  const ids = broken.map(({ id }) => id).join(' ');
  const reasons = expected.map(({ reason }) => `expected to fail: ${reason}`);
  const text = [...reasons, findingText(finding, summary)].join('\n');
  const place = counterexample?.file === undefined ? config : { file: fromRoot(counterexample.file, options) };
  const what = weight === 'flaky' ? 'did not come again' : 'broken';
  return {
    kind: kindOf(finding),
    title: [ids, `${what}: ${check.id}`].filter(Boolean).join(' '),
    message: short(text),
    ...place,
  };
}

function kindOf({ weight, expected }: Finding): Annotation['kind'] {
  if (expected !== undefined) return 'notice';
  return weight === 'failure' ? 'error' : 'warning';
}

function expectationAnnotation(entry: ExpectationResult, config: Place): Annotation {
  return error(`--expect-failures: ${entry.id}`, expectationText(entry), config);
}

/** One notice for each reason, which says what would make the checks observable. */
function unobserved(checks: readonly CheckResult[]): readonly Annotation[] {
  const groups = Map.groupBy(
    checks.filter(({ outcome }) => outcome === 'not-observable' || outcome === 'inconclusive'),
    ({ outcome, reason = 'no reason was given' }) =>
      `${outcome === 'inconclusive' ? outcome : 'not observed'}: ${reason}`,
  );
  return [...groups].map(([reason, members]) => ({
    kind: 'notice' as const,
    title: `${amount(members.length, 'check')} ${reason}`.slice(0, 250),
    message: short([reason, ...members.map(({ id }) => id)].join('\n')),
  }));
}

function error(title: string, message: string, place: Place): Annotation {
  return { kind: 'error', title, message: short(message === '' ? title : message), ...place };
}

/** An annotation is for a glance; the summary of the step has the rest. */
function short(text: string): string {
  return text.length <= 4000 ? text : `${text.slice(0, 4000)}…`;
}
