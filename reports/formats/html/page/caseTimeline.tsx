import type { JSX } from 'preact';
import { useCallback } from 'preact/hooks';

import { timelineRows } from '../../../text/caseTimeline.ts';
import type { Moment } from '../../../model/life.ts';
import { caseChart } from './caseChart.ts';
import { Chart } from './chart.tsx';

/** What was done and seen in a case in which the target was killed, stopped or paused: as a plot and line by line. */
export function CaseTimeline({ moments }: { moments: readonly Moment[] }): JSX.Element | null {
  const draw = useCallback((width: number) => caseChart(moments, width), [moments]);
  if (moments.length === 0) return null;
  return (
    <>
      <h4>Timeline</h4>
      <Chart draw={draw} />
      <p class="legend">
        Grey: it was down or paused. A line is a delivery on its way, a dot its answer, a cross a broken connection, a
        ring something that was counted.
      </p>
      <ol class="timeline">
        {timelineRows(moments).map(({ time, text, decisive }, index) => (
          <li key={index} class={decisive ? 'decisive' : ''}>
            <span class="time">{time}</span> <span>{text}</span>
          </li>
        ))}
      </ol>
    </>
  );
}
