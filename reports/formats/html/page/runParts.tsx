import type { ComponentChildren, JSX } from 'preact';

import { runProblems } from '../../../model/runProblems.ts';
import type { CheckResult, RequirementResult, RunSummary } from '../../../model/runSummary.ts';
import { budgetText, searchFindings } from '../../../model/search.ts';
import { byReason, unexplained } from '../../../model/unobserved.ts';
import { amount, duration, grouped } from '../../../text/amount.ts';
import { expectationText } from '../../../text/failureText.ts';
import { targetWords, earlyEnd } from '../../../text/verdictWords.ts';
import { BrokenSection } from './brokenSection.tsx';
import { CheckSection } from './checkSection.tsx';
import { RepeatSection } from './copyable.tsx';
import type { Explanations } from '../../../model/document.ts';
import { EventMatrix } from './eventMatrix.tsx';
import { ExchangeView } from './exchangeView.tsx';
import { ExplainedSection } from './explainedSection.tsx';
import { FailureSection } from './failureSection.tsx';
import { findingsOf } from './findings.ts';
import { GapSection } from './gapSection.tsx';
import { LatencySection } from './latencySection.tsx';
import { Mark } from './mark.tsx';
import { shownRequirements } from '../../../model/requirementOutcome.ts';
import { RequirementSection } from './requirementSection.tsx';
import { RetrySection } from './retrySection.tsx';
import { type Anchors, anchorsOf, Facts, linkTo, Section, Sentence, sentence, shown, TextList } from './section.tsx';

/** All that a page says about one run, in the order in which it is asked for. */
export function RunParts(props: { summary: RunSummary; explained: Explanations; prefix?: string }): JSX.Element {
  const { summary, explained, prefix = '' } = props;
  const parts = { summary, explained, anchors: anchorsOf(prefix), findings: findingsOf(summary) };
  return (
    <>
      <Alarm {...parts} />
      <BrokenSection {...parts} />
      <UnobservedSection {...parts} />
      <KnownSection {...parts} />
      <SearchSection {...parts} />
      {shownRequirements(parts.summary).length > 0 && <RequirementSection {...parts} />}
      <FailureSection {...parts} />
      <ExplainedSection {...parts} />
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

/** What a search tried; nothing where the run is none. */
function SearchSection({ summary, anchors }: { summary: RunSummary; anchors: Anchors }): JSX.Element | null {
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

/** What was known to fail, and how each entry stands. */
function KnownSection({ summary, anchors }: { summary: RunSummary; anchors: Anchors }): JSX.Element | null {
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

const outcomes = ['errored', 'inconclusive', 'not-observable'] as const;

/** What the run cannot say, and what would let it: an entry for each reason rather than for each check. */
function UnobservedSection({ summary, anchors }: { summary: RunSummary; anchors: Anchors }): JSX.Element | null {
  const groups = outcomes.flatMap((outcome) =>
    byReason(summary.checks, outcome).map((group) => ({ outcome, ...group })),
  );
  const rest = [...Map.groupBy(unexplained(summary), ({ reason }) => reason)];
  if (groups.length + rest.length === 0) return null;
  const lead = 'Nothing counts as holding that was not observed. Each reason says what would make it observable.';
  return (
    <Section id={anchors('unobserved')} title="What was not observed, and how to observe it" lead={lead}>
      <ul class="reasons">
        {groups.map(({ outcome, reason, checks }) => (
          <Reason key={outcome + reason} outcome={outcome} reason={reason}>
            <Concerned
              count={amount(checks.length, 'check')}
              ids={checks.flatMap(({ requirements }) => requirements)}
              anchors={anchors}
            />
          </Reason>
        ))}
        {rest.map(([reason, rows]) => (
          <Reason key={reason} outcome={rows[0]?.outcome ?? 'inconclusive'} reason={reason}>
            <Concerned count="" ids={rows.map(({ id }) => id)} anchors={anchors} />
          </Reason>
        ))}
      </ul>
    </Section>
  );
}

function Reason(props: {
  outcome: CheckResult['outcome'] | RequirementResult['outcome'];
  reason: string;
  children: ComponentChildren;
}): JSX.Element {
  return (
    <li>
      <Mark outcome={props.outcome} />
      <div>
        <p>
          <Sentence text={props.reason} />
        </p>
        {props.children}
      </div>
    </li>
  );
}

function Concerned(props: { count: string; ids: readonly string[]; anchors: Anchors }): JSX.Element {
  return (
    <p class="concerned">
      {props.count}
      {props.count !== '' && props.ids.length > 0 && ' of '}
      {[...new Set(props.ids)].map((id, index) => (
        <span key={id}>
          {index > 0 && ', '}
          <a class="unbroken" href={linkTo(props.anchors(id))}>
            {shown(id)}
          </a>
        </span>
      ))}
    </p>
  );
}

/** That no plain request was accepted, and what the run went on with all the same. */
function refusalText(kind: RunSummary['target']['kind'], instead: string | undefined): string {
  const { controlFailed } = targetWords[kind];
  if (instead === undefined) return `${controlFailed}: without that nothing else would mean anything.`;
  return `${controlFailed}. The run went on: ${shown(instead)}.`;
}

/** Says loudly that a run did not come to its end, or that something is wrong with the run itself. */
function Alarm({ summary, anchors }: { summary: RunSummary; anchors: Anchors }): JSX.Element | null {
  // That it was killed or interrupted stands in the heading.
  const problems = runProblems({ ...summary, ended: true, interrupted: false });
  const { control, target, run, pending } = summary;
  const end = earlyEnd(summary);
  const refused = control !== undefined && !control.accepted;
  if (problems.length === 0 && run.complete && !refused) return null;
  return (
    <div class="alarm">
      <h2>
        {end === undefined
          ? 'Something went wrong with this run'
          : `Incomplete: ${end.charAt(0).toLowerCase()}${end.slice(1)}`}
      </h2>
      {refused && <p>{refusalText(target.kind, control.instead)}</p>}
      {!run.complete && <p>{unseen(summary)}</p>}
      {problems.map(({ title, text }) => (
        <div key={title}>
          <h3>{sentence(title)}</h3>
          <p class="lines">{sentence(text)}</p>
        </div>
      ))}
      {pending.length > 0 && (
        <details open={pending.length <= 30}>
          <summary>{amount(pending.length, 'check')} had begun and not ended</summary>
          <ul class="plain pending">
            {pending.map((id) => (
              <li key={id}>
                <a href={linkTo(anchors(id))}>{shown(id)}</a>
              </li>
            ))}
          </ul>
        </details>
      )}
      {refused && <ExchangeView exchange={control.attempt} kind={target.kind} />}
    </div>
  );
}

function unseen({ checks, summary: { passed, failed, warned } }: RunSummary): string {
  return `${passed + failed + warned} of ${checks.length} checks came to a result. What follows was seen until then; the rest was not seen, and nothing is concluded from that.`;
}

/** How the target fared as a process, and what the kit left there; nothing where there is nothing to report. */
function TargetSection({ summary, anchors }: { summary: RunSummary; anchors: Anchors }): JSX.Element | null {
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
          <TextList texts={leftOver} />
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
