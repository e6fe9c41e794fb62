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
          <table class="checks-table">
            <thead>
              <tr>
                <th scope="col">Outcome</th>
                <th scope="col">Check</th>
                <th scope="col">Requirements</th>
                <th scope="col" class="number">
                  Cases
                </th>
                <th scope="col" class="number">
                  Took
                </th>
              </tr>
            </thead>
            <tbody>
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
    <tr {...(!card && { id: anchors(id) })}>
      <td>
        <Mark outcome={outcome} />
      </td>
      <th scope="row">
        {card ? <a href={linkTo(anchors(id))}>{shown(id)}</a> : shown(id)}
        <p class="says">{sentence(title)}</p>
        {reason !== undefined && <p class="note">{sentence(reason)}</p>}
      </th>
      <td>
        {requirements.map((requirement, index) => (
          <span key={requirement}>
            {index > 0 && ', '}
            <a href={linkTo(anchors(requirement))}>{shown(requirement)}</a>
          </span>
        ))}
      </td>
      <td class="number">{planned === undefined ? grouped(cases) : `${grouped(cases)} of ${grouped(planned)}`}</td>
      <td class="number">{duration(durationMs)}</td>
    </tr>
  );
}
