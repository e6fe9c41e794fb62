import type { JSX } from 'preact';

import { amount } from '../../../text/amount.ts';
import type { EventCell, EventRow } from '../../../model/wireFigures.ts';
import { type Anchors, Section, shown } from './section.tsx';
import type { RunSummary } from '../../../model/runSummary.ts';

/** Checks whose ids begin alike, for a heading over their columns. */
interface Topic {
  readonly name: string;
  readonly checks: readonly string[];
}

/** Which event went over the wire for which check, and how often: a wide table that scrolls inside its own frame. */
export function EventMatrix({ summary, anchors }: { summary: RunSummary; anchors: Anchors }): JSX.Element | null {
  const { events } = summary.wire;
  if (events.length === 0) return null;
  const rows = events.toSorted((a, b) => strange(a) - strange(b) || a.event.localeCompare(b.event, 'en'));
  const topics = topicsOf(events, summary);
  const lead =
    'How often each event was delivered for each check. The stronger the colour, the more often; a red edge says that some of them were refused or got no answer, as many checks intend.';
  return (
    <Section id={anchors('events')} title="Events by checks" lead={lead}>
      <div class="scroll matrix" tabIndex={0} role="group" aria-label="Events by checks, a wide table">
        <table>
          <Head topics={topics} />
          <tbody>
            {rows.map((row) => (
              <Row key={row.event} row={row} checks={topics.flatMap(({ checks }) => checks)} />
            ))}
          </tbody>
        </table>
      </div>
    </Section>
  );
}

function Head({ topics }: { topics: readonly Topic[] }): JSX.Element {
  return (
    <thead>
      <tr>
        <th rowSpan={2} scope="col" class="corner">
          Event
        </th>
        {topics.map(({ name, checks }) => (
          <th key={name} scope="colgroup" colSpan={checks.length} class="topic">
            <span>{shown(name)}</span>
          </th>
        ))}
      </tr>
      <tr>
        {topics.flatMap(({ checks }) =>
          checks.map((id) => (
            <th key={id} scope="col" class="check">
              <span>{shown(id.split('/').at(-1) ?? id)}</span>
            </th>
          )),
        )}
      </tr>
    </thead>
  );
}

function Row({ row, checks }: { row: EventRow; checks: readonly string[] }): JSX.Element {
  const cells = new Map(row.cells.map((cell) => [cell.check, cell]));
  return (
    <tr>
      <th scope="row">
        <EventName row={row} />
      </th>
      {checks.map((check) => (
        <Cell key={check} cell={cells.get(check)} />
      ))}
    </tr>
  );
}

/** Events that the contract does not know come last, those without a name behind them. */
function strange({ event, madeUp }: EventRow): number {
  if (event === '') return 2;
  return madeUp ? 1 : 0;
}

function EventName({ row: { event, madeUp } }: { row: EventRow }): JSX.Element {
  if (event === '') return <i>none, or made up</i>;
  if (!madeUp) return <>{shown(event)}</>;
  return (
    <span class="made-up" title={shown(event)}>
      <i>made up:</i> {shown(event)}
    </span>
  );
}

function Cell({ cell }: { cell: EventCell | undefined }): JSX.Element {
  if (cell === undefined) return <td />;
  const { deliveries, refused, unanswered } = cell;
  const shade = Math.min(4, 1 + Math.floor(Math.log10(deliveries)));
  const bad = [
    ...(refused > 0 ? [`${refused} refused`] : []),
    ...(unanswered > 0 ? [`${unanswered} without an answer`] : []),
  ];
  return (
    <td
      class={`shade-${shade}${bad.length > 0 ? ' some-bad' : ''}`}
      title={[amount(deliveries, 'delivery', 'deliveries'), ...bad].join(', ')}
    >
      {short(deliveries)}
      {bad.length > 0 && <span class="hidden"> ({bad.join(', ')})</span>}
    </td>
  );
}

/** @example short(12_345) // '12k' */
function short(count: number): string {
  return count < 1000 ? String(count) : `${Math.round(count / 1000)}k`;
}

/** The checks that delivered anything, in the order of the run, by the middle part of their ids. */
function topicsOf(events: readonly EventRow[], { checks }: RunSummary): readonly Topic[] {
  const used = new Set(events.flatMap(({ cells }) => cells.map(({ check }) => check)));
  const known = checks.map(({ id }) => id).filter((id) => used.has(id));
  const others = [...used].filter((id) => !known.includes(id));
  const groups = Map.groupBy([...others, ...known], (id) => id.split('/').at(-2) ?? 'kit');
  return [...groups].map(([name, ids]) => ({ name, checks: ids }));
}
