import type { Expectation, ReportedRequirement, RunStarted } from '../../reports/model/events.ts';
import type { ReportedContract, Resumed, Shard } from '../../reports/model/selectionEvents.ts';
import type { Assumption } from '../../spec/assumptions.ts';
import type { Contract } from '../../spec/contract.ts';
import type { Requirement } from '../../spec/requirement.ts';
import { notIn } from '../../suites/applicable.ts';
import { strictest } from './checkEnd.ts';

type NamedCheck = Pick<RunStarted['checks'][number], 'id' | 'title' | 'requirements'>;

/** What every plan says, whatever its target. */
export interface StartedPlan {
  readonly contract: Contract;
  readonly assumptions: readonly Assumption[];
  readonly checks: readonly NamedCheck[];
  readonly leftOut?: RunStarted['leftOut'];
  readonly shard?: Shard;
  readonly earlier?: Resumed;
  readonly seed: number;
  readonly intensity: string;
  readonly caughtOnly?: true;
  readonly strict: boolean;
  readonly timeLimit?: number | undefined;
  readonly concurrency?: number;
  readonly runId: string;
  readonly command: string;
  readonly kit: RunStarted['kit'];
  readonly required?: readonly string[];
  readonly expectations?: readonly Expectation[];
}

/**
 * The first event of a run: everything that a report needs to know about it.
 *
 * @param binding - ids of requirements that count like a MUST because the user declared them
 */
export function runStarted(
  plan: StartedPlan,
  target: RunStarted['target'],
  binding: readonly string[] = [],
): RunStarted {
  const { contract, seed, intensity, strict, concurrency, timeLimit, required = [] } = plan;
  return {
    type: 'run.started',
    format: 1,
    at: new Date().toISOString(),
    kit: plan.kit,
    contract: reportedContract(contract, target.kind),
    target,
    run: {
      id: plan.runId,
      seed,
      intensity,
      strict,
      ...(plan.caughtOnly && { caughtOnly: true as const }),
      ...(concurrency !== undefined && { concurrency }),
      ...(timeLimit !== undefined && { timeLimit }),
      ...(plan.shard && { shard: plan.shard }),
      ...(plan.earlier && { resumes: { id: plan.earlier.id, at: plan.earlier.at } }),
    },
    command: plan.command,
    checks: plan.checks.map(({ id, title, requirements }) => {
      return { id, title, requirements, level: strictest(contract, requirements) };
    }),
    requirements: contract.requirements
      .filter(({ subject }) => subject === target.kind)
      .map((requirement) => requirementOf(requirement, binding, required)),
    assumptions: plan.assumptions,
    ...(plan.expectations && { expectations: plan.expectations }),
    ...(plan.leftOut && plan.leftOut.length > 0 && { leftOut: plan.leftOut }),
    acceptedStatuses: contract.delivery.acceptedStatuses,
    events: contract.events.map(({ name }) => name),
  };
}

function reportedContract(contract: Contract, subject: RunStarted['target']['kind']): ReportedContract {
  const { title, version, source, name, digest } = contract;
  const gaps = contract.gaps.map(({ id, statement }) => ({ id, statement }));
  const leftOut = notIn(contract, subject);
  const cited = source === undefined ? {} : { source };
  return {
    title,
    version,
    ...cited,
    name,
    digest,
    ...(gaps.length > 0 && { gaps }),
    ...(leftOut.length > 0 && { leftOut }),
  };
}

function requirementOf(
  { id, section, level, statement, reason }: Requirement,
  binding: readonly string[],
  required: readonly string[],
): ReportedRequirement {
  const marks = {
    ...(binding.includes(id) && { binding: true as const }),
    ...(required.includes(id) && { required: true as const }),
  };
  return { id, section, level, statement, ...(reason !== undefined && { why: reason }), ...marks };
}
