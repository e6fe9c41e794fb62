import type { Letter, Raised, Registered, Sampled } from './registered.ts';
import { outcomeOf } from './outcome.ts';
import type { World } from './world.ts';

/** Something that has to come and is not there. */
export type Missing =
  | { readonly what: 'first'; readonly owner: Registered; readonly raised: Raised }
  | { readonly what: 'retry'; readonly letter: Letter }
  | { readonly what: 'sample'; readonly sample: Sampled };

type MissingRetry = Extract<Missing, { readonly what: 'retry' }>;

/**
 * All that still has to come, as far as there is no doubt that it has to. What had the fewest attempts comes first among
 * the retries: that no attempt followed a first one breaks more than that a last one is missing.
 */
export function missing(world: World): readonly Missing[] {
  const retries = missingRetries(world).toSorted((one, other) => attemptsOf(one) - attemptsOf(other));
  return [...missingFirsts(world), ...retries, ...missingSamples(world)];
}

/** Whether an attempt is still waiting for its answer. */
export function isAnswering(world: World): boolean {
  return world.letters.some(({ attempts }) => attempts.at(-1)!.end === undefined);
}

/** Each event that happened while a webhook took it, without doubt, and until now. */
function missingFirsts(world: World): readonly Missing[] {
  const now = world.kit.elapsed();
  const events = [...new Set(world.raised.map(({ event }) => event))];
  return world.registered.flatMap((owner) =>
    events.flatMap((event): readonly Missing[] => {
      const due = world.raised.filter((each) => each.event === event && owner.tookCertainly(event, each.from, now));
      const came = world.letters.filter((letter) => letter.owner === owner && letter.event === event);
      const since = (from: number) => came.filter(({ attempts }) => attempts[0]!.at >= from).length;
      const raised = due.toReversed().find(({ from }, index) => since(from) < index + 1);
      return raised ? [{ what: 'first', owner, raised }] : [];
    }),
  );
}

/** A retry may be left out only where the webhook rested meanwhile (GAP-20), or no longer wanted the event. */
function missingRetries(world: World): readonly MissingRetry[] {
  const { contract } = world.kit;
  const now = world.kit.elapsed();
  return world.letters.flatMap((letter): readonly MissingRetry[] => {
    const { owner, event, attempts } = letter;
    const last = attempts.at(-1)!;
    const lost = world.away.filter(({ paused, from }) => !paused && from >= attempts[0]!.at - 1000).length;
    if (attempts.length + lost > contract.delivery.retries) return [];
    if (!['refused', 'broken'].includes(outcomeOf(last, contract))) return [];
    const states = owner.between(attempts[0]!.at, now);
    const kept = states.every(({ active, gone, events }) => active && !gone && (events?.includes(event) ?? true));
    return kept ? [{ what: 'retry', letter }] : [];
  });
}

function attemptsOf({ letter: { attempts } }: MissingRetry): number {
  return attempts.length;
}

function missingSamples(world: World): readonly Missing[] {
  return world.sampled.flatMap((sample): readonly Missing[] => {
    const came = sample.place.caught.some((caught) => caught.at >= sample.at && world.isSample(caught, sample.place));
    return came ? [] : [{ what: 'sample', sample }];
  });
}
