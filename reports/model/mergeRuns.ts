import { checkCounts } from './summary.ts';
import { expectationResults } from './expectations.ts';
import { mergeWire } from './wireFigures.ts';
import { wholeCommand } from '../curl/replayCommand.ts';
import { joined } from './shards.ts';
import { missingParts, standing } from './requirementOutcome.ts';
import { verdict } from './verdict.ts';
import type {
  CheckResult,
  Counts,
  RequirementResult,
  RunSummary,
  Disagreement,
  SecondOpinion,
  Observation,
} from './runSummary.ts';
import type { LeftOutCheck } from './events.ts';

/**
 * The parts of one run as one. Each check has the result of the part that says most about it; what went over the wire
 * and the time that it took are added up; all parts must have come to their end for the whole to be complete.
 *
 * @param given - at least one; `shardDifferences` is empty for any two of them
 */
export function mergeRuns(given: readonly [RunSummary, ...RunSummary[]]): RunSummary {
  if (given.length === 1) return given[0];
  const parts = inOrder(given);
  const [first] = parts;
  const checks = mergedChecks(parts);
  const leftOut = stillLeftOut(parts, checks);
  const requirements = mergedRequirements(parts, checks, leftOut);
  const run = mergedRun(parts, missingParts(leftOut).length === 0);
  const {
    control: _,
    lost: __,
    said: ___,
    secondOpinion: ____,
    probeFailed: _____,
    leftOut: ______,
    ...common
  } = first;
  return {
    ...common,
    run,
    command: wholeCommand(first.command),
    verdict: verdict({ requirements, checks }, { strict: run.strict, complete: run.complete, search: false }),
    summary: mergedCounts(parts, checks),
    requirements,
    checks,
    observations: mergeObservations(parts),
    learned: unique(parts.flatMap(({ learned }) => learned).toReversed(), ({ key }) => [key]).toReversed(),
    leftOver: [...new Set(parts.flatMap(({ leftOver }) => leftOver))],
    deaths: parts.flatMap(({ deaths }) => deaths),
    wire: mergeWire(parts.map(({ wire }) => wire)),
    pending: stillPending(parts),
    ...mergedExpectations(parts, requirements, checks, leftOut),
    ...(leftOut.length > 0 && { leftOut }),
    interrupted: parts.some(({ interrupted }) => interrupted),
    ended: parts.every(({ ended }) => ended),
    errors: parts.flatMap(({ errors }) => errors),
    ...mergedNews(parts),
  };
}

/** What is there only where something happened: of all parts together, or of the one in which it did. */
function mergedNews(parts: readonly RunSummary[]): Partial<RunSummary> {
  const secondOpinion = mergedOpinion(parts);
  const control = (parts.find((part) => part.control?.accepted === false) ?? parts.find((part) => part.control))
    ?.control;
  const lost = parts.find((part) => part.lost)?.lost;
  const probeFailed = parts.find((part) => part.probeFailed)?.probeFailed;
  const said = parts.findLast((part) => part.said)?.said;
  return {
    ...(secondOpinion && { secondOpinion }),
    ...(control && { control }),
    ...(lost && { lost }),
    ...(probeFailed && { probeFailed }),
    ...(said && { said }),
  };
}

/** Shards in the order of their numbers, in which their checks are those of the whole. */
function inOrder([first, ...others]: readonly [RunSummary, ...RunSummary[]]): readonly [RunSummary, ...RunSummary[]] {
  const place = ({ run: { shard } }: RunSummary): number => shard?.index ?? 0;
  const [least, ...rest] = [first, ...others].toSorted((one, other) => place(one) - place(other));
  return [least ?? first, ...rest];
}

function mergedRun(parts: readonly RunSummary[], isWhole: boolean): RunSummary['run'] {
  const runs = parts.map(({ run }) => run);
  const [earliest] = runs.toSorted((a, b) => (a.startedAt < b.startedAt ? -1 : 1));
  const { shard: _, resumes: __, ...first } = earliest!;
  return {
    ...first,
    id: runs.map(({ id }) => id).join('+'),
    durationMs: runs.reduce((sum, { durationMs }) => sum + durationMs, 0),
    complete: isWhole && runs.every(({ complete }) => complete),
  };
}

function mergedChecks(parts: readonly RunSummary[]): readonly CheckResult[] {
  const found = new Map<string, CheckResult>();
  for (const check of parts.flatMap(({ checks }) => checks)) {
    const before = found.get(check.id);
    found.set(check.id, before === undefined ? check : (joined(before, check) ?? before));
  }
  return [...found.values()];
}

