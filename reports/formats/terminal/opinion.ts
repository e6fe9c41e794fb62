import { disagreed } from '../../model/secondOpinion.ts';
import { amount, grouped } from '../../text/amount.ts';
import type { Page } from './page.ts';
import { indent, wrap } from './wrap.ts';
import type { RunSummary, Disagreement } from '../../model/runSummary.ts';

/** What came of judging every request and answer with Prism as well. */
export function opinionLines({ secondOpinion, target }: RunSummary, page: Page): readonly string[] {
  if (secondOpinion === undefined) return [];
  const { compared, disagreements } = secondOpinion;
  if (disagreements.length === 0) {
    return wrap(
      `Second opinion: Prism agrees with the kit about all ${grouped(compared)} requests and answers.`,
      page.width,
    );
  }
  const count = `${grouped(disagreed(secondOpinion))} of ${grouped(compared)} requests and answers`;
  const few = disagreements.slice(0, 10);
  const more = disagreements.length - few.length;
  return [
    page.paint('bold', 'Second opinion'),
    '',
    ...wrap(
      `Prism disagrees with the kit about ${count}. One of the two reads the contract wrongly; it does not count against the ${target.kind}.`,
      page.width,
    ),
    '',
    ...few.flatMap((disagreement) => disagreementLines(disagreement, page)),
    ...(more > 0 ? [`  (${amount(more, 'other')}; the JSON report has them all)`] : []),
  ];
}

function disagreementLines(
  { operationId, part, kit, prism, detail, count }: Disagreement,
  page: Page,
): readonly string[] {
  const what = `${operationId}, ${part === 'request' ? 'request' : 'answer'} (${amount(count, 'time')}): `;
  const lines = wrap(`${what}the kit says ${kit}, Prism says ${prism} (${detail})`, page.width - 4);
  return [`  ${lines[0] ?? ''}`, ...indent(lines.slice(1), 4)];
}
