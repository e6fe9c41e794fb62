import { amount } from '../../text/amount.ts';
import type { Page } from './page.ts';
import { indent, wrap } from './wrap.ts';
import type { RunSummary } from '../../model/runSummary.ts';

/** What the kit made and could not remove, and what to do about it. */
export function leftOverLines({ leftOver, target }: RunSummary, page: Page): readonly string[] {
  if (leftOver.length === 0) return [];
  const few = leftOver.slice(0, 10);
  const more = leftOver.length - few.length;
  return [
    page.paint(['bold', 'yellow'], `Left over at the ${target.kind}`),
    '',
    ...wrap(
      `The kit made these for its checks and could not remove them. Delete them by hand, or turn them inactive: until then the ${target.kind} may go on sending to endpoints that are gone.`,
      page.width,
    ),
    '',
    ...few.flatMap((what) => indent(wrap(what, page.width - 2), 2)),
    ...(more > 0 ? [`  (${amount(more, 'other')}; the JSON report has them all)`] : []),
  ];
}
