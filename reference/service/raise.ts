import type { World } from './call.ts';
import { storyOf } from './occurrences.ts';
import { ResourceStore } from './resourceStore.ts';

/** What became of an event that was raised: the ids of its notifications, and of the records that stand in the lists now. */
export interface RaisedEvent {
  readonly notifications: readonly string[];
  readonly shipments: readonly string[];
  readonly containers: readonly string[];
}

/**
 * An event happens on a voyage of its own, whose shipment and containers stand in the lists from then on.
 *
 * @throws Error for an event that is none of the catalogue
 */
export async function raise(event: string, { announcer, contract, database, policies }: World): Promise<RaisedEvent> {
  const { occurrence, shipment, containers } = storyOf(event, contract, policies.timestamp);
  const now = Date.now();
  const notifications = await announcer.begin([occurrence], () => {
    new ResourceStore(database, 'shipments').save(shipment, now);
    const store = new ResourceStore(database, 'containers');
    for (const container of containers) store.save(container, now);
  });
  return {
    notifications: notifications.map(({ id }) => id),
    shipments: [shipment.id],
    containers: containers.map(({ id }) => id),
  };
}
