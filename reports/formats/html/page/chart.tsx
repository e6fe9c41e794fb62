import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { axisX, dot, link, type Markish, plot, rect, ruleX, text } from '@observablehq/plot';

import { type Moment, processChanges } from '../../../model/processEvents.ts';
import { visible } from '../../../text/visible.ts';

/**
 * A plot that is as wide as its place, drawn again when that changes. It is hidden from screen readers: each stands beside a
 * table or a list of the same figures.
 */
export function Chart({ draw }: { draw: (width: number) => Element }): JSX.Element {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const { current } = place;
    if (current === null) return undefined;
    const show = (): void => current.replaceChildren(withoutStyle(draw(Math.max(260, current.clientWidth))));
    show();
    const observer = new ResizeObserver(show);
    observer.observe(current);
    return () => observer.disconnect();
  }, [draw]);
  return <div class="chart" aria-hidden="true" ref={place} />;
}

/** The library brings a style element, which the page's policy forbids: the page's own style says the same. */
function withoutStyle(plot: Element): Element {
  for (const style of plot.querySelectorAll('style')) style.remove();
  return plot;
}

/** A time in which the target could not answer. */
interface Span {
  readonly from: number;
  readonly to: number;
  readonly how: 'down' | 'paused';
}

/** A delivery from sending to its answer. */
interface Flight {
  readonly lane: string;
  readonly from: number;
  readonly to: number;
  readonly end: 'answered' | 'lost';
}

const signs = { answered: 'var(--good)', lost: 'var(--bad)' } as const;

/** A case on an axis of time: a lane for each delivery, grey where the target was down, a rule at each thing done to it. */
export function caseChart(moments: readonly Moment[], width: number): Element {
  const flights = flightsOf(moments);
  const notes = moments.filter(({ what, id }) => what === 'note' && id !== undefined).map(noteOf);
  const lanes = [...new Set([...flights, ...notes].map(({ lane }) => lane))];
  const changes = moments.filter(({ what }) => isChange(what));
  const last = Math.max(1, ...moments.map(({ ms }) => ms));
  return plot({
    width,
    height: 70 + 18 * Math.max(1, lanes.length),
    marginTop: 26,
    marginLeft: 64,
    marginRight: 24,
    className: 'plot',
    x: { domain: [0, last * 1.02], label: 'milliseconds since the case began →' },
    y: { type: 'point', domain: lanes, label: null, tickSize: 0, padding: 0.7 },
    marks: [
      rect(spansOf(moments, last), { x1: 'from', x2: 'to', fill: 'var(--band)' }),
      axisX({ ticks: Math.max(2, Math.floor(width / 120)) }),
      ruleX(changes, { x: 'ms', stroke: 'var(--ink)', strokeWidth: 1.5 }),
      text(spread(changes, last, width), {
        x: 'ms',
        frameAnchor: 'top',
        dy: -12,
        text: 'what',
        fill: 'var(--ink)',
        fontWeight: 600,
      }),
      dot(notes, { x: 'at', y: 'lane', r: 3.5, fill: 'var(--surface)', stroke: 'var(--muted)', strokeWidth: 1.5 }),
      ...flightMarks(flights),
    ],
  });
}

function flightMarks(flights: readonly Flight[]): readonly Markish[] {
  const color = ({ end }: Flight): string => signs[end];
  const symbol = ({ end }: Flight): string => (end === 'lost' ? 'times' : 'circle');
  return [
    link(flights, {
      x1: 'from',
      x2: 'to',
      y1: 'lane',
      y2: 'lane',
      stroke: color,
      strokeWidth: 4,
      strokeLinecap: 'round',
    }),
    dot(flights, { x: 'to', y: 'lane', r: 4, fill: color, symbol, stroke: color }),
  ];
}

function isChange(what: Moment['what']): boolean {
  return processChanges.has(what);
}

/** Labels that would lie over the one before are left out. */
function spread(changes: readonly Moment[], last: number, width: number): readonly Moment[] {
  const apart = (last * 62) / Math.max(1, width - 88);
  return changes.reduce<readonly Moment[]>((kept, moment) => {
    const before = kept.at(-1);
    return before === undefined || moment.ms - before.ms >= apart ? [...kept, moment] : kept;
  }, []);
}

function spansOf(moments: readonly Moment[], last: number): readonly Span[] {
  const spans: Span[] = [];
  let open: Pick<Span, 'from' | 'how'> | undefined;
  for (const { ms, what } of moments) {
    if (what === 'killed' || what === 'stopped' || what === 'died') open ??= { from: ms, how: 'down' };
    if (what === 'paused') open ??= { from: ms, how: 'paused' };
    if ((what === 'started' || what === 'resumed') && open !== undefined) {
      spans.push({ ...open, to: ms });
      open = undefined;
    }
  }
  return open === undefined ? spans : [...spans, { ...open, to: last }];
}

function flightsOf(moments: readonly Moment[]): readonly Flight[] {
  const open = new Map<string, number>();
  const flights: Flight[] = [];
  for (const { ms, what, id = '' } of moments) {
    const lane = laneOf(id);
    if (what === 'sent') open.set(id, ms);
    if (what !== 'answered' && what !== 'broken' && what !== 'timed-out') continue;
    flights.push({ lane, from: open.get(id) ?? ms, to: ms, end: what === 'answered' ? 'answered' : 'lost' });
  }
  return flights;
}

/** Something worth seeing of a delivery, such as how many effects were counted. */
function noteOf({ ms, id = '' }: Moment) {
  return { at: ms, lane: laneOf(id) };
}

function laneOf(id: string): string {
  return visible(id.slice(0, 8));
}
