import type { JSX } from 'preact';

import type { CheckOutcome } from '../../../model/events.ts';
import type { RequirementOutcome } from '../../../model/runSummary.ts';

export type AnyOutcome = CheckOutcome | RequirementOutcome;

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
export function Mark({ outcome, short = false }: { outcome: AnyOutcome; short?: boolean }): JSX.Element {
  const [sign, tone, words] = marks[outcome];
  return (
    <span class={`mark ${tone}`}>
      <span class="sign" aria-hidden="true">
        {sign}
      </span>
      <span class={short ? 'hidden' : ''}>{words}</span>
    </span>
  );
}

/** In words, for people. */
export function outcomeWords(outcome: AnyOutcome): string {
  return marks[outcome][2];
}

/** The name of its colour. */
export function toneOf(outcome: AnyOutcome): string {
  return marks[outcome][1];
}
