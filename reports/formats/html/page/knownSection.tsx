import type { JSX } from 'preact';

import { expectationText } from '../../../text/expectationText.ts';
import type { Anchors } from './anchors.ts';
import { Section } from './section.tsx';
import { shown } from './shown.ts';
import type { RunSummary } from '../../../model/runSummary.ts';

/** What was known to fail, and how each entry stands. */
export function KnownSection({ summary, anchors }: { summary: RunSummary; anchors: Anchors }): JSX.Element | null {
  const { expectations = [] } = summary;
  if (expectations.length === 0) return null;
  return (
    <Section id={anchors('known')} title="Known failures" lead="From the file of --expect-failures.">
      <ul class="reasons">
        {expectations.map((entry) => (
          <li key={entry.id}>
            <span class={`mark ${entry.outcome === 'fails' ? 'open' : 'bad'}`}>{shown(entry.id)}</span>
            <p>
              {shown(expectationText(entry))}
              {entry.link !== undefined && <Link to={entry.link} />}
            </p>
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** Only an address of the web becomes a link. */
function Link({ to }: { to: string }): JSX.Element | null {
  if (!/^https?:\/\//i.test(to)) return null;
  return (
    <>
      {' '}
      <a href={to} rel="noreferrer">
        Read more
      </a>
    </>
  );
}
