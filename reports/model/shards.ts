import type { CheckOutcome } from './events.ts';
import type { CheckResult, RunSummary } from './runSummary.ts';

/**
 * Why two runs are no parts of one run, in words; nothing where they are. Parts have the same contract, kit, target, seed,
 * intensity and assumptions, and do not contradict each other about a check that both of them hold.
 */
export function shardDifferences(one: RunSummary, other: RunSummary): readonly string[] {
  return [...planDifferences(one, other), ...checkContradictions(one, other)];
}

/** What of two plans must be the same, in the words of {@link shardDifferences}. */
const plans: readonly (readonly [what: string, of: (summary: RunSummary) => string])[] = [
  ['the contract', ({ contract }) => `${contract.title} ${contract.version}`],
  ['the version of the kit', ({ kit }) => `${kit.name} ${kit.version}`],
  ['the target', ({ target }) => `${target.kind} ${target.address}`],
  ['the seed', ({ run }) => String(run.seed)],
  ['the intensity', ({ run }) => run.intensity],
  ['the number of parts (--shard)', ({ run }) => String(run.shard?.count ?? 'any')],
  ['--strict', ({ run }) => (run.strict ? 'on' : 'off')],
];

/**
 * Why the plan of a run is not that of the journal that it goes on with, in words; nothing where it is.
 *
 * @param planned - of a run that has only just begun
 */
export function resumeDifferences(earlier: RunSummary, planned: RunSummary): readonly string[] {
  const others = resumed.flatMap(([what, of]) => (of(earlier) === of(planned) ? [] : [`${what} differs`]));
  const plan = planDifferences(earlier, planned);
  return isOfOther(earlier, planned) ? plan : [...plan, ...others];
}

/** What must be the same beside what the parts of a run share. */
const resumed: readonly (readonly [what: string, of: (summary: RunSummary) => string])[] = [
  ['the text of the contract', ({ contract }) => contract.digest ?? ''],
  ['the part (--shard)', ({ run }) => String(run.shard?.index ?? 'all')],
  ['the selection of checks', ({ checks }) => JSON.stringify(checks.map(({ id, requirements }) => [id, requirements]))],
  ['what is required (--require)', ({ requirements }) => JSON.stringify(requirements.map(marks))],
];

function marks({ id, level, binding, required }: RunSummary['requirements'][number]): readonly unknown[] {
  return [id, level, binding, required];
}

function planDifferences(one: RunSummary, other: RunSummary): readonly string[] {
  if (one.search !== undefined || other.search !== undefined) return ['a search is a run of its own'];
  const plain = plans.flatMap(([what, of]) =>
    of(one) === of(other) ? [] : [`${what} differs: ${of(one)}, and ${of(other)}`],
  );
  if (isOfOther(one, other)) return plain;
  const keys = differingAssumptions(one, other);
  const known = new Map((one.expectations ?? []).map((entry) => [entry.id, entry]));
  const expected = (other.expectations ?? []).filter(({ id, reason, expires }) => {
    const first = known.get(id);
    return first !== undefined && (first.reason !== reason || first.expires !== expires);
  });
  return [
    ...plain,
    ...keys.map((key) => `the assumption ${key} differs`),
    ...expected.map(({ id }) => `what is expected of ${id} differs`),
  ];
}

/** Whether two runs are about another contract or kind of target, so that all the rest differs with it. */
function isOfOther(one: RunSummary, other: RunSummary): boolean {
  return one.contract.title !== other.contract.title || one.target.kind !== other.target.kind;
}

/** The keys of the assumptions that two runs do not share. */
export function differingAssumptions(one: RunSummary, other: RunSummary): readonly string[] {
  const values = (summary: RunSummary): ReadonlyMap<string, string> =>
    new Map(summary.assumptions.map(({ key, value }) => [key, value]));
  const [first, second] = [values(one), values(other)];
  return [...new Set([...first.keys(), ...second.keys()])].filter((key) => first.get(key) !== second.get(key));
}

function checkContradictions(one: RunSummary, other: RunSummary): readonly string[] {
  const known = new Map(one.checks.map((check) => [check.id, check]));
  return other.checks.flatMap((check) => {
    const first = known.get(check.id);
    if (first === undefined || joined(first, check) !== undefined) return [];
    return [`the check ${check.id} ${first.outcome} in one and ${check.outcome} in the other`];
  });
}

/** Outcomes that say nothing about the target: what another part has seen of the same check goes before. */
const silent: readonly CheckOutcome[] = ['not-observable', 'inconclusive'];

/** The result of a check that two parts of a run hold: the one that says more; nothing where they contradict each other. */
export function joined(one: CheckResult, other: CheckResult): CheckResult | undefined {
  if (one.outcome === other.outcome) return one;
  const [says, yields] = silent.indexOf(one.outcome) < silent.indexOf(other.outcome) ? [one, other] : [other, one];
  if (!silent.includes(yields.outcome)) return undefined;
  return silent.includes(says.outcome) ? yields : says;
}
