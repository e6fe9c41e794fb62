import type { JSX } from 'preact';

import type { Anchors } from './anchors.ts';
import { FailureCard } from './failureCard.tsx';
import type { Finding } from './findings.ts';
import { Section } from './section.tsx';
import type { RunSummary } from '../../../model/runSummary.ts';

interface Props {
  summary: RunSummary;
  findings: readonly Finding[];
  anchors: Anchors;
}

/** Each failure with the smallest case that shows it. */
export function FailureSection({ summary, findings, anchors }: Props): JSX.Element | null {
  if (findings.length === 0) return null;
  const lead = 'Each with the smallest case that shows it, as it went over the wire, and with what shows it again.';
  return (
    <Section id={anchors('cases')} title="The cases" lead={lead}>
      {findings.map((finding, index) => (
        <FailureCard key={finding.anchor} finding={finding} summary={summary} anchors={anchors} open={index === 0} />
      ))}
    </Section>
  );
}
