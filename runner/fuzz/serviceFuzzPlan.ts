import type { ServiceFuzzSettings } from '../options/fuzzOptions.ts';
import { openAddress } from '../http/openAddress.ts';
import { servicePlan, type ServicePlanOptions } from '../service/servicePlan.ts';
import type { FuzzPlan } from './fuzzPlan.ts';
import { fuzzModels } from './models.ts';
import { searchOf } from './searchOf.ts';

/** What {@link serviceFuzzPlan} needs beside the settings; all of it has a default. */
export type ServiceFuzzPlanOptions = Partial<ServiceFuzzSettings> &
  Pick<ServicePlanOptions, 'signal' | 'command' | 'given' | 'directory' | 'authorityDirectory'>;

/**
 * The plan of a search for sequences of calls, events and answers that a service gets wrong. Nothing has been sent yet.
 *
 * @param base - the service's base address, http or https; its path alone where it is started from an image
 * @throws UsageError as `servicePlan` does
 *
 * @example
 * const plan = await serviceFuzzPlan('http://localhost:4010/v2', { token: '...', emit: 'http://localhost:4010/emit' });
 * for await (const event of runFuzz(plan)) if (event.type === 'fuzz.failed') console.log(event.steps);
 */
export async function serviceFuzzPlan(base: string, options: ServiceFuzzPlanOptions = {}): Promise<FuzzPlan> {
  const { command = `seaworthy fuzz --service ${openAddress(base).address}` } = options;
  const whole = { time: undefined, only: [], skip: [], require: [], bail: false, checks: [], secondOpinion: false };
  const plan = await servicePlan(base, { ...options, ...whole, command });
  return { subject: 'service', plan, ...searchOf(fuzzModels.service, plan.contract, options) };
}
