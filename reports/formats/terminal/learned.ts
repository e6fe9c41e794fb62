import type { Page } from './page.ts';
import { indent, labelled, wrap } from './wrap.ts';
import type { RunSummary } from '../../model/runSummary.ts';

/** What was learned about the contract's gaps: how this target fills them, as assumptions for other runs. */
export function learnedLines({ learned, target, command }: RunSummary, page: Page): readonly string[] {
  if (learned.length === 0) return [];
  const column = Math.min(16, Math.max(...learned.map(({ gap }) => gap.length)) + 2);
  const intro = `The contract leaves these open. This is what the ${target.kind} does, as assumptions (--assume <key>=<value>):`;
  const advice = `--learn <file> writes them down, so that a receiver can be held against exactly this.`;
  return [
    page.paint('bold', `Learned about the contract's gaps`),
    '',
    ...wrap(intro, page.width),
    '',
    ...learned.flatMap(({ gap, key, value, evidence }) => [
      ...labelled(gap, `${key} = ${value}`, page.width, column),
      ...indent(wrap(`(${evidence})`, page.width - column), column),
    ]),
    ...(/ --learn[ =]/.test(command) ? [] : ['', ...wrap(advice, page.width)]),
  ];
}
