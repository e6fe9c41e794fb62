import type { JSX } from 'preact';

import { showsNothing } from '../../../text/failureText.ts';
import { besideText, rateText } from '../../../text/rateText.ts';
import { sizeText } from '../../../text/sizeText.ts';
import { repeatCommand } from '../../../curl/repeatCommand.ts';
import { replayCommand } from '../../../curl/replayCommand.ts';
import type { Anchors } from './anchors.ts';
import { RequirementTag } from './brokenSection.tsx';
import { CaseExchanges } from './caseExchanges.tsx';
import { CaseTimeline } from './caseTimeline.tsx';
import { Copyable } from './copyable.tsx';
import type { Finding } from './findings.ts';
import { Mark } from './mark.tsx';
import { sentence, shown } from './shown.ts';
import type { RunSummary, FoundFailure } from '../../../model/runSummary.ts';
import type { Counterexample } from '../../../model/exchange.ts';

const titles = { failure: 'failure', warning: 'warning', flaky: 'flaky: it did not come again' } as const;

/** A failure as a whole: what is broken, what was expected, what happened, the case, and three ways to see it again. */
export function FailureCard(props: {
  finding: Finding;
  summary: RunSummary;
  anchors: Anchors;
  open: boolean;
}): JSX.Element {
  const { finding, summary, anchors, open } = props;
  const { check, anchor, kind, counterexample, found } = finding;
  return (
    <article id={anchors(anchor)} class={`case ${kind}`} aria-label={`${titles[kind]}: ${shown(check.id)}`}>
      <details open={open}>
        <summary>
          <Mark outcome={kind === 'flaky' ? 'inconclusive' : check.outcome} short />
          <h3>{shown(check.id)}</h3>
          <span class="brief">{sentence(counterexample?.summary ?? check.title)}</span>
        </summary>
        <div class="case-body">
          <What finding={finding} summary={summary} anchors={anchors} />
          {found && <Steps found={found} />}
          {counterexample && <Told told={counterexample} />}
          {counterexample && <CaseTimeline moments={counterexample.timeline ?? []} />}
          {counterexample && <CaseExchanges told={counterexample} target={summary.target} />}
          <Again finding={finding} summary={summary} />
        </div>
      </details>
    </article>
  );
}

function What(props: { finding: Finding; summary: RunSummary; anchors: Anchors }): JSX.Element {
  const { finding, summary, anchors } = props;
  const { check, kind, broken, found } = finding;
  return (
    <>
      {found === undefined && (
        <p class="says">
          It checks that the {summary.target.kind} {shown(check.title)}.
        </p>
      )}
      {kind === 'flaky' && (
        <p class="says">What was seen did not come again: it may have been chance, and counts as nothing.</p>
      )}
      <ul class="plain">
        {broken.map((requirement) => (
          <li key={requirement.id}>
            <RequirementTag requirement={requirement} anchors={anchors} /> {shown(requirement.statement)}
          </li>
        ))}
      </ul>
    </>
  );
}

function Told({ told }: { told: Counterexample }): JSX.Element {
  const rows = [
    ['Found', told.summary, ''],
    ['Expected', told.expected, ''],
    ['Actual', told.actual, ''],
    ['To mend it', told.hint, 'hint'],
  ] as const;
  return (
    <dl class="told">
      {rows.map(([name, text, tone]) => (
        <div key={name} class={tone}>
          <dt>{name}</dt>
          <dd>{sentence(text)}</dd>
        </div>
      ))}
    </dl>
  );
}

function Steps({ found }: { found: FoundFailure }): JSX.Element {
  const { steps, beside, rate } = found;
  const size = sizeText(found);
  return (
    <>
      <h4>The steps that show it</h4>
      <ol class="steps">
        {steps.map((step, index) => (
          <li key={index}>{shown(step)}</li>
        ))}
      </ol>
      <p class="note">
        {size !== undefined && `${sentence(size)}. `}
        Tried again {besideText(beside)}, with fresh ids: {rateText(rate)}.
      </p>
    </>
  );
}

function Again({ finding, summary }: { finding: Finding; summary: RunSummary }): JSX.Element {
  const { check, counterexample, found } = finding;
  const curl = counterexample === undefined || showsNothing(counterexample, summary) ? '' : counterexample.curl;
  const file = counterexample?.file;
  return (
    <>
      <h4>See it again</h4>
      {curl !== '' && (
        <>
          <p>In a shell:</p>
          <Copyable text={curl} label="the shell lines" />
        </>
      )}
      {file !== undefined && (
        <>
          <p>This very case, shrunk as it is:</p>
          <Copyable text={replayCommand(file, summary.command)} label="the replay command" />
        </>
      )}
      <p>{found ? 'The whole search:' : 'This check alone, with the same seed:'}</p>
      <Copyable text={found ? summary.command : repeatCommand(check.id, summary.command)} label="the command" />
    </>
  );
}