function mergedRequirements(
  parts: readonly RunSummary[],
  checks: readonly CheckResult[],
  leftOut: readonly LeftOutCheck[],
): readonly RequirementResult[] {
  const all = parts.flatMap(({ requirements }) => requirements);
  const binding = new Set(all.filter((requirement) => requirement.binding).map(({ id }) => id));
  const required = new Set(all.filter((requirement) => requirement.required).map(({ id }) => id));
  return unique(all, ({ id }) => [id]).map((merged) => {
    const { reason: _, ...requirement } = merged;
    const { id } = requirement;
    const marks = {
      ...(binding.has(id) && { binding: true as const }),
      ...(required.has(id) && { required: true as const }),
    };
    return standing({ ...requirement, ...marks }, checks, leftOut);
  });
}

function mergedCounts(parts: readonly RunSummary[], checks: readonly CheckResult[]): Counts {
  const calls = parts.flatMap(({ summary }) => summary.calls ?? []);
  return {
    ...checkCounts(checks),
    deliveries: parts.reduce((sum, { summary }) => sum + summary.deliveries, 0),
    ...(calls.length > 0 && { calls: calls.reduce((sum, count) => sum + count, 0) }),
  };
}

/** What one part was at when it was killed, another may have brought to its end. */
function stillPending(parts: readonly RunSummary[]): readonly string[] {
  return [...new Set(parts.flatMap(({ pending }) => pending))].filter((id) =>
    parts.every(
      (part) => part.pending.includes(id) || !part.checks.some((check) => check.id === id && check.cases > 0),
    ),
  );
}

function mergedExpectations(
  parts: readonly RunSummary[],
  requirements: readonly RequirementResult[],
  checks: readonly CheckResult[],
  leftOut: readonly LeftOutCheck[],
): Pick<RunSummary, 'expectations'> {
  const entries = parts.flatMap(({ expectations }) => expectations ?? []);
  if (parts.every(({ expectations }) => expectations === undefined)) return {};
  const expectations = unique(entries, ({ id }) => [id]);
  const { startedAt: at } = mergedRun(parts, true);
  return { expectations: expectationResults({ expectations, at, leftOut }, requirements, checks) };
}

/** The checks that no part was given. */
function stillLeftOut(parts: readonly RunSummary[], checks: readonly CheckResult[]): readonly LeftOutCheck[] {
  const given = new Set(checks.map(({ id }) => id));
  const all = unique(
    parts.flatMap(({ leftOut = [] }) => leftOut),
    ({ id }) => [id],
  );
  return all.filter(({ id }) => !given.has(id));
}

function mergedOpinion(parts: readonly RunSummary[]): SecondOpinion | undefined {
  const opinions = parts.flatMap(({ secondOpinion }) => secondOpinion ?? []);
  if (opinions.length === 0) return undefined;
  const all = opinions.flatMap(({ disagreements }) => disagreements);
  const key = ({ operationId, part, kit, prism, detail }: Disagreement): readonly string[] => [
    operationId,
    part,
    kit,
    prism,
    detail,
  ];
  return {
    compared: opinions.reduce((sum, { compared }) => sum + compared, 0),
    disagreements: unique(all, key).map((one) => ({
      ...one,
      count: all.filter((other) => sameKey(key(one), key(other))).reduce((sum, { count }) => sum + count, 0),
    })),
  };
}

/** Of those with the same key the first. */
function unique<T>(values: readonly T[], keyOf: (value: T) => readonly string[]): readonly T[] {
  const found = new Map<string, T>();
  for (const value of values) {
    const key = JSON.stringify(keyOf(value));
    if (!found.has(key)) found.set(key, value);
  }
  return [...found.values()];
}

function sameKey(one: readonly string[], other: readonly string[]): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/**
 * What the parts of one run have seen, each thing once. Where parts saw the same with other figures ('the slowest was
 * answered after 85 ms', and '187 ms'), each says of which part it is: none of them is that of the whole.
 */
function mergeObservations(parts: readonly RunSummary[]): readonly Observation[] {
  const seen = new Map<string, Observation & { readonly part: string }>();
  for (const { observations, run } of parts) {
    for (const observation of observations) {
      const key = JSON.stringify([observation.gap, observation.value]);
      if (!seen.has(key)) seen.set(key, { ...observation, part: run.id });
    }
  }
  const byShape = Map.groupBy(seen.values(), shapeOf);
  return [...seen.values()].map(({ part, ...observation }) => {
    const alike = byShape.get(shapeOf(observation)) ?? [];
    const isWhole = alike.every((other) => other.part === part);
    return isWhole ? observation : { ...observation, evidence: inPart(observation.evidence, part) };
  });
}

/** What is equal where only figures differ. */
function shapeOf({ gap, value }: Observation): string {
  return JSON.stringify([gap, value.replaceAll(/\d+/g, '0')]);
}

function inPart(evidence: string, part: string): string {
  return [evidence, `in the part ${part}`].filter(Boolean).join('; ');
}
