import type { JSX } from 'preact';
import { useCallback } from 'preact/hooks';

import { amount, duration } from '../../../text/amount.ts';
import type { RetriedNotification } from '../../../model/wireFigures.ts';
import type { Anchors } from './anchors.ts';
import { Chart } from './chart.tsx';
import { retryChart } from './retryChart.ts';
import { retrySchedule } from './retrySchedule.ts';
import { Section } from './section.tsx';
import { shown } from './shown.ts';
import type { RunSummary } from '../../../model/runSummary.ts';

/** The notifications that were retried most, each on an axis of time, beside the schedule that their pauses show. */
export function RetrySection({ summary, anchors }: { summary: RunSummary; anchors: Anchors }): JSX.Element | null {
  const { retried } = summary.wire;
  const draw = useCallback((width: number) => retryChart(retried, width), [retried]);
  if (retried.length === 0) return null;
  return (
    <Section
      id={anchors('retries')}
      title="Retries"
      lead="The notifications that were attempted most often, one a line, from their first attempt on. The dashed lines are the schedule: when each attempt comes if every pause before it is the median one. The scale is a square root, so that the first pauses can be told apart."
    >
      <Chart draw={draw} />
      <p class="legend">
        <span class="key dot" /> the kit answered with a status <span class="key ring" /> it broke the connection, or
        never answered
      </p>
      <Schedule retried={retried} />
      <Attempts retried={retried} />
    </Section>
  );
}

function Schedule({ retried }: { retried: readonly RetriedNotification[] }): JSX.Element {
  return (
    <details>
      <summary>The schedule as a table</summary>
      <div class="scroll" tabIndex={0} role="group" aria-label="The schedule as a table">
        <table class="figures">
          <caption class="hidden">The pause before each attempt</caption>
          <thead>
            <tr>
              <th scope="col">Attempt</th>
              <th scope="col">Pause before it (median)</th>
              <th scope="col">Shortest</th>
              <th scope="col">Longest</th>
              <th scope="col">Seen</th>
            </tr>
          </thead>
          <tbody>
            {retrySchedule(retried).map(({ number, median, shortest, longest, seen }) => (
              <tr key={number}>
                <th scope="row">{number}</th>
                <td>{duration(median)}</td>
                <td>{duration(shortest)}</td>
                <td>{duration(longest)}</td>
                <td>{seen}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}

function Attempts({ retried }: { retried: readonly RetriedNotification[] }): JSX.Element {
  return (
    <details>
      <summary>The attempts of {amount(retried.length, 'notification')} in words</summary>
      <ol class="attempts">
        {retried.map(({ id, event, check, endpoint, attempts }) => (
          <li key={`${id} ${endpoint}`}>
            {shown(event)} <code>{shown(id)}</code>, for {shown(check)}:{' '}
            {attempts
              .map(
                ({ number, ms, answered }) =>
                  `${number}. at ${duration(ms - (attempts[0]?.ms ?? 0))}, ${shown(answered)}`,
              )
              .join('; ')}
          </li>
        ))}
      </ol>
    </details>
  );
}
