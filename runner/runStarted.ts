import type { RunStarted } from '../reports/events.ts';
import type { Assumption } from '../spec/assumptions.ts';
import type { Contract } from '../spec/contract.ts';
import { strictest } from './checkEnd.ts';

/** What every plan says, whatever its target. */
interface AnyPlan {
  readonly contract: Contract;
  readonly assumptions: readonly Assumption[];
  readonly checks: readonly { readonly id: string; readonly title: string; readonly requirements: readonly string[] }[];
  readonly seed: number;
  readonly intensity: string;
  readonly strict: boolean;
  readonly runId: string;
  readonly command: string;
  readonly kit: RunStarted['kit'];
}

/** The first event of a run: everything that a report needs to know about it. */
export function runStarted(plan: AnyPlan, target: RunStarted['target']): RunStarted {
  const { contract, seed, intensity, strict } = plan;
  return {
    type: 'run.started',
    format: 1,
    at: new Date().toISOString(),
    kit: plan.kit,
    contract: { title: contract.title, version: contract.version },
    target,
    run: { id: plan.runId, seed, intensity, strict },
    command: plan.command,
    checks: plan.checks.map(({ id, title, requirements }) => {
      return { id, title, requirements, level: strictest(contract, requirements) };
    }),
    requirements: contract.requirements
      .filter(({ subject }) => subject === target.kind)
      .map(({ id, section, level, statement }) => ({ id, section, level, statement })),
    assumptions: plan.assumptions,
  };
}
