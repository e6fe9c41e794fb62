import type { JSX } from 'preact';

import { duration } from '../../../text/amount.ts';
import { type Anchors, Section } from './section.tsx';
import { shown } from './shown.ts';
import type { RunSummary } from '../../../model/runSummary.ts';

/** How the target fared as a process, and what the kit left there; nothing where there is nothing to tell. */
export function TargetSection({ summary, anchors }: { summary: RunSummary; anchors: Anchors }): JSX.Element | null {
  const { deaths, leftOver, said, target } = summary;
  const tail = said?.tail ?? [];
  if (deaths.length + leftOver.length + tail.length === 0) return null;
  return (
    <Section id={anchors('target')} title={`The ${target.kind} itself`}>
      {leftOver.length > 0 && (
        <>
          <h3>Left over</h3>
          <p>
            The kit made these for its checks and could not remove them. Delete them by hand, or turn them inactive:
            until then the {target.kind} may go on sending to endpoints that are gone.
          </p>
          <ul>
            {leftOver.map((what) => (
              <li key={what}>{shown(what)}</li>
            ))}
          </ul>
        </>
      )}
      {deaths.length > 0 && <Deaths summary={summary} />}
      {tail.length > 0 && (
        <details>
          <summary>What it wrote last{said?.file !== undefined && ` (all of it is in ${shown(said.file)})`}</summary>
          <pre tabIndex={0} role="group" aria-label="What it wrote last">
            <code>{tail.map(shown).join('\n')}</code>
          </pre>
        </details>
      )}
    </Section>
  );
}

function Deaths({ summary: { deaths, target } }: { summary: RunSummary }): JSX.Element {
  return (
    <>
      <h3>
        The {target.kind} ended by itself{deaths.length > 1 && `, ${deaths.length} times`}
      </h3>
      <ul>
        {deaths.map(({ ms, check, detail, said = [] }, index) => (
          <li key={`${ms} ${index}`}>
            after {duration(ms)}
            {detail !== undefined && ` with ${shown(detail)}`}
            {check !== 'control' && `, while ${shown(check)} was at work`}
            {said.length > 0 && (
              <pre tabIndex={0} role="group" aria-label="What it wrote before">
                <code>{said.map(shown).join('\n')}</code>
              </pre>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}
