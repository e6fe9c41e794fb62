import { repeatCommand, replayCommand, wholeCommand } from '../curl/replayCommand.ts';
import type { Counterexample } from '../model/exchange.ts';
import { type Moment, processChanges } from '../model/processEvents.ts';
import type {
  CheckResult,
  ExpectationOutcome,
  ExpectationResult,
  FoundFailure,
  RunSummary,
} from '../model/runSummary.ts';
import { failuresOf } from '../model/search.ts';
import { citation } from './citation.ts';
import { visible } from './visible.ts';

/** A failure in plain lines, without the exchange: for formats that show text as it is. */
export function failureText(check: CheckResult, summary: RunSummary): string {
  const { counterexample } = check;
  const found = failuresOf(check.id, summary.search);
  if (found.length > 0) return found.map((failure) => foundText(failure, summary)).join('\n\n');
  const repeat = `repeat: ${repeatCommand(check.id, summary.command)}`;
  if (counterexample === undefined) return [check.reason ?? check.title, repeat].join('\n');
  return caseText(counterexample, summary, [], repeat);
}

/** One failing case in plain lines: of a search one sequence, else the check's own. */
export function findingText(
  { check, found }: { readonly check: CheckResult; readonly found?: FoundFailure },
  summary: RunSummary,
): string {
  return found === undefined ? failureText(check, summary) : foundText(found, summary);
}

/** What a search saw of a check that did not come again, each in plain lines. */
export function flakyTexts({ id }: CheckResult, summary: RunSummary): readonly string[] {
  const failures = summary.search?.failures ?? [];
  return failures
    .filter(({ check, outcome }) => check === id && outcome === 'flaky')
    .map((failure) => `flaky: ${foundText(failure, summary)}`);
}

function foundText({ counterexample, steps, found, rate }: FoundFailure, summary: RunSummary): string {
  const sequence = [
    `steps (${steps.length}, shrunk from ${found}):`,
    ...steps.map((step, index) => `  ${index + 1}. ${step}`),
    `failed in ${rate.failed} of ${rate.tries} more tries`,
  ];
  return caseText(counterexample, summary, sequence, `repeat the search: ${summary.command}`);
}

function caseText(reported: Counterexample, summary: RunSummary, sequence: readonly string[], repeat: string): string {
  const { requirements, expected, actual, hint, curl, timeline = [], file } = reported;
  const statements = summary.requirements.filter(({ id }) => requirements.includes(id));
  return [
    reported.summary,
    ...statements.flatMap(({ id, level, section, statement, why }) => [
      `${id} (${level.toUpperCase()}, ${citation(section)}): ${statement}`,
      ...(why === undefined ? [] : [`why: ${why}`]),
    ]),
    ...sequence,
    `expected: ${expected}`,
    `actual: ${actual}`,
    `hint: ${hint}`,
    ...(timeline.length === 0 ? [] : ['timeline:', ...timelineRows(timeline).map(rowText)]),
    repeat,
    ...(file === undefined ? [] : [`replay: ${replayCommand(file, summary.command)}`]),
    ...(showsNothing(reported, summary) ? [] : [curl]),
  ].join('\n');
}

/** Whether a counterexample's shell lines are only a command of the kit, which is shown anyway. */
export function showsNothing({ curl, file }: Counterexample, { command }: Pick<RunSummary, 'command'>): boolean {
  if (file !== undefined && curl === replayCommand(file, command)) return true;
  return curl === '' || curl === command || curl.startsWith(`${wholeCommand(command)} --only `);
}

function rowText({ time, text, decisive }: TimelineRow): string {
  return `${time.padStart(10)}  ${decisive ? `== ${text} ==` : text}`;
}

/** How an entry of `--expect-failures` stands, and what to do where it does not hold. */
export function expectationText({ outcome, expires, reason, link }: ExpectationResult): string {
  const why = link === undefined ? reason : `${reason} (${link})`;
  const until = expires === undefined ? '' : `, until ${expires}`;
  return outcome === 'fails'
    ? `It fails as expected${until}: ${why}`
    : `${unmet[outcome]} It was expected to fail: ${why}`;
}

