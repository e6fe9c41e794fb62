import type { JSX } from 'preact';

import { searchFindings } from '../../../model/searchFindings.ts';
import { amount, grouped } from '../../../text/amount.ts';
import { budgetText } from '../../terminal/searchFigures.ts';
import type { Anchors } from './anchors.ts';
import { Section } from './section.tsx';
import { Facts } from './facts.tsx';
import type { RunSummary } from '../../../model/runSummary.ts';

/** What a search tried; nothing where the run is none. */
export function SearchSection({ summary, anchors }: { summary: RunSummary; anchors: Anchors }): JSX.Element | null {
  const { search } = summary;
  if (search === undefined) return null;
  const { cases, steps, distinct, corpus } = search.figures;
  const found = searchFindings(search);
  const lead = `A search plays sequences that nobody wrote down, and looks for failures by chance${found === 'none' ? ': that it found none does not show that there is none' : ''}.`;
  return (
    <Section id={anchors('search')} title="The search" lead={lead}>
      <Facts
        rows={[
          ['Budget', budgetText(search)],
          ['Tried', `${amount(cases, 'sequence')}, ${amount(steps, 'step')} in all`],
          ['Answers', `${grouped(distinct)} different from all before them`],
          ['Kept', `${amount(corpus, 'sequence')}, to be changed further`],
          ['Failures', found],
        ]}
      />
    </Section>
  );
}
