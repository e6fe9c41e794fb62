import { shortCitation } from '../../../text/citation.ts';
import type { JSX } from 'preact';

import { expectationsOf } from '../../../model/expectations.ts';
import { type Anchors, linkTo, Section, Sentence, shown } from './section.tsx';
import type { Explanations } from '../../../model/document.ts';
import { More } from './explainedSection.tsx';
import type { Finding } from './findings.ts';
import { Mark, RequirementMark } from './mark.tsx';
import type { RequirementResult, RunSummary } from '../../../model/runSummary.ts';

interface Props {
  summary: RunSummary;
  findings: readonly Finding[];
  anchors: Anchors;
  explained: Explanations;
}

/** What is broken, and why, in a few lines each; the whole case is further down. */
export function BrokenSection({ summary, findings, anchors, explained }: Props): JSX.Element {
  const sure = findings.filter(({ weight }) => weight !== 'flaky');
  return (
    <Section id={anchors('broken')} title={titleOf(sure)}>
      {sure.length === 0 && <p class="calm">{nothing(summary)}</p>}
      <ol class="broken-list">
        {cardsOf(sure).map((card) => (
          <li key={card.requirement?.id ?? card.findings[0].anchor} class={card.findings[0].weight}>
            <Broken card={card} summary={summary} anchors={anchors} explained={explained} />
          </li>
        ))}
      </ol>
    </Section>
  );
}

/** A broken requirement and what shows it; without the requirement, where a finding names none that the run knows. */
interface Card {
  readonly requirement?: RequirementResult;
  readonly findings: readonly [Finding, ...Finding[]];
}

/** A card for each requirement, in the order of the findings: failures first. */
function cardsOf(found: readonly Finding[]): readonly Card[] {
  const rows = new Map(found.flatMap(({ broken }) => broken.map((row) => [row.id, row] as const)));
  const cards = [...rows.values()].flatMap((requirement): readonly Card[] => {
    const [first, ...others] = found.filter(({ broken }) => broken.some(({ id }) => id === requirement.id));
    return first === undefined ? [] : [{ requirement, findings: [first, ...others] }];
  });
  return [...cards, ...found.filter(({ broken }) => broken.length === 0).map((each): Card => ({ findings: [each] }))];
}

function Broken({ card, ...run }: Omit<Props, 'findings'> & { card: Card }): JSX.Element {
  const { summary, anchors } = run;
  const { requirement, findings } = card;
  return (
    <>
      <Head card={card} summary={summary} anchors={anchors} />
      {requirement && <p class="what">{shown(requirement.statement)}</p>}
      {requirement?.why !== undefined && <p class="why">{shown(requirement.why)}</p>}
      {findings.map((finding) => (
        <Found key={finding.anchor} finding={finding} card={card} anchors={anchors} />
      ))}
      {requirement && <More requirement={requirement} {...run} />}
    </>
  );
}

/** What was found stands with the first requirement that it breaks; with the others, where to read it. */
function Found({ finding, card, anchors }: { finding: Finding; card: Card; anchors: Anchors }): JSX.Element {
  const { check, counterexample, anchor, broken } = finding;
  const [first] = broken;
  const elsewhere = first !== undefined && first.id !== card.requirement?.id;
  return (
    <div class="found">
      <p>
        <b>Found:</b> {shown(counterexample?.summary ?? check.title)}
      </p>
      {counterexample && !elsewhere && (
        <p class="hint">
          <b>To fix it:</b> <Sentence text={counterexample.hint} />
        </p>
      )}
      <p>
        {elsewhere && <>The same case breaks {shown(first.id)}. </>}
        <a href={linkTo(anchors(anchor))}>
          See the smallest case<span class="hidden"> of {shown(check.id)}</span>
        </a>
      </p>
    </div>
  );
}

function Head({ card, summary, anchors }: Pick<Props, 'summary' | 'anchors'> & { card: Card }): JSX.Element {
  const { requirement, findings } = card;
  const [{ check }] = findings;
  const entries = findings.map((finding) => expectationsOf(finding.check, summary));
  const isKnown = entries.every((own) => own.length > 0);
  const known = isKnown ? [...new Map(entries.flat().map((entry) => [entry.id, entry])).values()] : [];
  return (
    <div class="broken-head">
      {requirement === undefined ? (
        <>
          <Mark outcome={check.outcome} short /> {shown(check.id)}
        </>
      ) : (
        <>
          <RequirementMark row={requirement} strict={summary.run.strict} short />
          <RequirementTag requirement={requirement} anchors={anchors} />
        </>
      )}
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
  if (found.some(({ weight }) => weight === 'failure')) return 'What is broken, and why';
  return found.length > 0 ? 'What could be better' : 'What is broken';
}

function nothing({ requirements, run }: RunSummary): string {
  const open = requirements.some(({ outcome }) => outcome === 'not-observed' || outcome === 'inconclusive');
  if (!run.complete) return 'Nothing, as far as the run came.';
  return open ? 'Nothing of what was observed.' : 'Nothing.';
}
