import type { Moment } from '../model/processEvents.ts';
import { visible } from './visible.ts';

/** One line of a case's timeline. */
export interface TimelineRow {
  /** Since the case began: `12 ms`, `1.31 s`; empty where moments were left out. */
  readonly time: string;
  readonly text: string;
  /** True for what was done to the target's process: it should leap to the eye. */
  readonly decisive: boolean;
}

/** Rows that a timeline may have before those far from anything decisive are left out. */
const most = 40;
/** Rows that are kept before and after something decisive, and at the end. */
const near = 7;
/** Characters of an id at least, and more where they are needed to tell ids apart. */
const shortest = 4;

/** The moments of a case, a row for each. What happened to the target stands in capitals; ids are shortened. */
export function timelineRows(moments: readonly Moment[]): readonly TimelineRow[] {
  const short = shortIds(moments.flatMap(({ id }) => (id === undefined ? [] : [id])));
  const attempts = new Map<string, number>();
  const rows = moments.map((moment): TimelineRow => {
    const { id = '', what, ms } = moment;
    if (what === 'sent') attempts.set(id, (attempts.get(id) ?? 0) + 1);
    const text = momentText(moment, short.get(id) ?? '', attempts.get(id) ?? 0);
    return { time: timeText(ms), text: visible(text), decisive: changes.has(what) };
  });
  return rows.length <= most ? rows : shortened(rows);
}

const changes: ReadonlySet<Moment['what']> = new Set([
  'started',
  'killed',
  'stopping',
  'stopped',
  'paused',
  'resumed',
  'died',
]);

function momentText({ what, detail = '' }: Moment, id: string, attempt: number): string {
  switch (what) {
    case 'sent':
      return `→ ${id} sent${attempt > 1 ? `, attempt ${attempt}` : ''}`;
    case 'answered':
      return `← ${id} answered ${detail}`;
    case 'broken':
    case 'timed-out':
      return `✗ ${id} ${detail}`;
    case 'note':
      return `· ${id === '' ? '' : `${id} `}${detail}`;
    case 'stopping':
      return 'STOPPING (SIGTERM)';
    default:
      return `${what.toUpperCase()}${detail === '' ? '' : ` ${detail}`}`;
  }
}

function timeText(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(2)} s`;
}

/** The shortest beginnings that tell all ids apart. */
function shortIds(ids: readonly string[]): ReadonlyMap<string, string> {
  const all = [...new Set(ids)];
  let length = shortest;
  while (new Set(all.map((id) => id.slice(0, length))).size < all.length) length += 1;
  return new Map(all.map((id) => [id, id.slice(0, length)]));
}

/** Leaves out what is far from anything decisive and from both ends. */
function shortened(rows: readonly TimelineRow[]): readonly TimelineRow[] {
  const kept = rows.map((_, index) => {
    if (index < near || index >= rows.length - near) return true;
    return rows.slice(Math.max(0, index - near), index + near + 1).some(({ decisive }) => decisive);
  });
  const found: TimelineRow[] = [];
  let skipped = 0;
  for (const [index, row] of rows.entries()) {
    if (!kept[index]) {
      skipped += 1;
      continue;
    }
    if (skipped > 0) found.push({ time: '', text: `(${skipped} more)`, decisive: false });
    skipped = 0;
    found.push(row);
  }
  return found;
}
