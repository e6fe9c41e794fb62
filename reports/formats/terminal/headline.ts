import { exitCode } from '../../model/exitCode.ts';
import { findings } from '../../model/findings.ts';
import { runProblems } from '../../model/runProblems.ts';
import type { RunSummary } from '../../model/runSummary.ts';
import { isPassedSelection, verdictSentence } from '../../model/verdict.ts';
import { amount } from '../../text/amount.ts';
import { cutShortTexts } from '../../text/cutShortTexts.ts';
import type { Style } from '../../text/printer.ts';
import { capital } from '../../text/verdictWords.ts';
import { outcomeSign, type Page } from './page.ts';
import { indent, labelled, wrap } from './wrap.ts';

/** Findings that are named before everything else. */
const few = 8;

/** What a hurried reader needs first: the verdict, what it rests on, and what to do first. */
export function headLines(summary: RunSummary, page: Page): readonly string[] {
  const problems = runProblems(summary);
  return [
    ...verdictLines(summary, page),
    ...problems.flatMap(({ title, text }) =>
      indent(wrap(`${capital(title)}: ${inShort(text, summary)}`, page.width - 2), 2),
    ),
    ...timeLines(summary, page),
    ...foundLines(summary, page),
  ];
}

/** What the time was too short for, where that leaves something undecided. */
function timeLines(summary: RunSummary, page: Page): readonly string[] {
  if (summary.checks.every(({ untriedKinds = 0 }) => untriedKinds === 0)) return [];
  return cutShortTexts(summary).flatMap((text) => indent(wrap(text, page.width - 2), 2));
}

/** The first sentence of what became of the target; of other problems that they stand below. */
function inShort(text: string, { lost }: RunSummary): string {
  const [first = ''] = lost === undefined ? [] : lost.reason.split(/(?<=\.) |\n/, 1);
  return first !== '' && text.startsWith(first) ? first : 'see below.';
}

/** The verdict, as it stands at the head and at the end of a report. */
export function verdictLines(summary: RunSummary, page: Page): readonly string[] {
  const code = `(exit code ${exitCode(summary)}${summary.run.strict ? ', --strict' : ''})`;
  return wrap(`${capital(verdictSentence(summary))} ${code}`, page.width).map((line) =>
    page.paint(['bold', toneOf(summary)], line),
  );
}

function toneOf(summary: RunSummary): Style {
  if (isPassedSelection(summary)) return 'green';
  return ({ conforms: 'green', 'does-not-conform': 'red', inconclusive: 'yellow' } as const)[summary.verdict];
}

/** What was found, a requirement at a time, and how the first of it is usually fixed. */
function foundLines(summary: RunSummary, page: Page): readonly string[] {
  const found = findings(summary).filter(({ weight, expected }) => weight !== 'flaky' && expected === undefined);
  const [first] = found;
  if (first === undefined) return [];
  const byRequirement = [...Map.groupBy(found, ({ broken }) => broken.map(({ id }) => id).join(', '))];
  const entries = byRequirement.slice(0, few).flatMap(([ids, [one, ...others]]) => {
    const more = others.length === 0 ? '' : ` (and ${amount(others.length, 'more finding')})`;
    const text = `${ids}: ${one?.counterexample?.summary ?? one?.check.title ?? ''}${more}`;
    const [line = '', ...rest] = wrap(text, page.width - 4);
    return [`  ${outcomeSign(one?.weight === 'failure' ? 'failed' : 'warned', page)} ${line}`, ...indent(rest, 4)];
  });
  const left = byRequirement.length - few;
  const hint = first.counterexample?.hint;
  return [
    '',
    ...entries,
    ...(left > 0 ? [`    (${amount(left, 'more requirement')} below)`] : []),
    ...(hint === undefined ? [] : ['', ...labelled('Do first', hint, page.width)]),
  ];
}
