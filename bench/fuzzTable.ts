import { brokenBy, type FuzzRun } from './fuzzRun.ts';
import { spreadOf } from './spread.ts';

/** A Markdown table with a row for each fault: how soon it was found, and what was left of the sequence, with feedback and without. */
export function fuzzTable(runs: readonly FuzzRun[]): string {
  const byFault = Object.groupBy(runs, ({ fault }) => fault);
  const rows = Object.entries(byFault).map(([fault, own]) => faultRow(fault, own!));
  return [
    '| fault | breaks | found | first seen | reported | steps found | shrunk | without feedback |',
    '| --- | --- | --- | --- | --- | --- | --- | --- |',
    ...rows,
    '',
    totalLine(runs),
  ].join('\n');
}

function faultRow(fault: string, runs: readonly FuzzRun[]): string {
  const [on, off] = [runs.filter(({ feedback }) => feedback), runs.filter(({ feedback }) => !feedback)];
  const found = on.flatMap((run) => (isFound(run) ? [run.found!] : []));
  const cells = [
    `\`${fault}\``,
    [...new Set(found.map(({ requirement }) => requirement))].join(', ') || brokenBy(fault)[0],
    `${found.length} of ${on.length}`,
    timeOf(on, 'seen'),
    timeOf(on, 'reported'),
    medianOf(found.map(({ before }) => before)),
    medianOf(found.map(({ after }) => after)),
    off.length === 0 ? 'not run' : `${timeOf(off, 'seen')} (${off.filter(isFound).length} of ${off.length})`,
  ];
  return `| ${cells.join(' | ')} |`;
}

/** Whether what was found is the fault that was there. */
export function isFound({ fault, found }: FuzzRun): boolean {
  return found !== undefined && brokenBy(fault).includes(found.requirement);
}

/** The median; where more than half of the runs found nothing, that it is more than their budget. */
function timeOf(runs: readonly FuzzRun[], what: 'seen' | 'reported'): string {
  if (runs.length === 0) return 'not run';
  const { median } = spreadOf(runs.map((run) => (isFound(run) ? run.found![what] : Infinity)));
  return Number.isFinite(median) ? `${median.toFixed(1)} s` : `over ${runs[0]!.time} s`;
}

function medianOf(values: readonly number[]): string {
  return values.length === 0 ? 'none' : String(Math.round(spreadOf(values).median));
}

function totalLine(runs: readonly FuzzRun[]): string {
  const parts = [true, false].map((feedback) => {
    const own = runs.filter((run) => run.feedback === feedback);
    return `${feedback ? 'with' : 'without'} feedback ${own.filter(isFound).length} of ${own.length} searches found the fault`;
  });
  const wrong = runs.filter((run) => run.found !== undefined && !isFound(run)).length;
  return `In all, ${parts.join(', and ')}; ${wrong} found something that the fault does not break.`;
}
