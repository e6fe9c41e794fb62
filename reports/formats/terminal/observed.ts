import type { Page } from './page.ts';
import { labelled } from './wrap.ts';
import type { RunSummary } from '../../model/runSummary.ts';

/** What was seen of the contract's gaps. It is never a failure. */
export function observedLines({ observations }: RunSummary, page: Page): readonly string[] {
  if (observations.length === 0) return [];
  const column = Math.min(16, Math.max(...observations.map(({ gap }) => gap.length)) + 2);
  return [
    page.paint('bold', 'Seen where the contract is silent'),
    '',
    ...observations.flatMap(({ gap, value, evidence }) => labelled(gap, `${value} (${evidence})`, page.width, column)),
  ];
}
