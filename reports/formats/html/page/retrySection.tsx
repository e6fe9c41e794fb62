import type { JSX } from 'preact';
import { useCallback } from 'preact/hooks';
import { dot, link, type Markish, plot, ruleX, text } from '@observablehq/plot';

import { amount, duration } from '../../../text/amount.ts';
import type { RetriedNotification, TimedAttempt } from '../../../model/wireFigures.ts';
import { type Anchors, Section, shown } from './section.tsx';
import { Chart } from './chart.tsx';
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
      lead="The notifications that were attempted most often, one a line, from their first attempt on. The dashed lines are the schedule: when each attempt comes if every pause before it is the median one. The scale is a square root, so that the first pauses can be distinguished."
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

/** Notifications that are drawn; the table has more. */
const most = 16;

/** Attempts on an axis of time, a line for each notification, and the schedule behind them. */
function retryChart(retried: readonly RetriedNotification[], width: number): Element {
  const lines = retried.slice(0, most).map(({ attempts }, index) => ({
    lane: index,
    last: since(attempts, attempts.at(-1)),
    attempts,
  }));
  const dots = lines.flatMap(({ lane, attempts }) =>
    attempts.map((attempt) => ({ lane, at: since(attempts, attempt), status: /^\d/.test(attempt.answered) })),
  );
  const schedule = retrySchedule(retried);
  const last = Math.max(1, ...dots.map(({ at }) => at), ...schedule.map(({ at }) => at));
  return plot({
    width,
    height: 74 + 18 * lines.length,
    marginTop: 34,
    marginLeft: 12,
    marginRight: 24,
    className: 'plot',
    x: {
      type: 'sqrt',
      domain: [0, last * 1.02],
      label: 'since the first attempt →',
      tickFormat: (ms: number) => (ms < 1000 ? `${ms} ms` : `${ms / 1000} s`),
      ticks: ticksUpTo(last, width),
    },
    y: { type: 'point', axis: null, domain: lines.map(({ lane }) => lane), padding: 0.7 },
    marks: [
      ruleX(schedule, { x: 'at', stroke: 'var(--muted)', strokeDasharray: '2 3' }),
      text(apart(schedule, last, width), {
        x: 'at',
        text: 'number',
        frameAnchor: 'top',
        dy: -10,
        fill: 'var(--muted)',
      }),
      link(lines, { x1: () => 0, x2: 'last', y1: 'lane', y2: 'lane', stroke: 'var(--line)' }),
      ...dotMarks(dots),
    ],
  });
}

interface Dot {
  readonly lane: number;
  readonly at: number;
  /** Whether the kit answered with a status. */
  readonly status: boolean;
}

function dotMarks(dots: readonly Dot[]): readonly Markish[] {
  const place = { x: 'at', y: 'lane', r: 4 } as const;
  return [
    dot(
      dots.filter(({ status }) => status),
      { ...place, fill: 'var(--sea)' },
    ),
    dot(
      dots.filter(({ status }) => !status),
      { ...place, fill: 'var(--surface)', stroke: 'var(--sea)', strokeWidth: 2 },
    ),
  ];
}

function since([first]: readonly TimedAttempt[], attempt: TimedAttempt | undefined): number {
  return Math.max(0, (attempt?.ms ?? 0) - (first?.ms ?? 0));
}

/** The numbers of the schedule that have room beside the one before. */
function apart<Each extends { readonly at: number }>(
  all: readonly Each[],
  last: number,
  width: number,
): readonly Each[] {
  const place = ({ at }: Each): number => (Math.sqrt(at) / Math.sqrt(last)) * (width - 36);
  return all.reduce<readonly Each[]>((kept, each) => {
    const before = kept.at(-1);
    return before === undefined || place(each) - place(before) >= 16 ? [...kept, each] : kept;
  }, []);
}

/** Round times that are far enough from each other on a scale of square roots. */
function ticksUpTo(last: number, width: number): readonly number[] {
  const round = [0, 10, 100, 500, 1000, 2000, 5000, 10_000, 20_000, 60_000, 120_000, 300_000, 600_000, 3_600_000];
  return apart(
    round.filter((ms) => ms <= last).map((at) => ({ at })),
    last,
    width / 4,
  ).map(({ at }) => at);
}

/** The pause before one attempt, as several notifications show it. Milliseconds. */
interface ScheduledAttempt {
  /** From 2: the first attempt has no pause before it. */
  readonly number: number;
  readonly median: number;
  readonly shortest: number;
  readonly longest: number;
  /** Notifications that show it. */
  readonly seen: number;
  /** Since the first attempt, if every pause before it is the median one. */
  readonly at: number;
}

/** The schedule that the pauses between attempts show. Attempts of which the one before was not seen show nothing. */
function retrySchedule(retried: readonly RetriedNotification[]): readonly ScheduledAttempt[] {
  const pauses = Map.groupBy(retried.flatMap(pausesOf), ({ number }) => number);
  let at = 0;
  return [...pauses]
    .toSorted(([a], [b]) => a - b)
    .map(([number, seen]) => {
      const sorted = seen.map(({ pause }) => pause).toSorted((a, b) => a - b);
      const median = sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
      at += median;
      return { number, median, shortest: sorted[0] ?? 0, longest: sorted.at(-1) ?? 0, seen: sorted.length, at };
    });
}

function pausesOf({ attempts }: RetriedNotification) {
  return attempts.flatMap(({ number, ms }, index) => {
    const before = attempts[index - 1];
    return before !== undefined && before.number === number - 1 ? [{ number, pause: ms - before.ms }] : [];
  });
}
