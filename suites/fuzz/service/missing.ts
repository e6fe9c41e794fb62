import type { WebhookDelivery, Raised, Registered, Sampled } from './registered.ts';
import { outcomeOf, type ServiceModelState } from './serviceModelState.ts';
import { lastOf } from '../../items.ts';

/** Something that has to come and is not there. */
export type Missing =
  | { readonly what: 'first'; readonly owner: Registered; readonly raised: Raised }
  | { readonly what: 'retry'; readonly delivery: WebhookDelivery }
  | { readonly what: 'sample'; readonly sample: Sampled };

type MissingSample = Extract<Missing, { readonly what: 'sample' }>;
type MissingRetry = Extract<Missing, { readonly what: 'retry' }>;

/**
 * All that still has to come, as far as there is no doubt that it has to. What had the fewest attempts comes first among
 * the retries: that no attempt followed a first one breaks more than that a last one is missing.
 */
export function missing(modelState: ServiceModelState): readonly Missing[] {
  const retries = missingRetries(modelState).toSorted((one, other) => attemptsOf(one) - attemptsOf(other));
  return [...missingFirsts(modelState), ...retries, ...missingSamples(modelState)];
}

/** Whether an attempt is still waiting for its answer. */
export function isAnswering(modelState: ServiceModelState): boolean {
  return modelState.deliveries.some(({ attempts }) => lastOf(attempts).end === undefined);
}

/** How often an event happened that a webhook took then, without doubt, and takes until now. */
export function dueOf({ kit, raised }: ServiceModelState, owner: Registered, event: string): readonly Raised[] {
  const now = kit.elapsed();
  return raised.filter((each) => each.event === event && owner.tookCertainly(event, each.from, now));
}

/** Each event that happened while a webhook took it, without doubt, and until now. */
function missingFirsts(modelState: ServiceModelState): readonly Missing[] {
  const events = [...new Set(modelState.raised.map(({ event }) => event))];
  return modelState.registered.flatMap((owner) =>
    events.flatMap((event): readonly Missing[] => {
      const due = dueOf(modelState, owner, event);
      const came = modelState.deliveries.filter((delivery) => delivery.owner === owner && delivery.event === event);
      const since = (from: number) => came.filter(({ attempts }) => attempts[0].at >= from).length;
      const raised = due.toReversed().find(({ from }, index) => since(from) < index + 1);
      return raised ? [{ what: 'first', owner, raised }] : [];
    }),
  );
}

/** A retry may be left out only where the webhook rested meanwhile (GAP-20), or no longer wanted the event. */
function missingRetries(modelState: ServiceModelState): readonly MissingRetry[] {
  const { contract } = modelState.kit;
  const now = modelState.kit.elapsed();
  return modelState.deliveries.flatMap((delivery): readonly MissingRetry[] => {
    const { owner, event, attempts } = delivery;
    const last = lastOf(attempts);
    const lost = modelState.away.filter(({ paused, from }) => !paused && from >= attempts[0].at - 1000).length;
    if (attempts.length + lost > contract.delivery.retries) return [];
    if (!['refused', 'broken'].includes(outcomeOf(last, contract)) || mayBeSample(modelState, delivery)) return [];
    const states = owner.between(attempts[0].at, now);
    const kept = states.every(({ active, gone, events }) => active && !gone && (events?.includes(event) ?? true));
    return kept ? [{ what: 'retry', delivery }] : [];
  });
}

function attemptsOf({ delivery: { attempts } }: MissingRetry): number {
  return attempts.length;
}

/** Whether a sample is missing that this may be: it came, and not as it was asked for. Nobody sends one again. */
export function mayBeSample(modelState: ServiceModelState, { attempts }: WebhookDelivery): boolean {
  return missingSamples(modelState).some(({ sample }) => modelState.isSampled(attempts[0], sample.event));
}

/** The samples of which none came as it was asked for. */
function missingSamples(modelState: ServiceModelState): readonly MissingSample[] {
  return modelState.sampled.flatMap((sample): readonly MissingSample[] => {
    const came = sample.place.caught.some(
      (caught) => caught.at >= sample.at && modelState.isSample(caught, sample.place),
    );
    return came ? [] : [{ what: 'sample', sample }];
  });
}
