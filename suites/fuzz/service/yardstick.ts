import { Unobservable, Unproven } from '../../check.ts';
import type { Caught } from '../../exchange.ts';
import type { ServiceKit, Webhook } from '../../serviceKit.ts';
import { refuse } from '../../service/steps.ts';
import type { World } from './world.ts';

/** Milliseconds that a first delivery is waited for at most. */
const firstArrival = 15_000;
/** Milliseconds that the next attempt is waited for at least. */
const leastPatience = 2000;
/** Milliseconds that something is waited for at most which a busy service may still bring. */
const longestWait = 15_000;
/** How many times as long as elsewhere something may take before it is overdue. */
const factor = 5;

/** What a fresh happening, to fresh webhooks, shows of the service's pace. */
export interface Yardstick {
  /** What came to a webhook that takes everything. */
  readonly witnessed: Caught;
  /** Milliseconds that it took. */
  readonly took: number;
  /** The attempts that came to a webhook that refuses everything. */
  readonly refused: readonly Caught[];
  /** Whether both got one notification with the same id (GAP-21): its listed status says nothing about one of them. */
  readonly shared: boolean;
}

/**
 * Lets something happen that is none of the sequence's business, to a webhook that takes everything and one that refuses
 * everything, and waits until the second had so many attempts: whatever is missing by then, and has had several times as
 * long, is overdue.
 *
 * @param attempts - from 1
 * @returns nothing where the service shows it within the retry window neither here
 */
export async function measure(world: World, attempts: number): Promise<Yardstick | undefined> {
  const { kit } = world;
  try {
    const event = otherEvent(world);
    if (event === undefined) return undefined;
    const witness = await kit.register({ events: [event] });
    const companion = await kit.register({ events: [event], script: [refuse(500)] });
    const { at } = await kit.raise(event);
    const witnessed = await kit.soon(() => witness.endpoint.caught[0], Math.min(firstArrival, kit.window));
    if (witnessed === undefined) return undefined;
    const refused = await untilAttempts(kit, companion, attempts);
    if (refused === undefined) return undefined;
    const shared = refused.some(({ key }) => key === witnessed.key);
    return { witnessed, took: witnessed.at - at, refused, shared };
  } catch (error) {
    if (error instanceof Unobservable || error instanceof Unproven) return undefined;
    throw error;
  }
}

/**
 * Waits until a first delivery, which a happening at that time had to bring, is overdue.
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
  const before = refused[number - 1]!;
  const pause = refused[number]!.at - (before.end?.at ?? before.at);
  await kit.settle();
  return untilPassed(kit, (last.end?.at ?? last.at) + factor * Math.max(pause, own));
}

async function untilPassed(kit: ServiceKit, time: number): Promise<boolean> {
  const left = time - kit.elapsed();
  if (left > Math.min(kit.window, longestWait)) return false;
  await kit.soon(() => undefined, Math.max(0, left));
  return true;
}

/** Gives up where no further attempt comes for several times the longest pause so far. */
async function untilAttempts(kit: ServiceKit, companion: Webhook, attempts: number) {
  const { caught } = companion.endpoint;
  const end = kit.elapsed() + kit.window;
  for (;;) {
    const before = caught.length;
    const pauses = caught.slice(1).map(({ at }, index) => at - caught[index]!.at);
    const patience = Math.max(leastPatience, 2 * factor * Math.max(0, ...pauses));
    const refused = await kit.soon(() => ended(companion, attempts), Math.min(patience, end - kit.elapsed()));
    if (refused || caught.length === before || kit.elapsed() >= end) return refused;
  }
}

function ended({ endpoint }: Webhook, attempts: number): readonly Caught[] | undefined {
  const { caught } = endpoint;
  return caught.length >= attempts && caught[attempts - 1]!.end !== undefined ? caught : undefined;
}

/** One that no webhook of the sequence takes, if there is one. */
function otherEvent({ kit, registered }: World): string | undefined {
  const { found, unknown } = kit.terms.tracking;
  const own = new Set(registered.flatMap(({ states }) => states.flatMap(({ events }) => events ?? [])));
  const plain = kit.events.filter((event) => event !== found && event !== unknown);
  const others = plain.filter((event) => !own.has(event));
  return others.at(-1) ?? plain.at(-1) ?? kit.events[0];
}
