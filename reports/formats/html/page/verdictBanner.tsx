import type { ComponentChildren, JSX } from 'preact';

import { exitCode } from '../../../model/exitCode.ts';
import { amount, duration, timeLimitText } from '../../../text/amount.ts';
import { contractText } from '../../../text/citation.ts';
import { cutShortTexts, capital, headWords, subjectText } from '../../../text/verdictWords.ts';
import { isPassedSelection } from '../../../model/verdict.ts';
import { leftOutTexts } from '../../../model/selectionEvents.ts';
import { Facts, Sentence, shown } from './section.tsx';
import type { RunSummary, RequirementOutcome } from '../../../model/runSummary.ts';
import { shownRequirements } from '../../../model/requirementOutcome.ts';
import { outcomeWords, toneOf } from './mark.tsx';
import { routeText } from './route.ts';

const tones = { conforms: 'good', 'does-not-conform': 'bad', inconclusive: 'open' } as const;
const signs = { good: '✓', bad: '✗', open: '?' } as const;

/** What a hurried reader needs first: the verdict, what it rests on, and about which target it is. */
export function VerdictBanner({
  summary,
  children,
}: {
  summary: RunSummary;
  children?: ComponentChildren;
}): JSX.Element {
  const [title, detail] = headWords(summary);
  return (
    <Banner tone={isPassedSelection(summary) ? 'good' : tones[summary.verdict]} title={title} detail={detail}>
      {outcomeBar(summary)}
      <Facts rows={factsOf(summary)} />
      {children}
    </Banner>
  );
}

/** The head of any report. */
export function Banner(props: {
  tone: 'good' | 'bad' | 'open';
  title: string;
  detail: string;
  children: ComponentChildren;
}): JSX.Element {
  const { tone, title, detail, children } = props;
  return (
    <header class={`banner ${tone}`}>
      <div class="inner">
        <h1>
          <span class="seal" aria-hidden="true">
            {signs[tone]}
          </span>
          {shown(title)}
        </h1>
        <p class="detail">
          <Sentence text={detail} />
        </p>
        {children}
      </div>
    </header>
  );
}

function factsOf(summary: RunSummary): readonly (readonly [string, string])[] {
  const { target, contract, run, search, summary: counts } = summary;
  const traffic = [
    ...(counts.calls === undefined ? [] : [amount(counts.calls, 'call')]),
    amount(counts.deliveries, 'delivery', 'deliveries'),
  ];
  return [
    ...cutShortTexts(summary).map((text) => ['Time', text] as const),
    [capital(subjectText(target, run)), target.address],
    ['Contract', contractText(contract)],
    ...leftOutTexts(contract).map((text) => ['Left out', text] as const),
    ['Run', `${dateText(run.startedAt)}, ${duration(run.durationMs)}, ${traffic.join(', ')}`],
    [
      'Settings',
      [
        // A search has no intensity: its budget bounds it.
        ...(search === undefined && !run.caughtOnly ? [`intensity ${run.intensity}`] : []),
        ...(run.timeLimit === undefined ? [] : [`at most ${timeLimitText(run.timeLimit)}`]),
        ...(run.caughtOnly ? [] : [`seed ${run.seed}`]),
        ...(run.strict ? ['strict'] : []),
        `exit code ${exitCode(summary)}`,
      ].join(', '),
    ],
  ];
}

/** @example dateText('2026-11-20T19:00:00.000Z') // '2026-11-20 19:00 UTC' */
export function dateText(at: string): string {
  return at.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d).*Z$/, '$1 $2 UTC');
}

const order: readonly RequirementOutcome[] = ['broken', 'inconclusive', 'not-observed', 'holds'];

/** The requirements by outcome, as a bar, and in words that lead to those rows of the table. */
function outcomeBar(summary: RunSummary): JSX.Element | undefined {
  const requirements = shownRequirements(summary);
  const by = Map.groupBy(requirements, ({ outcome }) => outcome);
  const parts = order.flatMap((outcome) => {
    const count = by.get(outcome)?.length ?? 0;
    return count === 0 ? [] : [{ outcome, count }];
  });
  if (parts.length === 0) return undefined;
  return (
    <div class="outcome-bar">
      <div class="bar" aria-hidden="true">
        {parts.map(({ outcome, count }) => (
          <span key={outcome} class={toneOf(outcome)} style={{ flexGrow: count }} />
        ))}
      </div>
      <ul aria-label={`${requirements.length} requirements by outcome`}>
        {parts.map(({ outcome, count }) => (
          <li key={outcome}>
            <a class={toneOf(outcome)} href={routeText({ anchor: 'requirements', filters: { outcome } })}>
              <b>{count}</b> {count === 1 || outcome !== 'holds' ? outcomeWords(outcome) : 'hold'}
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}
