import { Unobservable, Unproven, unlessUnobservable } from '../../check.ts';
import type { Caught, CatchScript } from '../../exchange.ts';
import type { ServiceKit, Webhook } from '../../serviceKit.ts';
import { refuse } from '../../service/steps.ts';
import type { ServiceModelState } from './serviceModelState.ts';
import { itemOf } from '../../items.ts';
import { eventsOfNumbers, offers, statusTerms } from '../../../spec/serviceTerms.ts';

/** Milliseconds that a first delivery is waited for at most. */
const firstArrival = 15_000;

/** Milliseconds that something is waited for at most which a busy service may still bring. */
const longestWait = 15_000;

/** How many times as long as elsewhere something may take before it is overdue. */
const factor = 5;

/** What a fresh triggered event, to fresh webhooks, shows of the service's pace. */
export interface Yardstick {
  /** What came to a webhook that takes everything. */
  readonly monitored: Caught;
  /** Milliseconds that it took. */
  readonly took: number;
  /** The attempts that came to a webhook that refuses everything: fewer than were asked for where no more are made. */
  readonly refused: readonly Caught[];
  /**
   * Whether that one had as many attempts as were asked for, while the last of them did not come to another one, which did
   * with each attempt what the sequence did: then it is the kind of failure that no attempt follows.
   */
  readonly stopsAlike: boolean;
  /** Whether both got one notification with the same id (GAP-21): its listed status says nothing about one of them. */
  readonly shared: boolean;
}

/**
 * Lets something happen that is none of the sequence's business, to a webhook that takes everything and one that refuses
 * everything, and waits until the second had so many attempts: whatever is missing by then, and has had several times as
 * long, is overdue.
 *
 * @param attempts - from 1
 * @param alike - attempts of the sequence: a third webhook, which does the same with its own, is looked at as well.
 *   Default: none, and there is none
 * @returns nothing where the service shows it within the retry window neither here
 */
export async function measure(
  modelState: ServiceModelState,
  attempts: number,
  alike: readonly Caught[] = [],
): Promise<Yardstick | undefined> {
  const { kit } = modelState;
  try {
    const event = otherEvent(modelState);
    if (event === undefined) return undefined;
    const monitor = await kit.register({ events: [event] });
    const neighbour = await kit.register({ events: [event], script: [refuse(500)] });
    const twin = alike.length > 0 ? await kit.register({ events: [event], script: scriptOf(alike) }) : undefined;
    const { at } = await kit.raise(event);
    const monitored = await kit.soon(() => monitor.endpoint.caught[0], Math.min(firstArrival, kit.window));
    if (monitored === undefined) return undefined;
    const until = (webhook: typeof neighbour) =>
      untilAttempts(kit, webhook, attempts, () => isGivenUp(kit, webhook.endpoint.caught, monitored));
    const waited = await until(neighbour);
    const refused = firstAttempts(kit, neighbour);
    if (refused[0]?.end === undefined) return undefined;
    const stops = twin !== undefined && waited === 'came' && (await until(twin)) === 'stopped';
    const stopsAlike = stops && firstAttempts(kit, twin).length === attempts - 1;
    const shared = refused.some(({ key }) => key === monitored.key);
    return { monitored, took: monitored.at - at, refused, stopsAlike, shared };
  } catch (error) {
    if (error instanceof Unobservable || error instanceof Unproven) return undefined;
    throw error;
  }
}

function scriptOf(attempts: readonly Caught[]): CatchScript {
  return [...attempts.map(({ step }) => step), refuse(500)] as unknown as CatchScript;
}

/** Listed as failed, unless it has its id from the one that was accepted (GAP-21). */
async function isGivenUp(kit: ServiceKit, [first]: readonly Caught[], { key }: Caught): Promise<boolean> {
  return first !== undefined && first.key !== key && isListedAsFailed(kit, first.key);
}

/**
 * Waits until a first delivery, which a triggered event at that time had to bring, is overdue.
 *
 * @param own - milliseconds that the service paused for at that webhook already: what it delivers there may queue
 * @returns whether it is; not where that would take too long
 */
