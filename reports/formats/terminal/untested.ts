import type { RunSummary } from '../../model/runSummary.ts';
import { runProblems } from '../../model/runProblems.ts';
import { attemptLines } from './attempt.ts';
import type { Page } from './page.ts';
import { indent, wrap } from './wrap.ts';

/** Whether nothing was tested because the target did not pass the positive control: then a report has one thing to say. */
export function isUntested({ control, lost, checks }: RunSummary): boolean {
  return control?.accepted === false && lost !== undefined && checks.every(({ cases }) => cases === 0);
}

/** Why nothing was tested, what to do, and what the target answered where it answered. */
export function untestedLines(summary: RunSummary, page: Page): readonly string[] {
  const { control, lost, target } = summary;
  if (control === undefined || lost === undefined) return [];
  const others = runProblems(summary).filter(({ text }) => !text.startsWith(lost.reason));
  const { attempt } = control;
  const isAnswered = 'caught' in attempt || attempt.answer.kind === 'answered';
  const reason = lost.reason.charAt(0).toUpperCase() + lost.reason.slice(1);
  return [
    ...wrap(reason, page.width).map((line) => page.paint(['bold', 'red'], line)),
    ...wrap(lost.advice, page.width),
    ...others.flatMap(({ title, text }) => ['', title, ...indent(wrap(text, page.width - 2), 2)]),
    ...(isAnswered ? ['', ...indent(attemptLines(attempt, target.kind, { ...page, width: page.width - 2 }), 2)] : []),
  ];
}
