import type { JSX } from 'preact';

import { amount, grouped } from '../../../text/amount.ts';
import { disagreed } from '../../../model/secondOpinion.ts';
import { type Anchors, Section } from './section.tsx';
import { shown } from './shown.ts';
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
        rows={observations.map(({ gap, value, evidence }) => [gap, value, evidence])}
        open
      />
      <Rows
        title={`Learned: what this ${target.kind} does, as assumptions for other runs`}
        names={['Gap', 'Assumption', 'How']}
        rows={learned.map(({ gap, key, value, evidence }) => [gap, `${key} = ${value}`, evidence])}
        open
      />
      <Rows
        title="Assumed"
        names={['Gap', 'Assumption', 'From']}
        rows={assumptions.map(({ gap, key, value, source }) => [gap, `${key} = ${value}`, source])}
        open={false}
      />
      <Opinion summary={summary} />
    </Section>
  );
}

function Rows(props: {
  title: string;
  names: readonly string[];
  rows: readonly (readonly string[])[];
  open: boolean;
}): JSX.Element | null {
  const { title, names, rows, open } = props;
  if (rows.length === 0) return null;
  return (
    <details open={open}>
      <summary>
        {title} <span class="note">({grouped(rows.length)})</span>
      </summary>
      <div class="scroll" tabIndex={0} role="group" aria-label={title}>
        <table class="gaps">
          <thead>
            <tr>
              {names.map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(([first = '', ...rest]) => (
              <tr key={[first, ...rest].join(' ')}>
                <th scope="row">{shown(first)}</th>
                {rest.map((text) => (
                  <td key={text}>{shown(text)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
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