export async function untilOverdue(kit: ServiceKit, { took }: Yardstick, since: number, own: number) {
  await kit.settle();
  return untilPassed(kit, since + factor * Math.max(took, own));
}

/** The same for the retry that follows the attempt with this number. */
export async function untilRetryOverdue(
  kit: ServiceKit,
  { refused }: Yardstick,
  { last, number, own }: { readonly last: Caught; readonly number: number; readonly own: number },
) {
  const before = itemOf(refused, number - 1);
  const pause = itemOf(refused, number).at - (before.end?.at ?? before.at);
  await kit.settle();
  return untilPassed(kit, (last.end?.at ?? last.at) + factor * Math.max(pause, own));
}

async function untilPassed(kit: ServiceKit, time: number): Promise<boolean> {
  const left = time - kit.elapsed();
  if (left > Math.min(kit.window, longestWait)) return false;
  await kit.soon(() => undefined, Math.max(0, left));
  return true;
}

/** One that no webhook of the sequence takes, if there is one. */
function otherEvent({ kit, registered }: ServiceModelState): string | undefined {
  const ofNumbers = eventsOfNumbers(kit.terms);
  const own = new Set(registered.flatMap(({ states }) => states.flatMap(({ events }) => events ?? [])));
  const plain = kit.events.filter((event) => !ofNumbers.includes(event));
  const others = plain.filter((event) => !own.has(event));
  return others.at(-1) ?? plain.at(-1) ?? kit.events[0];
}

/** Whether the service itself says that no further attempt of a notification follows; not where it shows no list. */
export async function isListedAsFailed(kit: ServiceKit, id: string): Promise<boolean> {
  if (!offers(kit.contract, 'notifications')) return false;
  const listed = await kit.listed([id]).catch(unlessUnobservable);
  return listed?.get(id)?.status === statusTerms(kit.terms).exhausted;
}

/** Milliseconds without an attempt after which it is asked whether more will follow, and after which none does, at least. */
const leastWait = { brief: 250, whole: 2000 } as const;

/** How many of the longest pauses so far each takes. */
const pauses = { brief: 3, whole: 10 } as const;

/** How a wait for attempts ended: all came, no more do, or the retry window ended before that was certain. */
type Waited = 'came' | 'stopped' | 'late';

/** The attempts of the first notification that came: others may make the same happen meanwhile. */
function firstAttempts(kit: ServiceKit, { endpoint }: Webhook): readonly Caught[] {
  return kit.notifications(endpoint)[0]?.attempts ?? [];
}

/**
 * Waits until the first notification of a webhook had so many attempts. Gives up where no further attempt comes for several times the longest pause
 * so far, and soon where the service says so itself.
 *
 * @param attempts - from 1
 * @param isOver - whether the service says that no further attempt follows. Default: it does not say
 */
async function untilAttempts(
  kit: ServiceKit,
  webhook: Webhook,
  attempts: number,
  isOver: () => Promise<boolean> = () => Promise.resolve(false),
): Promise<Waited> {
  const end = kit.elapsed() + kit.window;
  const isThere = () => firstAttempts(kit, webhook)[attempts - 1]?.end && true;
  let pauseLength: keyof typeof pauses = 'brief';
  for (;;) {
    const before = firstAttempts(kit, webhook);
    const progress = progressOf(before);
    if (await kit.soon(isThere, Math.min(lengthOf(before, pauseLength), end - kit.elapsed()))) return 'came';
    if (kit.elapsed() >= end) return 'late';
    const now = firstAttempts(kit, webhook);
    const isQuiet = progressOf(now) === progress && now.every((each) => each.end);
    if (isQuiet && (pauseLength === 'whole' || (await isOver()))) return isThere() ? 'came' : 'stopped';
    pauseLength = isQuiet ? 'whole' : 'brief';
  }
}

/** Grows with each attempt, and with each that ends. */
function progressOf(caught: readonly Caught[]): number {
  return caught.length + caught.filter(({ end }) => end).length;
}

function lengthOf(caught: readonly Caught[], pauseLength: keyof typeof pauses): number {
  const own = caught.slice(1).map(({ at }, index) => at - itemOf(caught, index).at);
  return Math.max(leastWait[pauseLength], pauses[pauseLength] * Math.max(0, ...own));
}
