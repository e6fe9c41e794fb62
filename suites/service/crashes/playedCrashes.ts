import fc, { type Arbitrary } from 'fast-check';

import { OutOfTime, Unproven } from '../../check.ts';
import type { Caught, CatchScript } from '../../exchange.ts';
import type { TriggeredEvent, Notified, Registration, ServiceKit, Webhook } from '../../serviceKit.ts';
import { accept, acceptAfter, refuse } from '../steps.ts';
import { itemOf, pairs } from '../../items.ts';

/** The part of the retry window that a crash waits for the attempts after which it comes. */
const windowPart = 0.05;

/** A custom header of a webhook that was there before a restart. */
const kept = { name: 'X-Kit-Kept', value: 'since-before-the-restart' };

/** A webhook that was there before the crashes. */
export interface Survivor {
  readonly webhook: Webhook;
  readonly listener: Listener;
}

/** What was played, once the service is up again. */
export interface Played {
  readonly survivors: readonly Survivor[];
  /** The custom headers of each. */
  readonly headers: Registration['headers'] & {};
  readonly triggered: TriggeredEvent;
  /** Milliseconds of the run at which all endpoints began to accept, and it was started for the last time: what comes later it sent after that. */
  readonly opened: number;
  /** How often the service ended. */
  readonly ends: number;
}

/** A webhook that was registered after the last restart, and has been notified of something that happened after it. */
export interface Neighbour {
  readonly webhook: Webhook;
  readonly event: string;
  /** The attempt that it accepted. */
  readonly accepted: Caught;
  /** Milliseconds from the triggered event to that, beside those of an attempt that was left unanswered. */
  readonly took: number;
  /** Milliseconds after which the service gave up an attempt that was left unanswered; 0 where none was. */
  readonly timeout: number;
}

/**
 * Registers the webhooks, lets one event happen, and ends and starts the service as the schedule says.
 *
 * @param raised - whether the event happens before the first crash, or after the last one
 * @throws Unproven where nothing could be registered or raised; NotStarted
 */
export async function playCrashes(
  kit: ServiceKit,
  { listeners, crashes }: CrashSchedule,
  raised: 'before' | 'after',
): Promise<Played> {
  // What waits for a retry may have been stored with all that is sent. What happens afterwards is sent as the webhook says.
  const headers = raised === 'after' && kit.terms.webhook.members.headers !== undefined ? [kept] : [];
  const webhooks = await kit.registerMany(listeners.length, (place) => ({
    ...registration(kit, itemOf(listeners, place)),
    ...(headers.length > 0 && { headers }),
  }));
  const survivors = pairs(webhooks, listeners).map(([webhook, listener]) => ({ webhook, listener }));
  const before = raised === 'before' ? await kit.raise(kit.scenarioEvents[0]) : undefined;
  let opened = 0;
  for (const [place, each] of crashes.entries()) {
    await end(kit, each, webhooks);
    // Whatever is refused from now on would only cost attempts, of which there are not many.
    if (place === crashes.length - 1) await Promise.all(webhooks.map((webhook) => webhook.open()));
    opened = kit.elapsed();
    await kit.processControl.start();
  }
  const triggered = before ?? (await kit.raise(kit.scenarioEvents[0]));
  return { survivors, headers, triggered, opened, ends: crashes.length };
}

function registration(kit: ServiceKit, listener: Listener): Registration {
  const events = [kit.scenarioEvents[0]];
  if (listener === 'is-closed') return { events, refusing: true };
  const meanwhile: Readonly<Record<typeof listener, CatchScript>> = {
    accepts: [accept(kit.contract)],
    refuses: [refuse()],
    hangs: [{ do: 'hang' }],
  };
  return { events, meanwhile: meanwhile[listener] };
}

/** Ends the service at its time; where no more attempts come, or not as soon as that, a little later. */
export async function end(kit: ServiceKit, { how, after, delay }: Crash, webhooks: readonly Webhook[]): Promise<void> {
  const attempts = () => webhooks.reduce((sum, { endpoint }) => sum + endpoint.caught.length, 0);
  const isOver = () => webhooks.every((webhook) => acceptedBy(kit, webhook));
  await kit.soon(() => attempts() >= after || isOver() || undefined, kit.window * windowPart);
  await kit.soon(() => undefined, delay);
  if (how === 'kill') await kit.processControl.kill();
  else await kit.processControl.stop();
}

/**
 * Registers a webhook after the restart, and waits until it has accepted what happens then: the service delivers again.
 *
 * @throws Unproven where nothing comes to it either
 */
export function newNeighbour(kit: ServiceKit, headers: Played['headers'] = []): Promise<Neighbour> {
  return neighbour(kit, [accept(kit.contract)], headers);
}

