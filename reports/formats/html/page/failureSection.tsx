import type { JSX } from 'preact';
import { useCallback } from 'preact/hooks';

import { type Anchors, Section, Sentence, sentence, shown } from './section.tsx';
import type { Finding } from './findings.ts';
import type { RunSummary, FoundFailure } from '../../../model/runSummary.ts';
import { showsNothing, timelineRows } from '../../../text/failureText.ts';
import { besideText, rateText, amount, duration, grouped, sizeText } from '../../../text/amount.ts';
import { repeatCommand, replayCommand } from '../../../curl/replayCommand.ts';
import { RequirementTag } from './brokenSection.tsx';
import { promptText } from '../../prompt/promptText.ts';
import { Copyable, CopyButton } from './copyable.tsx';
import { Mark } from './mark.tsx';
import { type Counterexample, isCaught, type ReportedAttempt, type ReportedExchange } from '../../../model/exchange.ts';
import type { Moment } from '../../../model/processEvents.ts';
import type { Explanations } from '../../../model/document.ts';
import { More } from './explainedSection.tsx';
import { caseChart, Chart } from './chart.tsx';
import { answerText, exchangeAnswer } from '../../terminal/answerText.ts';
import { ExchangeView } from './exchangeView.tsx';
import { decisiveOf } from '../../../model/comparedRequest.ts';

interface Props {
  summary: RunSummary;
  findings: readonly Finding[];
  anchors: Anchors;
  explained: Explanations;
}

/** Each failure with the smallest case that shows it. */
export function FailureSection({ findings, ...run }: Props): JSX.Element | null {
  if (findings.length === 0) return null;
  const lead = 'Each with the smallest case that shows it, as it went over the wire, and with what shows it again.';
  return (
    <Section id={run.anchors('cases')} title="The cases" lead={lead}>
      {findings.map((finding, index) => (
        <FailureCard key={finding.anchor} finding={finding} {...run} open={index === 0} />
      ))}
    </Section>
  );
}

const titles = { failure: 'failure', warning: 'warning', flaky: 'flaky: it did not come again' } as const;

type CardProps = Omit<Props, 'findings'> & { finding: Finding };

/** A failure as a whole: what is broken, what was expected, what happened, the case, and three ways to see it again. */
function FailureCard({ finding, open, ...run }: CardProps & { open: boolean }): JSX.Element {
  const { summary, anchors } = run;
  const { check, anchor, weight, counterexample, found } = finding;
  return (
    <article id={anchors(anchor)} class={`case ${weight}`} aria-label={`${titles[weight]}: ${shown(check.id)}`}>
      <details open={open}>
        <summary>
          <Mark outcome={weight === 'flaky' ? 'inconclusive' : check.outcome} short />
          <h3>{shown(check.id)}</h3>
          <span class="brief">{sentence(counterexample?.summary ?? check.title)}</span>
        </summary>
        <div class="case-body">
          <What finding={finding} {...run} />
          {found && <Steps found={found} />}
          {counterexample && <CounterexampleText reported={counterexample} />}
          {counterexample && <CaseTimeline moments={counterexample.timeline ?? []} />}
          {counterexample && <CaseExchanges reported={counterexample} target={summary.target} />}
          <Again finding={finding} summary={summary} />
        </div>
      </details>
    </article>
  );
}

function What({ finding, ...run }: CardProps): JSX.Element {
  const { summary, anchors } = run;
  const { check, weight, broken, found } = finding;
  return (
    <>
      {found === undefined && (
        <p class="says">
          It checks that the {summary.target.kind} {shown(check.title)}.
        </p>
      )}
      {weight === 'flaky' && (
        <p class="says">What was seen did not come again: it may have been chance, and counts as nothing.</p>
      )}
      <ul class="plain">
        {broken.map((requirement) => (
          <li key={requirement.id}>
            <RequirementTag requirement={requirement} anchors={anchors} /> <p>{shown(requirement.statement)}</p>
            <More requirement={requirement} {...run} />
          </li>
        ))}
      </ul>
    </>
  );
}

