import type { JSX } from 'preact';

import { amount } from '../../../text/amount.ts';
import { type Anchors, linkTo } from './anchors.ts';
import { Mark } from './mark.tsx';
import { Section } from './section.tsx';
import { sentence, shown } from './shown.ts';
import type { CheckResult, RunSummary } from '../../../model/runSummary.ts';

const outcomes = ['errored', 'inconclusive', 'not-observable'] as const;

/** What the run cannot say, and what would let it: an entry for each reason rather than for each check. */
export function UnobservedSection({ summary, anchors }: { summary: RunSummary; anchors: Anchors }): JSX.Element | null {
  const groups = outcomes.flatMap((outcome) => reasonsOf(summary.checks, outcome));
  if (groups.length === 0) return null;
  const lead = 'Nothing counts as holding that was not observed. Each reason says what would make it observable.';
  return (
    <Section id={anchors('unobserved')} title="What was not observed, and how to observe it" lead={lead}>
      <ul class="reasons">
        {groups.map(({ outcome, reason, checks }) => (
          <li key={outcome + reason}>
            <Mark outcome={outcome} />
            <div>
              <p>{sentence(reason)}</p>
              <Concerned checks={checks} anchors={anchors} />
            </div>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Concerned({ checks, anchors }: { checks: readonly CheckResult[]; anchors: Anchors }): JSX.Element {
  const ids = [...new Set(checks.flatMap(({ requirements }) => requirements))];
  return (
    <p class="concerned">
      {amount(checks.length, 'check')} of{' '}
      {ids.map((id, index) => (
        <span key={id}>
          {index > 0 && ', '}
          <a href={linkTo(anchors(id))}>{shown(id)}</a>
        </span>
      ))}
    </p>
  );
}

function reasonsOf(checks: readonly CheckResult[], outcome: (typeof outcomes)[number]) {
  const concerned = checks.filter((check) => check.outcome === outcome);
  const groups = Map.groupBy(concerned, ({ reason = 'no reason was given' }) => reason);
  return [...groups].map(([reason, members]) => ({ outcome, reason, checks: members }));
}
