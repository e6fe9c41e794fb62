import { plot, rectY, ruleX, ruleY, text } from '@observablehq/plot';
import type { JSX } from 'preact';
import { useCallback } from 'preact/hooks';

import { amount, grouped } from '../../../text/amount.ts';
import type { Latencies } from '../../../model/wireFigures.ts';
import { type Anchors, Section, ColumnNames } from './section.tsx';
import { Chart } from './chart.tsx';
import type { RunSummary } from '../../../model/runSummary.ts';

/** How long answers took: a distribution, and its figures as a table. */
export function LatencySection({ summary, anchors }: { summary: RunSummary; anchors: Anchors }): JSX.Element | null {
  const { latencies } = summary.wire;
  const draw = useCallback((width: number) => latencyChart(latencies, width), [latencies]);
  if (latencies.count === 0) return null;
  const what = summary.target.kind === 'receiver' ? 'deliveries' : 'calls';
  return (
    <Section
      id={anchors('latencies')}
      title="How long answers took"
      lead={`${amount(latencies.count, 'answer')} to ${what}. The scale is logarithmic: each number on it is ten times the one before.`}
    >
      <Chart draw={draw} />
      <div class="scroll" tabIndex={0} role="group" aria-label="How long answers took">
        <table class="figures">
          <caption class="hidden">How long answers took</caption>
          <ColumnNames names={marksOf(latencies).map(({ name }) => name)} />
          <tbody>
            <tr>
              {marksOf(latencies).map(({ name, ms }) => (
                <td key={name}>{precise(ms)}</td>
              ))}
            </tr>
          </tbody>
        </table>
      </div>
    </Section>
  );
}

/** Below a hundredth of this nothing is drawn: a scale of logarithms has no zero. */
const least = 0.05;

function latencyChart({ bins, ...figures }: Latencies, width: number): Element {
  const drawn = bins.map(({ from, to, count }) => ({ from: Math.max(least, from), to, count }));
  const marks = marksOf({ bins, ...figures }).slice(0, 3);
  return plot({
    width,
    height: 220,
    marginTop: 30,
    marginLeft: 48,
    className: 'plot',
    x: { type: 'log', label: 'milliseconds →', tickFormat: (ms: number) => grouped10(ms) },
    y: { label: '↑ answers', grid: true, ticks: 4, nice: true },
    marks: [
      rectY(drawn, { x1: 'from', x2: 'to', y: 'count', fill: 'var(--sea)', insetLeft: 0.5, insetRight: 0.5 }),
      ruleX(marks, { x: 'ms', stroke: 'var(--ink)', strokeDasharray: '3 3' }),
      text(marks, {
        x: 'ms',
        text: 'name',
        frameAnchor: 'top',
        dy: -16,
        textAnchor: 'start',
        dx: 3,
        fill: 'var(--ink)',
      }),
      ruleY([0], { stroke: 'var(--line)' }),
    ],
  });
}

function marksOf({ median, p95, p99, longest }: Latencies) {
  return [
    { name: 'median', ms: Math.max(least, median) },
    { name: '95 %', ms: Math.max(least, p95) },
    { name: '99 %', ms: Math.max(least, p99) },
    { name: 'longest', ms: longest },
  ] as const;
}

/** Only powers of ten are labelled. */
function grouped10(ms: number): string {
  const power = Math.log10(ms);
  return Math.abs(power - Math.round(power)) < 1e-9 ? (ms < 1 ? String(ms) : grouped(ms)) : '';
}

/** @example precise(3.21) // '3.2 ms' */
function precise(ms: number): string {
  return ms < 100 ? `${ms.toFixed(1)} ms` : `${grouped(ms)} ms`;
}
