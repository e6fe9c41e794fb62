import type { Contract } from '../../spec/contract.ts';
import { partsOf } from '../../spec/contractParts.ts';
import type { CaughtCheck, CaughtKit, Judged, SeenDelivery } from '../../suites/caught/caughtCheck.ts';
import { caughtChecks } from '../../suites/caught/checks.ts';

/** What a check says of one delivery that is not right. */
export interface CaughtFinding {
  readonly check: string;
  /** `noted`: the contract leaves it open. */
  readonly level: 'broken' | 'noted';
  /** The requirements that it breaks, as far as the contract has them. */
  readonly requirements: readonly string[];
  readonly expected: string;
  readonly actual: string;
  readonly hint: string;
}

/** What was found in one delivery. */
export interface Judgement {
  readonly findings: readonly CaughtFinding[];
  /** The checks that asked something of it. */
  readonly asked: readonly string[];
}

/** The checks that mean something under a contract, each with those of its requirements that the contract has. */
export function checksUnder({ signing, contract }: Pick<CaughtKit, 'signing' | 'contract'>): readonly CaughtCheck[] {
  const parts = partsOf(contract, signing.scheme);
  return caughtChecks
    .filter(({ about = [] }) => about.every((part) => parts.has(part)))
    .map((check) => ({ ...check, requirements: known(contract, check.requirements) }));
}

/** Tests a delivery by every check. */
export function judgeCaught(kit: CaughtKit, checks: readonly CaughtCheck[], seen: SeenDelivery): Judgement {
  const asked: string[] = [];
  const findings: CaughtFinding[] = [];
  for (const check of checks) {
    const judged = judgedBy(check, kit, seen);
    if (judged === 'not asked') continue;
    asked.push(check.id);
    if (judged === 'right') continue;
    const { expected, actual, requirements = check.requirements } = judged;
    const level = check.noted ? 'noted' : 'broken';
    const { id, hint } = check;
    findings.push({ check: id, level, requirements: known(kit.contract, requirements), expected, actual, hint });
  }
  return { findings, asked };
}

/** What is nested so deeply that no program could walk through it is judged by nothing. */
function judgedBy(check: CaughtCheck, kit: CaughtKit, seen: SeenDelivery): Judged {
  try {
    return check.judge(kit, seen);
  } catch (error) {
    if (error instanceof RangeError) return 'not asked';
    throw error;
  }
}

function known<Id extends string>({ requirements }: Contract, ids: readonly Id[]): readonly Id[] {
  return ids.filter((id) => requirements.some((each) => each.id === id));
}
