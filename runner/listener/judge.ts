import { type Assumption, assumptionValue } from '../../spec/assumptions.ts';
import type { Contract } from '../../spec/contract.ts';
import { partsOf } from '../../spec/contractParts.ts';
import { parseDuration } from '../../spec/units.ts';
import { runScheme } from '../../spec/signature.ts';
import type { CaughtCheck, CaughtKit, Judged, SeenDelivery } from '../../suites/caught/caughtCheck.ts';
import { caughtChecks } from '../../suites/caught/checks.ts';
import type { Caught } from '../../suites/exchange.ts';
import { bodyJson, memberAt } from '../service/located.ts';
import { findSignature, valueOf } from '../service/signatures.ts';

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
    .map((check) => {
      const requirements = known(contract, check.requirements);
      const isLeftOpen = check.asRequired === true && requirements.length === 0;
      return { ...check, requirements, ...(isLeftOpen && { noted: true }) };
    });
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

/** What deliveries are judged by. */
interface Judging {
  readonly contract: Contract;
  readonly assumptions: readonly Assumption[];
  /** Those under which deliveries may be signed. */
  readonly secrets: readonly string[];
}

/** What checks of caught deliveries ask. */
export function createCaughtKit({ contract, assumptions, secrets }: Judging): CaughtKit {
  const signing = runScheme(contract, assumptions);
  const terms = contract.service?.notification;
  return {
    contract,
    terms: terms === undefined ? {} : { notification: terms },
    signing,
    secrets,
    schedule: scheduleOf(assumptions),
    now: () => Date.now(),
    header: ({ headers }, name) => valueOf(headers, name),
    delivered: (caught, member) => memberAt(whole(caught), contract.delivery, member),
    deliveredJson: (caught) => bodyJson(whole(caught).body),
    signature: (caught, secret) => findSignature(caught, secret, signing),
  };
}

/** A delivery, without the body where that broke off: what came of it may look whole. */
function whole(caught: Caught): Caught {
  return caught.bytes < 0 ? { ...caught, body: Buffer.alloc(0) } : caught;
}

function scheduleOf(assumptions: readonly Assumption[]): readonly number[] {
  const isThere = assumptions.some(({ key }) => key === 'retries.schedule');
  const value = isThere ? assumptionValue(assumptions, 'retries.schedule') : 'any';
  return value === 'any' ? [] : value.split(',').map(parseDuration);
}
