import type { JSX } from 'preact';

import { explainCommand } from '../../../curl/replayCommand.ts';
import type { Explained, Explanations } from '../../../model/document.ts';
import type { RequirementResult, RunSummary } from '../../../model/runSummary.ts';
import { type Anchors, linkTo, Section, shown, TextList } from './section.tsx';

interface Props {
  summary: RunSummary;
  anchors: Anchors;
  explained: Explanations;
}

/** What `seaworthy explain` says of each requirement that is broken; nothing where the page was given none of it. */
export function ExplainedSection({ summary, anchors, explained }: Props): JSX.Element | null {
  const rows = summary.requirements.flatMap(({ id }) => (Object.hasOwn(explained, id) ? [[id, explained[id]!]] : []));
  if (rows.length === 0) return null;
  const lead = 'What each of them asks and why, how it is tested, and how it is usually broken and fixed.';
  return (
    <Section id={anchors('explained')} title="The broken requirements, explained" lead={lead}>
      {(rows as [string, Explained][]).map(([id, { title, parts }]) => (
        <article key={id} id={anchors(placeOf(id))} class="case explained" aria-label={shown(title)}>
          <details>
            <summary>
              <h3>{shown(title)}</h3>
            </summary>
            <div class="case-body">
              {parts.map(([heading, texts]) => (
                <Part key={heading} heading={heading} texts={texts} />
              ))}
              <p class="note">
                In a terminal: <code>{shown(explainCommand(id, summary.command))}</code>
              </p>
            </div>
          </details>
        </article>
      ))}
    </Section>
  );
}

function Part({ heading, texts }: { heading: string; texts: readonly string[] }): JSX.Element | null {
  if (texts.length === 0) return null;
  return (
    <>
      <h4>{shown(heading)}</h4>
      {texts.length === 1 ? <p>{shown(texts[0]!)}</p> : <TextList texts={texts} />}
    </>
  );
}

/** Where more is said of a requirement: on this page, or by a command. */
export function More(props: Props & { requirement: RequirementResult }): JSX.Element {
  const { requirement, summary, anchors, explained } = props;
  const { id } = requirement;
  return (
    <p class="note">
      {Object.hasOwn(explained, id) ? (
        <a href={linkTo(anchors(placeOf(id)))}>How {shown(id)} is tested, broken and fixed</a>
      ) : (
        <>
          More: <code>{shown(explainCommand(id, summary.command))}</code>
        </>
      )}
    </p>
  );
}

/** The address of the explanation of a requirement: its own is that of its row. */
function placeOf(id: string): string {
  return `explained/${id}`;
}
