import { shortCitation } from '../../../text/citation.ts';
import type { JSX } from 'preact';

import { expectationsOf } from '../../../model/expectations.ts';
import { type Anchors, linkTo, Section } from './section.tsx';
import type { Finding } from './findings.ts';
import { Mark } from './mark.tsx';
import { shown } from './shown.ts';
import type { RequirementResult, RunSummary } from '../../../model/runSummary.ts';

interface Props {
  summary: RunSummary;
  findings: readonly Finding[];
  anchors: Anchors;
}

/** What is broken, and why, in a few lines each; the whole case is further down. */
export function BrokenSection({ summary, findings, anchors }: Props): JSX.Element {
  const sure = findings.filter(({ kind }) => kind !== 'flaky');
  return (
    <Section id={anchors('broken')} title={titleOf(sure)}>
      {sure.length === 0 && <p class="calm">{nothing(summary)}</p>}
      <ol class="broken-list">
        {groupsOf(sure, summary).map((group) => (
          <li key={group[0].anchor} class={group[0].kind}>
            <Broken group={group} summary={summary} anchors={anchors} />
          </li>
        ))}
      </ol>
    </Section>
  );
}

type Group = readonly [Finding, ...Finding[]];

/** The findings in their order, those that break the same requirements in the same way together: each stands there once. */
function groupsOf(found: readonly Finding[], summary: RunSummary): readonly Group[] {
  const keyOf = ({ kind, check, broken }: Finding): string =>
    JSON.stringify([kind, broken.map(({ id }) => id), expectationsOf(check, summary).map(({ id }) => id)]);
  return [...Map.groupBy(found, keyOf).values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : [[first, ...others] as const],
  );
}

function Broken(props: { group: Group; summary: RunSummary; anchors: Anchors }): JSX.Element {
  const { group, summary, anchors } = props;
  const [first] = group;
  return (
    <>
      <Head finding={first} summary={summary} anchors={anchors} />
      {first.broken.map(({ id, statement, why }) => (
        <div key={id}>
          <p class="what">
            {first.broken.length > 1 && `${shown(id)}: `}
            {shown(statement)}
          </p>
          {why !== undefined && <p class="why">{shown(why)}</p>}
        </div>
      ))}
      {group.map((finding) => (
        <Found key={finding.anchor} finding={finding} anchors={anchors} />
      ))}
    </>
  );
}

function Found({ finding, anchors }: { finding: Finding; anchors: Anchors }): JSX.Element {
  const { check, counterexample, anchor } = finding;
  return (
    <div class="found">
      <p>
        <b>Found:</b> {shown(counterexample?.summary ?? check.title)}
      </p>
      {counterexample && (
        <p class="hint">
          <b>To fix it:</b> {shown(counterexample.hint)}
        </p>
      )}
      <p>
        <a href={linkTo(anchors(anchor))}>
          See the smallest case<span class="hidden"> of {shown(check.id)}</span>
        </a>
      </p>
    </div>
  );
}

function Head(props: { finding: Finding; summary: RunSummary; anchors: Anchors }): JSX.Element {
  const { check, broken } = props.finding;
  const { summary, anchors } = props;
  const known = expectationsOf(check, summary);
  return (
    <div class="broken-head">
      <Mark outcome={check.outcome} short />
      {broken.map((requirement) => (
        <RequirementTag key={requirement.id} requirement={requirement} anchors={anchors} />
      ))}
      {known.length > 0 && <span class="tag">known: {known.map(({ reason }) => shown(reason)).join('; ')}</span>}
    </div>
  );
}

/** A requirement in short: `VRF-3 MUST § 5.2`. */
export function RequirementTag(props: { requirement: RequirementResult; anchors: Anchors }): JSX.Element {
  const { id, level, section } = props.requirement;
  return (
    <span class="requirement-tag">
      <a href={linkTo(props.anchors(id))}>{shown(id)}</a> <span class="level">{level.toUpperCase()}</span>{' '}
      <Citation section={section} />
    </span>
  );
}

/** Where the contract says so: a section, or the address of a page, which leads there. */
export function Citation({ section }: { section: string }): JSX.Element {
  const [, page] = /^https?:\/\/(\S+)$/i.exec(section) ?? [];
  if (page === undefined) return <span class="section">{shown(shortCitation(section))}</span>;
  return (
    <a class="section" href={section} rel="noreferrer">
      {shown(page)}
    </a>
  );
}

function titleOf(found: readonly Finding[]): string {
  if (found.some(({ kind }) => kind === 'failure')) return 'What is broken, and why';
  return found.length > 0 ? 'What could be better' : 'What is broken';
}

function nothing({ requirements, run }: RunSummary): string {
  const open = requirements.some(({ outcome }) => outcome === 'not-observed' || outcome === 'inconclusive');
  if (!run.complete) return 'Nothing, as far as the run came.';
  return open ? 'Nothing of what was observed.' : 'Nothing.';
}
