import type { JSX } from 'preact';

import type { Anchors } from './anchors.ts';
import { Copyable } from './copyable.tsx';
import { Section } from './section.tsx';
import { shown } from './shown.ts';
import type { RunSummary } from '../../../model/runSummary.ts';

/** What repeats the run. */
export function RepeatSection({ summary, anchors }: { summary: RunSummary; anchors: Anchors }): JSX.Element {
  const { command, run, search } = summary;
  const same =
    search === undefined
      ? 'makes it try the same cases'
      : 'makes it draw the same sequences first; what becomes of them later depends on the answers as well';
  return (
    <Section id={anchors('repeat')} title="To repeat this run">
      <Copyable text={command} label="the command" />
      <p class="note">
        The seed {run.seed} {same}. Ids and signatures are fresh in each run. The run was {shown(run.id)}.
      </p>
    </Section>
  );
}
