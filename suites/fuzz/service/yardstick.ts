import { Unobservable, Unproven } from '../../check.ts';
import type { Caught, CatchScript } from '../../exchange.ts';
import type { ServiceKit } from '../../serviceKit.ts';
import { refuse } from '../../service/steps.ts';
import { firstAttempts, untilAttempts } from './untilAttempts.ts';
import type { ServiceModelState } from './serviceModelState.ts';
import { itemOf } from '../../items.ts';
import { eventsOfNumbers, statusTerms } from '../../../spec/serviceTerms.ts';

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
    const refused = firstAttempts(neighbour);
    if (refused[0]?.end === undefined) return undefined;
    const stops = twin !== undefined && waited === 'came' && (await until(twin)) === 'stopped';
    const stopsAlike = stops && firstAttempts(twin).length === attempts - 1;
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
  try {
    return (await kit.listed([id])).get(id)?.status === statusTerms(kit.terms).exhausted;
  } catch (error) {
    if (error instanceof Unobservable) return false;
    throw error;
  }
}
