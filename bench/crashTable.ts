import { receiverFaults } from '../reference/faults/receiver/index.ts';
import type { CrashRun } from './crashRun.ts';
import { spreadOf } from './spread.ts';

/** A Markdown table with a row for each fault, and a line about the receiver without one. */
export function crashTable(runs: readonly CrashRun[]): string {
  const byFault = Object.groupBy(runs, ({ fault }) => fault ?? '');
  const { '': conforming = [], ...faulty } = byFault;
  const rows = Object.entries(faulty).map(([fault, own]) => faultRow(fault, own!));
  return [
    '| fault | breaks | found | time | smallest case |',
    '| --- | --- | --- | --- | --- |',
    ...rows,
    '',
    conformingLine(conforming),
  ].join('\n');
}

function faultRow(fault: string, runs: readonly CrashRun[]): string {
  const requirement = mainOf(fault);
  const found = runs.filter(({ broken }) => broken.includes(requirement));
  const cases = found.map(({ smallest }) => smallest[requirement]!).toSorted((one, other) => one.size - other.size);
  const time = `${spreadOf(runs.map(({ seconds }) => seconds)).median.toFixed(0)} s`;
  const cells = [
    `\`${fault}\``,
    requirement,
    `${found.length} of ${runs.length}`,
    time,
    cases[0] === undefined ? 'none' : inOneLine(cases[0].summary),
  ];
  return `| ${cells.join(' | ')} |`;
}

/** Without other cases, the command that starts the receiver, and what that wrote. */
function inOneLine(summary: string): string {
  const [first = ''] = summary.split('\n');
  return first
    .replace(/ \(and in .*/, '')
    .replace(/--start .*?: (?=it )/, '')
    .replace(/; it said last:$/, '');
}

/** The requirement that the fault is about. */
export function mainOf(fault: string): string {
  return receiverFaults[fault]!.breaks[0];
}

function conformingLine(runs: readonly CrashRun[]): string {
  if (runs.length === 0) return 'The receiver without a fault was not run.';
  const accused = runs.filter(({ broken }) => broken.length > 0).length;
  const undecided = runs.filter(({ undecided: reasons }) => reasons.length > 0).length;
  const { min, median, max } = spreadOf(runs.map(({ seconds }) => seconds));
  const times = `${median.toFixed(0)} s (${min.toFixed(0)} to ${max.toFixed(0)})`;
  return `The receiver without a fault: accused in ${accused} of ${runs.length} runs, undecided in ${undecided}, ${times} a run.`;
}
