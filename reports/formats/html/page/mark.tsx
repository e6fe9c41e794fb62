import type { JSX } from 'preact';

import type { CheckOutcome } from '../../../model/events.ts';
import type { RequirementOutcome, RequirementResult } from '../../../model/runSummary.ts';
import { signedOutcome } from '../../../model/verdict.ts';

type AnyOutcome = CheckOutcome | RequirementOutcome;

/** The sign and the colour of each outcome; the words beside it never rest on either. */
const marks: Readonly<Record<AnyOutcome, readonly [sign: string, tone: string, words: string]>> = {
  passed: ['✓', 'good', 'passed'],
  holds: ['✓', 'good', 'holds'],
  failed: ['✗', 'bad', 'failed'],
  broken: ['✗', 'bad', 'broken'],
  warned: ['!', 'warn', 'warned'],
  inconclusive: ['?', 'open', 'inconclusive'],
  'not-observable': ['–', 'none', 'not observable'],
  'not-observed': ['–', 'none', 'not observed'],
  errored: ['E', 'bad', 'errored'],
};

/** An outcome: a sign in a circle, and the word. */
export function Mark(props: { outcome: AnyOutcome; words?: string; short?: boolean }): JSX.Element {
  const { outcome, short = false } = props;
  const [sign, tone, own] = marks[outcome];
  return (
    <span class={`mark ${tone}`}>
      <span class="sign" aria-hidden="true">
        {sign}
      </span>
      <span class={short ? 'hidden' : ''}>{props.words ?? own}</span>
    </span>
  );
}

/** How a requirement stands. One that is broken and does not count against the target has the sign of a warning, wherever it stands. */
export function RequirementMark(props: {
  row: Pick<RequirementResult, 'outcome' | 'level' | 'binding'>;
  strict: boolean;
  short?: boolean;
}): JSX.Element {
  const { row, strict, short = false } = props;
  return <Mark outcome={signedOutcome(row, strict)} words={marks[row.outcome][2]} short={short} />;
}

/** In words, for people. */
export function outcomeWords(outcome: AnyOutcome): string {
  return marks[outcome][2];
}

/** The name of its colour. */
export function toneOf(outcome: AnyOutcome): string {
  return marks[outcome][1];
}
