import type { JSX } from 'preact';

import { shownRequirements } from '../../../model/shownRequirements.ts';
import { outcomeWords, toneOf } from './mark.tsx';
import { routeText } from './route.ts';
import type { RunSummary, RequirementOutcome } from '../../../model/runSummary.ts';

const order: readonly RequirementOutcome[] = ['broken', 'inconclusive', 'not-observed', 'holds'];

/** The requirements by outcome, as a bar, and in words that lead to those rows of the table. */
export function outcomeBar(summary: RunSummary): JSX.Element | undefined {
  const requirements = shownRequirements(summary);
  const by = Map.groupBy(requirements, ({ outcome }) => outcome);
  const parts = order.flatMap((outcome) => {
    const count = by.get(outcome)?.length ?? 0;
    return count === 0 ? [] : [{ outcome, count }];
  });
  if (parts.length === 0) return undefined;
  return (
    <div class="outcome-bar">
      <div class="bar" aria-hidden="true">
        {parts.map(({ outcome, count }) => (
          <span key={outcome} class={toneOf(outcome)} style={{ flexGrow: count }} />
        ))}
      </div>
      <ul aria-label={`${requirements.length} requirements by outcome`}>
        {parts.map(({ outcome, count }) => (
          <li key={outcome}>
            <a class={toneOf(outcome)} href={routeText({ anchor: 'requirements', filters: { outcome } })}>
              <b>{count}</b> {count === 1 || outcome !== 'holds' ? outcomeWords(outcome) : 'hold'}
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}
