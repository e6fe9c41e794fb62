import type { ServiceKit } from '../serviceKit.ts';
import { accept, refuse } from './steps.ts';

/**
 * Whether what is refused from now on gets a retry. A service may send nothing for a while to a host that refused much (a
 * circuit breaker), and all endpoints of the kit are at one host: a retry counts as missing only once others come again.
 *
 * @param until - milliseconds of the run
 * @param known - an event that got a retry before. Default: the first of a scenario
 */
export async function retriesAgain(kit: ServiceKit, until: number, known?: unknown): Promise<boolean> {
  const event = kit.events.find((each) => each === known) ?? kit.scenarioEvents[0];
  const { endpoint } = await kit.register({ events: [event], script: [refuse(), accept(kit.contract)] });
  await kit.trigger(event);
  return (await kit.soon(() => endpoint.caught.length > 1 || undefined, until - kit.elapsed())) ?? false;
}
