import type { JSX } from 'preact';

import { runProblems } from '../../../model/runProblems.ts';
import { targetWords } from '../../../text/targetWords.ts';
import { amount } from '../../../text/amount.ts';
import { type Anchors, linkTo } from './anchors.ts';
import { earlyEnd } from '../../../text/earlyEnd.ts';
import { ExchangeView } from './exchangeView.tsx';
import { sentence, shown } from './shown.ts';
import type { RunSummary } from '../../../model/runSummary.ts';

/** Says loudly that a run did not come to its end, or that something is wrong with the run itself. */
export function Alarm({ summary, anchors }: { summary: RunSummary; anchors: Anchors }): JSX.Element | null {
  // That it was killed or interrupted stands in the heading.
  const problems = runProblems({ ...summary, ended: true, interrupted: false });
  const { control, target, run, pending } = summary;
  const end = earlyEnd(summary);
  const refused = control !== undefined && !control.accepted;
  if (problems.length === 0 && run.complete && !refused) return null;
  return (
    <div class="alarm">
      <h2>
        {end === undefined
          ? 'Something went wrong with this run'
          : `Incomplete: ${end.charAt(0).toLowerCase()}${end.slice(1)}`}
      </h2>
      {refused && <p>{targetWords[target.kind].controlFailed}: without that nothing else would mean anything.</p>}
      {!run.complete && <p>{unseen(summary)}</p>}
      {problems.map(({ title, text }) => (
        <div key={title}>
          <h3>{sentence(title)}</h3>
          <p class="lines">{shown(text)}</p>
        </div>
      ))}
      {pending.length > 0 && (
        <details open={pending.length <= 30}>
          <summary>{amount(pending.length, 'check')} had begun and not ended</summary>
          <ul class="plain pending">
            {pending.map((id) => (
              <li key={id}>
                <a href={linkTo(anchors(id))}>{shown(id)}</a>
              </li>
            ))}
          </ul>
        </details>
      )}
      {refused && <ExchangeView exchange={control.attempt} kind={target.kind} />}
    </div>
  );
}

function unseen({ checks, summary: { passed, failed, warned } }: RunSummary): string {
  return `${passed + failed + warned} of ${checks.length} checks came to a result. What follows was seen until then; the rest was not seen, and nothing is concluded from that.`;
}