function CounterexampleText({ reported }: { reported: Counterexample }): JSX.Element {
  const rows = [
    ['Found', reported.summary, ''],
    ['Expected', reported.expected, ''],
    ['Actual', reported.actual, ''],
    ['To fix it', reported.hint, 'hint'],
  ] as const;
  return (
    <dl class="finding">
      {rows.map(([name, text, tone]) => (
        <div key={name} class={tone}>
          <dt>{name}</dt>
          <dd>
            <Sentence text={text} />
          </dd>
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
          <p>This very case:</p>
          <Copyable text={replayCommand(file, summary.command)} label="the replay command" />
        </>
      )}
      <p>{found ? 'The whole search:' : 'This check alone, with the same seed:'}</p>
      <Copyable text={found ? summary.command : repeatCommand(check.id, summary.command)} label="the command" />
      <CopyButton label="Copy as a prompt" text={() => promptText(summary, [finding])} />
      <p class="note">
        What an assistant needs to fix it: the requirement, this case, the hint and these commands. Secrets are not in
        it.
      </p>
    </>
  );
}

/** What was done and seen in a case in which the target was killed, stopped or paused: as a plot and line by line. */
function CaseTimeline({ moments }: { moments: readonly Moment[] }): JSX.Element | null {
  const draw = useCallback((width: number) => caseChart(moments, width), [moments]);
  if (moments.length === 0) return null;
  return (
    <>
      <h4>Timeline</h4>
      <Chart draw={draw} />
      <p class="legend">
        Grey: it was down or paused. A line is a delivery on its way, a dot its answer, a cross a broken connection, a
        ring something that was counted.
      </p>
      <ol class="timeline">
        {timelineRows(moments).map(({ time, text, decisive }, index) => (
          <li key={index} class={decisive ? 'decisive' : ''}>
            <span class="time">{time}</span> <span>{text}</span>
          </li>
        ))}
      </ol>
    </>
  );
}

type Target = RunSummary['target'];

/** What went over the wire in a case: all of it in short, the decisive exchange in full beside its neighbour. */
function CaseExchanges({ reported, target }: { reported: Counterexample; target: Target }): JSX.Element {
  const { attempts, twin, effects = [] } = reported.exchange;
  const decisive = decisiveOf(attempts, twin);
  return (
    <>
      {attempts.length > 1 && reported.timeline === undefined && <Sequence attempts={attempts} target={target} />}
      {decisive && (
        <h4>
          {attempts.length > 1
            ? decisive === attempts.at(-1)
              ? 'The last of them, in full'
              : 'The one that is meant, in full'
            : 'Over the wire'}
        </h4>
      )}
      {decisive && (
        <ExchangeView exchange={decisive} kind={target.kind} {...(twin && { twin })} meant={reported.exchange} />
      )}
      {effects.map(({ id, expected, actual }) => (
        <p key={id} class="effects">
          Effects of <code>{shown(id)}</code>: <b>{grouped(actual)}</b> counted, {grouped(expected)} expected.
        </p>
      ))}
    </>
  );
}

/** Most exchanges that are listed; what is left out stands between the first and the last ones. */
const few = 24;

function Sequence({ attempts, target }: { attempts: readonly ReportedExchange[]; target: Target }): JSX.Element {
  const start = attempts.find(({ at }) => at !== undefined)?.at ?? 0;
  const rows = attempts.map((exchange, index) => ({ exchange, number: index + 1 }));
  const left = rows.length - few;
  const listed = left > 0 ? [...rows.slice(0, few / 2), ...rows.slice(-few / 2)] : rows;
  return (
    <>
      <h4>In the order of time</h4>
      <ol class="sequence">
        {listed.map(({ exchange, number }) => (
          <li key={number} value={number}>
            {lineOf(exchange, attempts[number - 2], start, target)}
          </li>
        ))}
      </ol>
      {left > 0 && (
        <p class="note">
          {amount(left, 'exchange')} between them {left === 1 ? 'is' : 'are'} left out here.
        </p>
      )}
    </>
  );
}

function lineOf(
  exchange: ReportedExchange,
  before: ReportedExchange | undefined,
  start: number,
  { address }: Target,
): string {
  const { method, url, body } = exchange.request;
  const when = exchange.at === undefined ? '' : `at ${duration(exchange.at - start)}: `;
  if (isCaught(exchange)) return shown(`${when}delivery, attempt ${exchange.number}: ${exchangeAnswer(exchange)}`);
  const same = before?.request.body.sha256 === body.sha256 && body.bytes > 0 ? ', the same bytes' : '';
  const where = url === address ? '' : ` ${url.startsWith(`${address}/`) ? url.slice(address.length) : url}`;
  return shown(`${when}${method}${where}, ${amount(body.bytes, 'byte')}${same}: ${answered(exchange)}`);
}

function answered({ answer }: ReportedAttempt): string {
  return answer.kind === 'answered' ? `answered ${answerText(answer)}` : answerText(answer);
}