const unmet: Readonly<Record<Exclude<ExpectationOutcome, 'fails'>, string>> = {
  passes: 'It holds now: remove the entry.',
  'not-tested':
    'It was not tested, so nothing shows that it fails: give the options that make it observable, or remove the entry.',
  'left-out':
    '--only or --skip left it out of this run, so nothing shows that it fails: run its checks too, or give this run a list without the entry.',
  elsewhere: 'Its checks are in another part of this run (--shard): merge the parts with seaworthy report to see.',
  expired: 'The entry has expired: fix what it is about, or give it a later date.',
  unknown: 'It names no requirement and no check of this kind of target: correct the id, or remove the entry.',
};

/** One line of a case's timeline. */
export interface TimelineRow {
  /** Since the case began: `12 ms`, `1.31 s`; empty where moments were left out. */
  readonly time: string;
  readonly text: string;
  /** True for what was done to the target's process: it should leap to the eye. */
  readonly decisive: boolean;
}

/** Rows that a timeline may have before those far from anything decisive are left out. */
const most = 40;
/** Rows that are kept before and after something decisive, and at the end. */
const near = 7;
/** Characters of an id at least, and more where they are needed to distinguish ids. */
const shortest = 4;

/** The moments of a case, a row for each. What happened to the target stands in capitals; ids are shortened. */
export function timelineRows(moments: readonly Moment[]): readonly TimelineRow[] {
  const short = shortIds(moments.flatMap(({ id }) => (id === undefined ? [] : [id])));
  const attempts = new Map<string, number>();
  const rows = moments.map((moment): TimelineRow => {
    const { id = '', what, ms } = moment;
    if (what === 'sent') attempts.set(id, (attempts.get(id) ?? 0) + 1);
    const text = momentText(moment, short.get(id) ?? '', attempts.get(id) ?? 0);
    return { time: timeText(ms), text: visible(text), decisive: processChanges.has(what) };
  });
  return rows.length <= most ? rows : shortened(rows);
}

function momentText({ what, detail = '' }: Moment, id: string, attempt: number): string {
  switch (what) {
    case 'sent':
      return `→ ${id} sent${attempt > 1 ? `, attempt ${attempt}` : ''}`;
    case 'answered':
      return `← ${id} answered ${detail}`;
    case 'broken':
    case 'timed-out':
      return `✗ ${id} ${detail}`;
    case 'note':
      return `· ${id === '' ? '' : `${id} `}${detail}`;
    case 'stopping':
      return 'STOPPING (SIGTERM)';
    default:
      return `${what.toUpperCase()}${detail === '' ? '' : ` ${detail}`}`;
  }
}

function timeText(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(2)} s`;
}

/** The shortest beginnings that distinguish all ids. */
function shortIds(ids: readonly string[]): ReadonlyMap<string, string> {
  const all = [...new Set(ids)];
  let length = shortest;
  while (new Set(all.map((id) => id.slice(0, length))).size < all.length) length += 1;
  return new Map(all.map((id) => [id, id.slice(0, length)]));
}

/** Leaves out what is far from anything decisive and from both ends. */
function shortened(rows: readonly TimelineRow[]): readonly TimelineRow[] {
  const kept = rows.map((_, index) => {
    if (index < near || index >= rows.length - near) return true;
    return rows.slice(Math.max(0, index - near), index + near + 1).some(({ decisive }) => decisive);
  });
  const found: TimelineRow[] = [];
  let skipped = 0;
  for (const [index, row] of rows.entries()) {
    if (!kept[index]) {
      skipped += 1;
      continue;
    }
    if (skipped > 0) found.push({ time: '', text: `(${skipped} more)`, decisive: false });
    skipped = 0;
    found.push(row);
  }
  return found;
}
