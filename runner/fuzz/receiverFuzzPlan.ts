import type { ReceiverFuzzSettings } from '../options/fuzzOptions.ts';
import { openAddress } from '../http/openAddress.ts';
import { receiverPlan, type ReceiverPlanOptions } from '../receiver/receiverPlan.ts';
import { type FuzzPlan, searchOf } from './fuzzPlan.ts';
import { fuzzModels } from './fuzzChecks.ts';

/** What {@link receiverFuzzPlan} needs beside the settings; all of it has a default. */
export type ReceiverFuzzPlanOptions = Partial<ReceiverFuzzSettings> &
  Pick<ReceiverPlanOptions, 'signal' | 'command' | 'play' | 'given' | 'directory'>;

/**
 * The plan of a search for sequences of deliveries that a receiver gets wrong. Nothing has been sent yet.
 *
 * @param url - the receiver's address, http or https; its path alone where it is started from an image
 * @throws UsageError as `receiverPlan` does
 *
 * @example
 * const plan = await receiverFuzzPlan('http://localhost:3000/hooks', { secret: ['...'], time: 10_000 });
 * for await (const event of runFuzz(plan)) if (event.type === 'fuzz.failed') console.log(event.steps);
 */
export async function receiverFuzzPlan(url: string, options: ReceiverFuzzPlanOptions = {}): Promise<FuzzPlan> {
  const { command = `seaworthy fuzz ${openAddress(url).address}` } = options;
  const whole = { time: undefined, only: [], skip: [], require: [], bail: false, checks: [] };
  const plan = await receiverPlan(url, { ...options, ...whole, command });
  return { subject: 'receiver', plan, ...searchOf(fuzzModels.receiver, plan.contract, options) };
}
