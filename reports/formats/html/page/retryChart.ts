import { dot, link, type Markish, plot, ruleX, text } from '@observablehq/plot';

import type { RetriedNotification, TimedAttempt } from '../../../model/wireFigures.ts';
import { retrySchedule } from './retrySchedule.ts';

/** Notifications that are drawn; the table has more. */
const most = 16;

/** Attempts on an axis of time, a line for each notification, and the schedule behind them. */
export function retryChart(retried: readonly RetriedNotification[], width: number): Element {
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
