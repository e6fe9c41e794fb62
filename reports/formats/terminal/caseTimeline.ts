import { timelineRows, type TimelineRow } from '../../text/caseTimeline.ts';
import type { Moment } from '../../model/processEvents.ts';
import type { Page } from './page.ts';
import { textWidth, indent, wrap, under } from './wrap.ts';

/** Columns of the times, and of what stands between them and the text. */
const timeColumn = 8;
const bar = ' │ ';

/** What was done and seen in a case, time at the left; a line is drawn where the target's process was changed. */
export function caseTimeline(moments: readonly Moment[], page: Page): readonly string[] {
  const width = page.width - 10 - timeColumn - bar.length;
  const lines = timelineRows(moments).flatMap((row) => rowLines(row, width, page));
  return moments.length === 0 ? [] : [...under('timeline', lines), ''];
}

function rowLines({ time, text, decisive }: TimelineRow, width: number, page: Page): readonly string[] {
  const shown = decisive ? `━━ ${text}` : text;
  const [first = '', ...rest] = wrap(shown, width - 2);
  const lines = [first, ...indent(rest, 2)];
  return lines.map((line, index) => {
    const room = width - textWidth(line) - 1;
    const rule = decisive && index === lines.length - 1 && room > 0 ? ` ${'━'.repeat(room)}` : '';
    const drawn = decisive ? page.paint(['bold', 'red'], `${line}${rule}`) : line;
    return `${(index === 0 ? time : '').padStart(timeColumn)}${bar}${drawn}`;
  });
}
