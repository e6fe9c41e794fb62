import { join } from 'node:path';

import { repeatCommand, replayCommand } from '../../reports/curl/replayCommand.ts';
import type { Counterexample } from '../../reports/model/exchange.ts';
import { firstLine } from '../../reports/text/visible.ts';
import type { Failure, Found } from './trial.ts';
import { type SavingRun, type SavedSequence, saveCase } from './saveCase.ts';
import type { SavedRequests } from './savedCase.ts';
import type { Reported } from './side.ts';

/** What every finding of a report says. */
interface FailedCase extends Found {
  readonly expected: string;
  readonly difference?: string;
}

interface ReportedCheck {
  readonly id: string;
  readonly title: string;
  readonly hint: string;
}

/** What went over the wire, as a report shows it. */
interface Shown {
  readonly exchange: Counterexample['exchange'];
  /** Shell lines that show the failure; nothing where none do. */
  readonly lines: string | undefined;
  /** What a file holds of it beside, so that it can be sent again. */
  readonly sent?: SavedRequests | undefined;
}

/** The file for bodies of a failure that are too large to show. */
export function bodyFileOf(directory: string, check: string, sequence: SavedSequence | undefined): string {
  return join(directory, `${check.replaceAll('/', '-')}${sequence ? `-${sequence.number}` : ''}.body`);
}

/** Puts a failure in the words of a report, and keeps it in a file where the run knows its options. */
export function counterexampleOf(
  run: SavingRun & { readonly plan: { readonly seed: number; readonly command: string } },
  check: ReportedCheck,
  { case: generated, finding }: Failure<FailedCase>,
  { others, timeline, sequence }: Reported,
  { exchange, lines, sent }: Shown,
): Counterexample {
  const { plan } = run;
  const { requirements, expected, actual, died } = finding;
  const reported: Counterexample = {
    summary: summary(finding, others),
    requirements,
    ...(died === true && { died }),
    seed: plan.seed,
    path: generated.path,
    expected,
    actual,
    hint: died === true ? fatalHint(run.subject, finding, check) : check.hint,
    exchange,
    ...(timeline && { timeline }),
    curl: lines ?? repeatCommand(check.id, plan.command),
  };
  const file = saveCase(run, { check, generated, counterexample: reported, sequence, sent });
  if (file === undefined) return reported;
  return sequence && lines === undefined
    ? { ...reported, file, curl: replayCommand(file, plan.command) }
    : { ...reported, file };
}

/** What to do about a target that serves nobody any more, and about what it did wrong before. */
function fatalHint(subject: string, { requirements, hung }: FailedCase, { hint }: ReportedCheck): string {
  const own = requirements.length > 1 ? `${hint} ` : '';
  if (hung === 'perhaps')
    return `${own}One of the cases that were at work made the ${subject} hang: this one or another. To see which, repeat the run with --concurrency 1 and the same --seed: if it does not hang then, it takes several requests at once. ${hangs}`;
  if (hung === 'refuses all') return `${own}${refusesAll}`;
  if (hung === 'of it') return `${own}${hangs}`;
  return (
    `${own}One request must never end the ${subject}. What the ${subject} wrote last says where it threw: catch it there, and answer ` +
    '4xx where the request is wrong. What usually throws: a parser (JSON, a signature, a date), a comparison in constant time of ' +
    `values that differ in length, and work after the answer whose failure nobody handles${subject === 'service' ? ', such as a delivery to an endpoint that breaks or refuses the connection' : ''}.`
  );
}

const refusesAll =
  'Give back what you set aside for a request (a place in a pool, a permit of a semaphore, bytes of a budget) in a "finally", ' +
  'also where you refuse it, where you know it already, and where its connection breaks: after enough of them there is nothing left, and ' +
  'everybody is refused. Let no body change what the next one meets, such as an object that all share (__proto__). ' +
  'See also whether a store has become full: its memory, its disk, a queue that nobody empties.';

const hangs =
  'One request must never keep the others waiting for ever: see what holds them up after it (a lock or a permit that nobody ' +
  'gives back, a pool with nothing left, an endless loop, a pattern that takes long).';

/** One sentence that stands for itself: what was expected is in it where what was found says nothing without it. */
function summary({ expected, actual, difference, died }: FailedCase, others: string | undefined): string {
  const more = others === undefined ? '' : ` (${others})`;
  const found = firstLine(actual);
  const what = difference === undefined ? found : `${difference}: ${found}`;
  return `${what}${died === true || isWhole(found, difference) ? '' : ` (expected: ${expected})`}${more}`;
}

/** Whether it is clear what is wrong: a status beside what was sent is, "it has none" is not. */
function isWhole(actual: string, difference: string | undefined): boolean {
  if (
    /^(?:its?|they|there|none|nothing|what|two of them|one of them|of \d+)\b|\b(?:of it|of them|no such header|to it)\b/i.test(
      actual,
    )
  )
    return false;
  return difference !== undefined || !/^(?:\d{3}\b|no answer|\d+ effects?$|no effect)/.test(actual);
}
