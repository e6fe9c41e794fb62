import { resolve } from 'node:path';

import { explainCommand } from '../../reports/curl/replayCommand.ts';
import { wrap } from '../../reports/formats/terminal/page.ts';
import type { CheckFinished } from '../../reports/model/events.ts';
import type { Counterexample } from '../../reports/model/exchange.ts';
import { expectationsOf } from '../../reports/model/expectations.ts';
import type { ListedCheck, Tests } from './tests.ts';

/** Something that belongs to a test, beside whether it passes. */
export interface Note {
  /** `curl` and `again`: how to see it again. `case`: the file that holds it. `more`: what explains the requirement. */
  readonly kind: 'curl' | 'again' | 'case' | 'more' | 'warning' | 'known';
  readonly text: string;
  /** The absolute path of a file. */
  readonly file?: string;
}

/** A run, as it is repeated. */
interface Repeatable {
  readonly seed: number;
  readonly command: string;
}

/** What the end of a check means for its test. */
export interface Verdict {
  readonly notes: readonly Note[];
  /** Why the test fails. */
  readonly error?: Error;
  /** Why the check shows nothing, where it does not. */
  readonly skipped?: string;
}

/**
 * What the end of a check means for its test.
 *
 * @param finished - how it ended; nothing where the run was over before
 * @param run - its seed, and the command that repeats it
 */
export function verdictOf(
  check: ListedCheck,
  finished: CheckFinished | undefined,
  run: Repeatable,
  tests: Tests,
): Verdict {
  if (finished === undefined) return { notes: [], skipped: 'the run ended before this check did' };
  const { outcome, reason = '', counterexample } = finished;
  if (outcome === 'errored') return { notes: [], error: new Error(reason) };
  if (counterexample === undefined)
    return outcome === 'passed' ? { notes: [] } : { notes: [], skipped: inOptions(reason, tests.names) };
  const notes = notesOn(counterexample, check, run, tests);
  const [known] = knownBy({ ...check, ...finished }, tests);
  if (known !== undefined) return { notes: [{ kind: 'known', text: `known to fail: ${known.reason}` }, ...notes] };
  const error = new NonConformance(counterexample);
  if (outcome === 'failed' || tests.strict) return { notes, error };
  return { notes: [{ kind: 'warning', text: error.message }, ...notes] };
}

/** What says that the requirements that a check breaks are known to be broken; not what names the check itself. */
function knownBy(check: Parameters<typeof expectationsOf>[0], { expectations }: Tests) {
  const others = expectations.filter(({ id }) => id !== check.id);
  return expectationsOf(check, { expectations: others.map((entry) => ({ ...entry, outcome: 'fails' })) });
}

function notesOn(
  { curl, file, requirements: [requirement] }: Counterexample,
  { id }: ListedCheck,
  { seed, command }: Repeatable,
  { isApp }: Tests,
): readonly Note[] {
  const isCommand = /^(?:npx )?\S*seaworthy /.test(curl);
  // A command leads to an app only as long as the tests last.
  const lines = isApp && isCommand ? [] : [{ kind: isCommand ? ('again' as const) : ('curl' as const), text: curl }];
  const serve = isApp && !isCommand ? ' The curl line needs the app to be served at the address that it names.' : '';
  const again = `To see it again, give the option seed: ${seed}, and run the test named ${id} alone.${serve}`;
  const saved = file === undefined ? [] : [{ kind: 'case' as const, text: file, file: resolve(file) }];
  const more = requirement === undefined ? [] : [{ kind: 'more' as const, text: explainCommand(requirement, command) }];
  return [...lines, { kind: 'again', text: again }, ...saved, ...more];
}

/** A text of the command line, with the options as tests are given them: `give probe` for `give --probe`. */
export function inOptions(text: string, names: ReadonlyMap<string, string>): string {
  return text.replaceAll(/--[a-z][a-z-]*/g, (flag) => names.get(flag) ?? flag);
}

/** Pages that show test results break no lines. */
const columns = 100;

/** A check failed: the target does not keep its contract. */
export class NonConformance extends Error {
  override readonly name = 'NonConformance';
  readonly expected: string;
  readonly actual: string;
  readonly #counterexample: Counterexample;

  constructor(counterexample: Counterexample) {
    const { summary, expected, actual, hint } = counterexample;
    super([...wrap(summary, columns), '', ...wrap(hint, columns)].join('\n'));
    this.#counterexample = counterexample;
    this.expected = expected;
    this.actual = actual;
  }

  /** The ids of the requirements that are broken. */
  get requirements(): readonly string[] {
    return this.#counterexample.requirements;
  }

  /** How targets usually get this wrong, and how to fix it. */
  get hint(): string {
    return this.#counterexample.hint;
  }
}
