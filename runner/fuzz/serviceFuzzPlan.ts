import type { ServiceFuzzSettings } from '../options/fuzzOptions.ts';
import { openAddress } from '../http/openAddress.ts';
import { servicePlan, type ServicePlanOptions } from '../service/servicePlan.ts';
import type { Contract } from '../../spec/contract.ts';
import { type ServicePart, servicePartsOf } from '../../spec/serviceTerms.ts';
import { UsageError } from '../errors.ts';
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
 * @throws UsageError as `servicePlan` does, and for a contract whose service lacks what the steps of a search are made of
 *
 * @example
 * const plan = await serviceFuzzPlan('http://localhost:4010/v2', { token: '...', emit: 'http://localhost:4010/emit' });
 * for await (const event of runFuzz(plan)) if (event.type === 'fuzz.failed') console.log(event.steps);
 */
export async function serviceFuzzPlan(base: string, options: ServiceFuzzPlanOptions = {}): Promise<FuzzPlan> {
  const { command = `seaworthy fuzz --service ${openAddress(base).address}` } = options;
  const whole = { time: undefined, only: [], skip: [], require: [], bail: false, checks: [], secondOpinion: false };
  const plan = await servicePlan(base, { ...options, ...whole, command });
  requireParts(plan.contract);
  return { subject: 'service', plan, ...searchOf(fuzzModels.service, plan.contract, options) };
}

/** What the steps of a search are made of, and what its model judges. */
const needed: readonly ServicePart[] = [
  'operation:list',
  'operation:update',
  'operation:delete',
  'operation:sample',
  'operation:notifications',
  'webhook:active',
  'webhook:secret',
  'webhook:headers',
  'tracking',
];

function requireParts(contract: Contract): void {
  const parts = servicePartsOf(contract.service);
  const missing = needed.filter((part) => !parts.includes(part));
  if (missing.length === 0) return;
  throw new UsageError('SW_CONTRACT_INVALID', {
    received: `the service of the contract ${contract.name} cannot be searched: it lacks ${missing.join(', ')}`,
    valid: `a service with ${needed.join(', ')}`,
    next: `test it with seaworthy service --contract ${contract.name}, which leaves out what a service lacks`,
  });
}
