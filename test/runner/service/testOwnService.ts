import fc from 'fast-check';

import type { RunEvent } from '../../../reports/model/events.ts';
import { createSummary } from '../../../reports/model/summary.ts';
import { runService } from '../../../runner/service/runService.ts';
import { servicePlan, type ServicePlanOptions } from '../../../runner/service/servicePlan.ts';
import { serviceCheck, type ServiceCheck, type ServiceFinding } from '../../../suites/check.ts';
import type { ServiceKit } from '../../../suites/serviceKit.ts';
import type { CheckResult, RunSummary } from '../../../reports/model/runSummary.ts';

export interface Held {
  readonly summary: RunSummary;
  readonly events: readonly RunEvent[];
  /** The only check, or the one with this name. */
  check(name?: string): CheckResult;
}

interface Target {
  readonly url: string;
  readonly token: string;
  readonly emit?: string;
}

/** A run of these checks against a service. `tell` hears of every event as it comes. */
export async function hold(
  { url, token, emit }: Target,
  checks: readonly ServiceCheck[],
  options: ServicePlanOptions = {},
  tell: (event: RunEvent) => void = () => {},
): Promise<Held> {
  const given = {
    token,
    seed: 1,
    intensity: 'quick',
    settle: 200,
    secondOpinion: false,
    ...(emit !== undefined && { emit }),
  } as const;
  const plan = await servicePlan(url, { ...given, checks, ...options });
  const builder = createSummary();
  const events: RunEvent[] = [];
  for await (const event of runService(plan)) {
    builder.add(event);
    events.push(event);
    tell(event);
  }
  const summary = builder.summary();
  const check = (name?: string) => {
    const found = summary.checks.find(({ id }) => name === undefined || id.endsWith(`/${name}`));
    if (found === undefined) throw new Error(`there is no check ${name}`);
    return found;
  };
  return { summary, events, check };
}

/** Runs at most. */
const tries = 8;

/** What the kit says of itself where a busy machine kept it from its work: then the check is left open. */
const wasLate = /^the kit itself was \d+ ms late/;

/** The first run in which the kit was not late itself. @param run - each needs a service of its own */
export async function inTime(run: () => Promise<Held>): Promise<Held> {
  for (let tried = 1; ; tried += 1) {
    const held = await run();
    const isLate = held.summary.checks.some(({ reason = '' }) => wasLate.test(reason));
    if (!isLate || tried === tries) return held;
  }
}

/** How a check of the tests differs from the usual: its cases, what it needs, and what it is about. */
interface Own<V> extends Pick<Partial<ServiceCheck>, 'needs' | 'schedule' | 'requirements' | 'about'> {
  readonly values?: readonly V[];
}

/** A check of one case, or of one for each value. What it returns is the finding. */
export function check<V = undefined>(
  name: string,
  run: (kit: ServiceKit, value: V) => Promise<ServiceFinding | undefined>,
  { values = [undefined as V], requirements = ['DLV-3'], needs = ['event'], ...rest }: Own<V> = {},
): ServiceCheck {
  return serviceCheck<V>({
    id: `service/own/${name}`,
    title: 'does as it should',
    requirements,
    needs,
    schedule: { kind: needs.includes('process-control') ? 'interrupting' : 'waiting' },
    weight: 0.01,
    hint: 'Do as you should.',
    cases: () => values.map((value) => fc.constant(value)),
    run,
    ...rest,
  });
}

/** A finding of these words. */
export function finding(kit: ServiceKit, actual: string, absence = false): ServiceFinding {
  const exchanges = kit.exchanges.slice(-2);
  return { requirements: ['DLV-3'], expected: 'something else', actual, absence, exchanges };
}