/**
 * The same, with one attempt that is left unanswered and some that are refused first: how long the service takes for that.
 *
 * @throws Unproven where nothing comes to it either; OutOfTime where the retries take longer than the window
 */
export async function slowNeighbour(kit: ServiceKit, refusals: number): Promise<Neighbour> {
  const found = await neighbour(kit, [{ do: 'hang' }, ...acceptAfter(refusals, refuse(), kit.contract)]);
  const [first] = found.webhook.endpoint.caught;
  const timeout = first?.end === undefined ? 0 : first.end.at - first.at;
  return { ...found, timeout, took: found.took - timeout };
}

async function neighbour(kit: ServiceKit, script: CatchScript, headers: Played['headers'] = []): Promise<Neighbour> {
  const event = kit.scenarioEvents[1];
  const webhook = await kit.register({ events: [event], script, ...(headers.length > 0 && { headers }) });
  const { at } = await kit.raise(event);
  const accepted = await kit.soon(() => acceptedBy(kit, webhook), kit.window);
  if (accepted) return { webhook, event, accepted, took: accepted.at - at, timeout: 0 };
  if (webhook.endpoint.caught.length > 0)
    throw new OutOfTime(`${script.length} attempts take longer than the retry window`);
  throw new Unproven(`nothing came of ${event} after the restart, not even to a webhook that was registered then`);
}

/** The attempt that the webhook's endpoint accepted, answered to its end. */
export function acceptedBy({ contract }: ServiceKit, { endpoint }: Webhook): Caught | undefined {
  const { acceptedStatuses } = contract.delivery;
  return endpoint.caught.find(({ step, end: ended }) => {
    return step.do === 'respond' && acceptedStatuses.includes(step.status) && ended?.kind === 'answered';
  });
}

/** The notification that came of a triggered event. @throws Unproven where none did within the retry window */
export async function notificationAt(kit: ServiceKit, webhook: Webhook, triggered: TriggeredEvent): Promise<Notified> {
  const come = () => kit.notifications(webhook.endpoint).find(({ event }) => event === triggered.event);
  const notified = await kit.soon(come, kit.window);
  if (notified) return notified;
  throw new Unproven(`no notification of ${triggered.event} came, so nothing could be seen of it`);
}

/** What the endpoint of one webhook does until the last crash: accept, refuse, leave unanswered, or take no connections. */
type Listener = 'accepts' | 'refuses' | 'hangs' | 'is-closed';

/** One end of the service; it is started again at once. */
export interface Crash {
  readonly how: 'kill' | 'stop';
  /** How many attempts, at all endpoints together, have to come before it. */
  readonly after: number;
  /** Milliseconds between that and the end. */
  readonly delay: number;
}

/** Who listens, and when the service ends: all that a case about crashes consists of. */
export interface CrashSchedule {
  readonly listeners: readonly [Listener, ...Listener[]];
  /** In the order of time. */
  readonly crashes: readonly [Crash, ...Crash[]];
}

/** The longest time between what a crash waits for and the crash itself, in milliseconds. */
const longestDelay = 50;

/** How schedules of one kind are made. */
interface Kind {
  readonly how: Crash['how'];
  /** The first is what the first webhook does, each of them what any other may do. */
  readonly listeners: readonly [Listener, ...Listener[]];
  /** Webhooks at most. Default 1. */
  readonly webhooks?: number;
  /** Crashes at most. Default 1. */
  readonly crashes?: number;
  /** Attempts that a crash waits for: the least and the most. */
  readonly after: readonly [least: number, most: number];
}

/** One end of the service. It shrinks to the earliest. */
export function crash(how: Crash['how'], [min, max]: Kind['after']): Arbitrary<Crash> {
  return fc.record({
    how: fc.constant(how),
    after: fc.integer({ min, max }),
    delay: fc.integer({ min: 0, max: longestDelay }),
  });
}

/** Several, each after more attempts than the one before. They shrink to one. */
export function crashes(how: Crash['how'], most: number, after: Kind['after']): Arbitrary<CrashSchedule['crashes']> {
  const some = fc.array(crash(how, after), { minLength: 1, maxLength: most, size: 'max' });
  return fc.noBias(some).map((all) => all.toSorted((one, other) => one.after - other.after) as unknown as [Crash]);
}

/** Schedules of one kind. They shrink to fewer webhooks, and to fewer and earlier crashes. */
export function crashSchedule(kind: Kind): Arbitrary<CrashSchedule> {
  const { how, after, webhooks = 1 } = kind;
  const others = fc.array(fc.constantFrom(...kind.listeners), { maxLength: webhooks - 1, size: 'max' });
  return fc.record({
    listeners: fc
      .tuple(fc.constant(kind.listeners[0]), fc.noBias(others))
      .map(([first, more]) => [first, ...more] as const),
    crashes: crashes(how, kind.crashes ?? 1, after),
  });
}
