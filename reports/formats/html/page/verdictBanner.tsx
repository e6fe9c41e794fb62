import type { ComponentChildren, JSX } from 'preact';

import { exitCode } from '../../../model/exitCode.ts';
import { duration, grouped } from '../../../text/amount.ts';
import { headWords } from '../../../text/verdictWords.ts';
import { Facts } from './facts.tsx';
import { outcomeBar } from './outcomeBar.tsx';
import { shown } from './shown.ts';
import type { RunSummary } from '../../../model/runSummary.ts';

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
    <Banner tone={tones[summary.verdict]} title={title} detail={detail}>
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
        <p class="detail">{shown(detail)}</p>
        {children}
      </div>
    </header>
  );
}

function factsOf(summary: RunSummary): readonly (readonly [string, string])[] {
  const { target, contract, run, search, summary: counts } = summary;
  const traffic = [
    ...(counts.calls === undefined ? [] : [`${grouped(counts.calls)} calls`]),
    `${grouped(counts.deliveries)} deliveries`,
  ];
  return [
    [target.kind === 'receiver' ? 'Receiver' : 'Service', target.address],
    ['Contract', `${contract.title} ${contract.version}`],
    ['Run', `${dateText(run.startedAt)}, ${duration(run.durationMs)}, ${traffic.join(', ')}`],
    [
      'Settings',
      [
        // A search has no intensity: its budget bounds it.
        ...(search === undefined ? [`intensity ${run.intensity}`] : []),
        `seed ${run.seed}`,
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
