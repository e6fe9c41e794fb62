import { compareRuns } from '../../reports/model/compareRuns.ts';
import type { ReportDocument } from '../../reports/model/document.ts';
import { mergeRuns } from '../../reports/model/mergeRuns.ts';
import { shardDifferences } from '../../reports/model/shards.ts';
import { UsageError } from '../errors.ts';
import type { RunSummary } from '../../reports/model/runSummary.ts';

/** A run and the journal that it was read from. */
export interface JournaledRun {
  readonly journal: string;
  readonly summary: RunSummary;
}

/** How several runs are to be taken. */
export interface DocumentWishes {
  readonly compare: boolean;
  readonly sideBySide: boolean;
}

/**
 * What a report of these runs is about: one run; the parts of one, merged, where they are about the same target; several
 * targets side by side; or, where it is wished, a comparison.
 *
 * @throws UsageError where they do not belong together, with what differs
 */
export function reportedDocument(
  runs: readonly [JournaledRun, ...JournaledRun[]],
  { compare, sideBySide }: DocumentWishes,
): ReportDocument {
  if (sideBySide) requireSeveral(runs, compare);
  if (compare) return comparison(runs);
  const groups = sideBySide ? runs.map((run) => [run] as const) : byTarget(runs);
  const summaries = groups.map(merged);
  const [summary] = summaries;
  if (summaries.length === 1 && summary !== undefined) return { kind: 'run', summary };
  requireOneContract(runs);
  return { kind: 'matrix', summaries };
}

/** What `--side-by-side` cannot do: it would be passed over in silence. */
function requireSeveral(runs: readonly JournaledRun[], compare: boolean): void {
  if (!compare && runs.length > 1) return;
  throw new UsageError('SW_OPTION_CONFLICT', {
    received: compare ? '--side-by-side was given together with --compare' : '--side-by-side was given one journal',
    valid: '--side-by-side with two journals or more, or --compare with two, the earlier one first',
    next: compare
      ? 'leave one of the two options out'
      : 'name the journals of the other targets too, or leave the option out',
  });
}

function byTarget(runs: readonly JournaledRun[]): readonly (readonly JournaledRun[])[] {
  return [...Map.groupBy(runs, ({ summary: { target } }) => `${target.kind} ${target.address}`).values()];
}

function merged(runs: readonly JournaledRun[]): RunSummary {
  const [first, ...others] = runs.map(({ summary }) => summary) as [RunSummary, ...RunSummary[]];
  for (const [at, one] of runs.entries()) {
    for (const other of runs.slice(at + 1)) requireParts(one, other);
  }
  return mergeRuns([first, ...others]);
}

function requireParts(one: JournaledRun, other: JournaledRun): void {
  const same = one.summary.run.id === other.summary.run.id;
  const differences = same ? ['both are the same run'] : shardDifferences(one.summary, other.summary);
  if (differences.length === 0) return;
  throw new UsageError('SW_JOURNALS_DIFFER', {
    received: `${one.journal} and ${other.journal} are about the same target, and are no parts of one run: ${few(differences)}`,
    valid:
      'journals of one plan (contract, version, seed, intensity, assumptions) that agree about what both have seen',
    next: same
      ? 'name each run once'
      : 'give --compare for an earlier and a later run, --side-by-side for different targets at one address, or run the parts with the same --seed',
  });
}

function few(differences: readonly string[]): string {
  const shown = differences.slice(0, 5).join('; ');
  return differences.length > 5 ? `${shown}; and ${differences.length - 5} more` : shown;
}

function requireOneContract(runs: readonly JournaledRun[]): void {
  const [first, ...others] = runs;
  const named = ({ summary: { contract } }: JournaledRun): string => `${contract.title} ${contract.version}`;
  const other = others.find((run) => first !== undefined && named(run) !== named(first));
  if (first === undefined || other === undefined) return;
  throw new UsageError('SW_JOURNALS_DIFFER', {
    received: `${first.journal} is about ${named(first)}, and ${other.journal} about ${named(other)}`,
    valid: 'journals about the same version of the same contract',
    next: 'render them one by one, or run the tests again with one version of the kit',
  });
}

function comparison(runs: readonly JournaledRun[]): ReportDocument {
  const [before, after, ...others] = runs;
  if (before === undefined || after === undefined || others.length > 0) {
    throw new UsageError('SW_OPTION_CONFLICT', {
      received: `--compare was given ${runs.length === 1 ? 'one journal' : `${runs.length} journals`}`,
      valid: 'two journals, the earlier one first',
      next: 'seaworthy report --compare before.ndjson after.ndjson',
    });
  }
  const [earlier, later] = [before.summary.target.kind, after.summary.target.kind];
  if (earlier !== later) {
    throw new UsageError('SW_JOURNALS_DIFFER', {
      received: `${before.journal} is about a ${earlier}, and ${after.journal} about a ${later}`,
      valid: 'two runs against receivers, or two against services',
      next: 'compare each with an earlier run of its own kind',
    });
  }
  return { kind: 'comparison', comparison: compareRuns(before.summary, after.summary) };
}
