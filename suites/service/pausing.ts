import { OutOfTime } from '../check.ts';
import type { Notified, ServiceKit, TriggeredEvent, Webhook } from '../serviceKit.ts';
import { accept, refuse } from './steps.ts';

/** Milliseconds for which a service may send nothing to a webhook that failed often, and still counts as one that sends. */
const longestPause = 20_000;

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

/** A notification, and the webhook that it came to. */
interface Awaited {
  readonly webhook: Webhook;
  readonly notified: Notified;
}

/**
 * Whether the attempt with this number came after all. A service may pause a webhook that failed often, or its host: what is
 * overdue counts as missing once something newer came to the same webhook, or nothing for long while others are served.
 *
 * @throws OutOfTime where others get no retry either
 */
export async function cameAfterPause(
  kit: ServiceKit,
  { webhook: { endpoint }, notified }: Awaited,
  number: number,
): Promise<boolean> {
  const from = kit.elapsed();
  const came = () => notified.attempts.length >= number || undefined;
  const isNewer = (other: Notified) => other !== notified && other.attempts[0].at >= from;
  await kit.trigger(notified.event);
  await kit.soon(() => came() ?? (kit.notifications(endpoint).some(isNewer) || undefined), pauseOf(kit));
  const asked = kit.elapsed();
  if (!came() && !(await retriesAgain(kit, from + kit.window)))
    throw new OutOfTime(`nothing else that was refused came again within ${kit.window / 1000} s either`);
  const lull = kit.overdueAfter({ took: kit.elapsed() - asked, timeout: 0 });
  return (await kit.soon(came, Math.min(lull, pauseOf(kit)))) ?? false;
}

/** Whether a webhook that failed often, and may be paused, is notified of what happened after all. */
export async function isNotifiedLater(
  kit: ServiceKit,
  { endpoint }: Webhook,
  { event, at }: TriggeredEvent,
): Promise<boolean> {
  const isIt = (each: Notified) => each.event === event && each.attempts[0].at >= at;
  return (await kit.soon(() => kit.notifications(endpoint).some(isIt) || undefined, pauseOf(kit))) ?? false;
}

function pauseOf({ window }: Pick<ServiceKit, 'window'>): number {
  return Math.min(window, longestPause);
}
