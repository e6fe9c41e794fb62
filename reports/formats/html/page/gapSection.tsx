import type { JSX } from 'preact';

import { amount, grouped } from '../../../text/amount.ts';
import { disagreed } from '../../../model/secondOpinion.ts';
import { type Anchors, Section, shown, ColumnNames } from './section.tsx';
import type { RunSummary } from '../../../model/runSummary.ts';

/** What the contract leaves open: what was assumed there, what was seen and what was learned. None of it is a failure. */
export function GapSection({ summary, anchors }: { summary: RunSummary; anchors: Anchors }): JSX.Element | null {
  const { assumptions, observations, learned, target } = summary;
  if (assumptions.length + observations.length + learned.length === 0) return null;
  return (
    <Section
      id={anchors('gaps')}
      title="Where the contract is silent"
      lead="Nothing fails because of these. The kit makes an assumption, which --assume overrides, and reports what it saw."
    >
      <Rows
        title="Seen"
        names={['Gap', 'What was seen', 'How']}
        summary={summary}
        rows={observations.map(({ gap, value, evidence }) => [gap, value, evidence])}
        open
      />
      <Rows
        title={`Learned: what this ${target.kind} does, as assumptions for other runs`}
        names={['Gap', 'Assumption', 'How']}
        summary={summary}
        rows={learned.map(({ gap, key, value, evidence }) => [gap, `${key} = ${value}`, evidence])}
        open
      />
      <Rows
        title="Assumed"
        names={['Gap', 'Assumption', 'From']}
        summary={summary}
        rows={assumptions.map(({ gap, key, value, source }) => [gap, `${key} = ${value}`, source])}
        open={false}
      />
      <Opinion summary={summary} />
    </Section>
  );
}

interface RowsProps {
  title: string;
  names: readonly [gap: string, ...others: string[]];
  /** The gap of each row first. */
  rows: readonly (readonly [gap: string, ...others: string[]])[];
  summary: RunSummary;
  open: boolean;
}

/** The rows of each gap below what it is about. */
function Rows({ title, names, rows, summary, open }: RowsProps): JSX.Element | null {
  if (rows.length === 0) return null;
  const [, ...columns] = names;
  return (
    <details open={open}>
      <summary>
        {title} <span class="note">({grouped(rows.length)})</span>
      </summary>
      <div class="scroll" tabIndex={0} role="group" aria-label={title}>
        <table class="gaps">
          <ColumnNames names={columns} />
          {[...Map.groupBy(rows, ([gap]) => gap)].map(([gap, own]) => (
            <tbody key={gap}>
              <tr>
                <th scope="rowgroup" colSpan={columns.length}>
                  {shown(gap)} <span class="says">{shown(meaningOf(gap, summary))}</span>
                </th>
              </tr>
              {own.map(([, ...texts]) => (
                <tr key={texts.join(' ')}>
                  {texts.map((text) => (
                    <td key={text}>{shown(text)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          ))}
        </table>
      </div>
    </details>
  );
}

/** What a gap leaves open. What was seen may also be about a requirement that says no more. */
function meaningOf(gap: string, { contract, requirements }: RunSummary): string {
  return [...(contract.gaps ?? []), ...requirements].find(({ id }) => id === gap)?.statement ?? '';
}

function Opinion({ summary }: { summary: RunSummary }): JSX.Element | null {
  const { secondOpinion, target } = summary;
  if (secondOpinion === undefined) return null;
  const { compared, disagreements } = secondOpinion;
  if (disagreements.length === 0) {
    return <p>Second opinion: Prism agrees with the kit about all {grouped(compared)} requests and answers.</p>;
  }
  return (
    <details>
      <summary>
        Second opinion: Prism disagrees about {grouped(disagreed(secondOpinion))} of {grouped(compared)} requests and
        answers
      </summary>
      <p>One of the two reads the contract wrongly; it does not count against the {target.kind}.</p>
      <ul>
        {disagreements.map(({ operationId, part, kit, prism, detail, count }) => (
          <li key={[operationId, part, kit, prism, detail].join(' ')}>
            {shown(operationId)}, {part === 'request' ? 'request' : 'answer'} ({amount(count, 'time')}): the kit says{' '}
            {shown(kit)}, Prism says {shown(prism)} ({shown(detail)})
          </li>
        ))}
      </ul>
    </details>
  );
}
