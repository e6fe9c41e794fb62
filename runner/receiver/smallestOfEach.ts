import {
  notification as notificationArbitrary,
  type Notification,
} from '../../generators/notification/notification.ts';
import { UnsupportedSchema } from '../../generators/schema/schemaContext.ts';
import type { CatalogueEvent } from '../../spec/contract.ts';
import { ContractError } from '../../spec/contractError.ts';
import { smallestOf } from '../engine/cases.ts';
import { UsageError } from '../errors.ts';
import { madeRecent } from './madeRecent.ts';
import type { ReceiverContext } from './receiverContext.ts';

/**
 * The smallest notification of each event, by its name. That none can be made of an event is observed.
 *
 * @param fraction - what follows the whole seconds of its creation time: see `Taken`
 */
export function smallestOfEach(
  context: ReceiverContext,
  events: readonly CatalogueEvent[],
  fraction: string,
): ReadonlyMap<string, Notification> {
  const plain = new Map<string, Notification>();
  for (const event of events) {
    const notification = smallestOrWhy(context, event, fraction);
    if (!(notification instanceof Error)) plain.set(event.name, notification);
    else if (fraction === '') observeImpossible(context, event, notification);
  }
  return plain;
}

/** What no value is valid for, or what does not compile, is an event that nobody can send. */
function smallestOrWhy(
  context: ReceiverContext,
  event: CatalogueEvent,
  fraction: string,
): Notification | UnsupportedSchema | ContractError {
  try {
    return smallest(context, event, fraction);
  } catch (error) {
    if (error instanceof UnsupportedSchema || error instanceof ContractError) return error;
    throw error;
  }
}

function observeImpossible(context: ReceiverContext, { name }: CatalogueEvent, { message: evidence }: Error): void {
  const value = `the event ${name} is not tested: no valid body of it can be made`;
  context.emit({ type: 'observed', gap: 'RCV-1', value, evidence });
}

export function noEventPossible({ plan: { contract } }: ReceiverContext): UsageError {
  return new UsageError('SW_CONTRACT_INVALID', {
    received: `no valid body of any event of the contract ${contract.name} can be made`,
    valid: 'a JSON Schema for each event that at least one value meets',
    next: 'seaworthy contract check says which schema is the reason, and where',
  });
}

/** What shrinking ends at, by event: finding it takes milliseconds, and no run needs another one. */
const plainest = new WeakMap<CatalogueEvent, Notification>();

function smallest({ plan, startedAt: now }: ReceiverContext, event: CatalogueEvent, fraction: string): Notification {
  const notification = plainest.get(event) ?? smallestOf(notificationArbitrary(plan.contract, event));
  plainest.set(event, notification);
  return madeRecent(plan.contract, notification, { now, within: 1, fraction });
}
