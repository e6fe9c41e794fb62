import { join } from 'node:path';

import { repeatCommand } from '../../reports/curl/repeatCommand.ts';
import { replayCommand } from '../../reports/curl/replayCommand.ts';
import type { Counterexample } from '../../reports/model/exchange.ts';
import type { Failure, Found } from './failure.ts';
import { type SavingRun, type SavedSequence, saveCase } from './saveCase.ts';
import type { Reported } from './side.ts';

/** What every finding of a report says. */
interface Told extends Found {
  readonly expected: string;
  readonly difference?: string;
}

interface ToldCheck {
  readonly id: string;
  readonly title: string;
  readonly hint: string;
}

/** What went over the wire, as a report shows it. */
interface Shown {
  readonly exchange: Counterexample['exchange'];
  /** Shell lines that show the failure; nothing where none do. */
  readonly lines: string | undefined;
}

/** The file for bodies of a failure that are too large to show. */
export function bodyFileOf(directory: string, check: string, sequence: SavedSequence | undefined): string {
  return join(directory, `${check.replaceAll('/', '-')}${sequence ? `-${sequence.number}` : ''}.body`);
}

/** Puts a failure in the words of a report, and keeps it in a file where the run knows its options. */
export function counterexampleOf(
  run: SavingRun & { readonly plan: { readonly seed: number; readonly command: string } },
  check: ToldCheck,
  { case: generated, finding }: Failure<Told>,
  { failures, timeline, sequence }: Reported,
  { exchange, lines }: Shown,
): Counterexample {
  const { plan } = run;
  const { requirements, expected, actual, died } = finding;
  const reported: Counterexample = {
    summary: summary(finding, failures),
    requirements,
    ...(died === true && { died }),
    seed: plan.seed,
    path: generated.path,
    expected,
    actual,
    hint: died === true ? diedHint(run.subject) : check.hint,
    exchange,
    ...(timeline && { timeline }),
    curl: lines ?? repeatCommand(check.id, plan.command),
  };
  const file = saveCase(run, { check, generated, counterexample: reported, sequence });
  if (file === undefined) return reported;
  return sequence && lines === undefined
    ? { ...reported, file, curl: replayCommand(file, plan.command) }
    : { ...reported, file };
}

/** What to do about a target that died, whatever it died of. */
function diedHint(subject: string): string {
  return (
    `One request must never end the ${subject}. What the ${subject} wrote last says where it threw: catch it there, and answer ` +
    '4xx. What usually throws: a parser (JSON, a signature, a date), a comparison in constant time of values that differ in ' +
    'length, and work after the answer whose failure nobody handles.'
  );
}

function summary({ actual, difference }: Told, failures: number): string {
  const more = failures > 1 ? ` (and in ${failures - 1} other case${failures === 2 ? '' : 's'})` : '';
  return difference === undefined ? `${actual}${more}` : `${difference}: ${actual}${more}`;
}
