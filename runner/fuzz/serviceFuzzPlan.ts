import type { ServiceFuzzSettings } from '../options/fuzzOptions.ts';
import { openAddress } from '../http/openAddress.ts';
import { servicePlan, type ServicePlanOptions } from '../service/servicePlan.ts';
import type { Contract } from '../../spec/contract.ts';
import { UsageError } from '../errors.ts';
import { type FuzzPlan, searchOf } from './fuzzPlan.ts';
import { fuzzModels } from './fuzzChecks.ts';

/** What {@link serviceFuzzPlan} needs beside the settings; all of it has a default. */
export type ServiceFuzzPlanOptions = Partial<ServiceFuzzSettings> &
  Pick<ServicePlanOptions, 'signal' | 'command' | 'given' | 'directory' | 'authorityDirectory'>;

/**
 * The plan of a search for sequences of calls, events and answers that a service gets wrong. Nothing has been sent yet.
 *
 * @param base - the service's base address, http or https; its path alone where it is started from an image
 * @throws UsageError as `servicePlan` does, and for a contract whose deliveries carry no id
 *
 * @example
 * const plan = await serviceFuzzPlan('http://localhost:4010/v2', { token: '...', emit: 'http://localhost:4010/emit' });
 * for await (const event of runFuzz(plan)) if (event.type === 'fuzz.failed') console.log(event.steps);
 */
export async function serviceFuzzPlan(base: string, options: ServiceFuzzPlanOptions = {}): Promise<FuzzPlan> {
  const { command = `seaworthy fuzz --service ${openAddress(base).address}` } = options;
  const whole = { time: undefined, only: [], skip: [], require: [], bail: false, checks: [], secondOpinion: false };
  const plan = await servicePlan(base, { ...options, ...whole, command });
  requireIds(plan.contract);
  return { subject: 'service', plan, ...searchOf(fuzzModels.service, plan.contract, options) };
}

/** What the model tells deliveries apart by. What else a service lacks, no step is made of. */
function requireIds({ name, delivery }: Contract): void {
  if (delivery.id !== undefined) return;
  throw new UsageError('SW_CONTRACT_INVALID', {
    received: `the contract ${name} cannot be searched: it says of no id that a delivery carries`,
    valid: 'a contract with id, the place of what stays the same when a delivery is repeated',
    next: `add id to the contract, or test the service with seaworthy service --contract ${name}`,
  });
}
