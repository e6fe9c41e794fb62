import type { Json } from '../../generators/json/json.ts';
import { withPointer } from '../../generators/json/jsonPointer.ts';
import { describeAnswer, isAmong } from '../answer.ts';
import { Unproven } from '../check.ts';
import type { Call, Caught } from '../exchange.ts';
import type { CatchingEndpoint, ServiceKit } from '../serviceKit.ts';
import { sampleTerms } from '../../spec/serviceTerms.ts';

/** What a sample is asked for with. */
export interface SampleRequest {
  readonly url: string;
  readonly event: string;
  readonly secret?: string;
}

/** The operation that sends samples. */
export const trigger = 'sample';

/** The body of a call for a sample. */
export function sampleOf({ terms }: Pick<ServiceKit, 'terms'>, request: SampleRequest): Json {
  const { members } = sampleTerms(terms);
  const body = withPointer(withPointer({}, members.url, request.url), members.event, request.event);
  const { secret } = request;
  return secret === undefined || members.secret === undefined ? body : withPointer(body, members.secret, secret);
}

/** Whether the trigger endpoint says that the sample is on its way (GAP-7). */
export function isTaken(kit: ServiceKit, call: Call): boolean {
  return isAmong(kit, call, 'trigger.response');
}

/**
 * Asks for a sample at an endpoint, and waits for it.
 *
 * @throws Unproven where the call is refused or nothing comes, which `service/samples/each-event` judges
 */
export async function sampleAt(kit: ServiceKit, endpoint: CatchingEndpoint, how: Omit<SampleRequest, 'url'>) {
  const call = await kit.call(trigger, { body: sampleOf(kit, { url: endpoint.url, ...how }) });
  if (!isTaken(kit, call)) throw new Unproven(`the sample was not sent: ${describeAnswer(call.answer)}`);
  return { call, caught: await caughtAt(kit, endpoint) };
}

/**
 * The same for a sample that the endpoint refuses: the answer to the call may report that, and is no matter.
 *
 * @throws Unproven where nothing comes
 */
export async function refusedSampleAt(kit: ServiceKit, endpoint: CatchingEndpoint, how: Omit<SampleRequest, 'url'>) {
  const call = await kit.attempt(trigger, { body: sampleOf(kit, { url: endpoint.url, ...how }) });
  return { call, caught: await caughtAt(kit, endpoint) };
}

async function caughtAt(kit: ServiceKit, endpoint: CatchingEndpoint): Promise<Caught> {
  const [caught] = await kit.untilCaught(endpoint);
  if (caught === undefined) throw new Unproven('the sample did not come');
  return caught;
}
