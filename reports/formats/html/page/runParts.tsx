import type { JSX } from 'preact';

import { Alarm } from './alarm.tsx';
import { anchorsOf } from './anchors.ts';
import { BrokenSection } from './brokenSection.tsx';
import { CheckSection } from './checkSection.tsx';
import { EventMatrix } from './eventMatrix.tsx';
import { FailureSection } from './failureSection.tsx';
import { findingsOf } from './findings.ts';
import { GapSection } from './gapSection.tsx';
import { KnownSection } from './knownSection.tsx';
import { LatencySection } from './latencySection.tsx';
import { RepeatSection } from './repeatSection.tsx';
import { RequirementSection } from './requirementSection.tsx';
import { RetrySection } from './retrySection.tsx';
import { SearchSection } from './searchSection.tsx';
import { TargetSection } from './targetSection.tsx';
import { UnobservedSection } from './unobservedSection.tsx';
import type { RunSummary } from '../../../model/runSummary.ts';

/** All that a page says about one run, in the order in which it is asked for. */
export function RunParts({ summary, prefix = '' }: { summary: RunSummary; prefix?: string }): JSX.Element {
  const parts = { summary, anchors: anchorsOf(prefix), findings: findingsOf(summary) };
  return (
    <>
      <Alarm {...parts} />
      <BrokenSection {...parts} />
      <UnobservedSection {...parts} />
      <KnownSection {...parts} />
      <SearchSection {...parts} />
      <RequirementSection {...parts} />
      <FailureSection {...parts} />
      <EventMatrix {...parts} />
      <RetrySection {...parts} />
      <LatencySection {...parts} />
      <GapSection {...parts} />
      <TargetSection {...parts} />
      <CheckSection {...parts} />
      <RepeatSection {...parts} />
    </>
  );
}
