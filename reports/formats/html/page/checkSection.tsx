import type { JSX } from 'preact';

import { amount, duration, grouped } from '../../../text/amount.ts';
import { type Anchors, linkTo, Section, sentence, shown } from './section.tsx';
import type { Finding } from './findings.ts';
import { Mark } from './mark.tsx';
import type { CheckResult, RunSummary } from '../../../model/runSummary.ts';

interface Props {
  summary: RunSummary;
  findings: readonly Finding[];
  anchors: Anchors;
}

/** Every check of the run, what it took, and why it says nothing where it does. */
export function CheckSection({ summary, findings, anchors }: Props): JSX.Element {
  const cards = new Set(findings.map(({ anchor }) => anchor));
  return (
    <Section id={anchors('checks')} title="Checks">
      <details>
        <summary>All {amount(summary.checks.length, 'check')} of this run</summary>
        <div class="scroll" tabIndex={0} role="group" aria-label="All checks">
          <table class="checks-table" role="table" aria-label="All checks">
            <thead role="rowgroup">
              <tr role="row">
                <th scope="col" role="columnheader">
                  Outcome
                </th>
                <th scope="col" role="columnheader">
                  Check
                </th>
                <th scope="col" role="columnheader">
                  Requirements
                </th>
                <th scope="col" role="columnheader" class="number">
                  Cases
                </th>
                <th scope="col" role="columnheader" class="number">
                  Took
                </th>
              </tr>
            </thead>
            <tbody role="rowgroup">
              {summary.checks.map((check) => (
                <Row key={check.id} check={check} card={cards.has(check.id)} anchors={anchors} />
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </Section>
  );
}

function Row({ check, card, anchors }: { check: CheckResult; card: boolean; anchors: Anchors }): JSX.Element {
  const { id, title, outcome, requirements, cases, planned, durationMs, reason } = check;
  return (
    <tr role="row" {...(!card && { id: anchors(id) })}>
      <td role="cell" class="outcome">
        <Mark outcome={outcome} />
      </td>
      <th scope="row" role="rowheader">
        {card ? <a href={linkTo(anchors(id))}>{shown(id)}</a> : shown(id)}
        <p class="says">{sentence(title)}</p>
        {reason !== undefined && <p class="note">{sentence(reason)}</p>}
      </th>
      <td role="cell">
        {requirements.map((requirement, index) => (
          <span key={requirement}>
            {index > 0 && ', '}
            <a href={linkTo(anchors(requirement))}>{shown(requirement)}</a>
          </span>
        ))}
      </td>
      <td role="cell" class="number" data-name="Cases">
        {planned === undefined ? grouped(cases) : `${grouped(cases)} of ${grouped(planned)}`}
      </td>
      <td role="cell" class="number" data-name="Took">
        {duration(durationMs)}
      </td>
    </tr>
  );
}
