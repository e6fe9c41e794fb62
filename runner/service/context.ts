import type { ListedNotifications } from './listedNotifications.ts';
import type { Registering } from './registrar.ts';
import type { TriggeredEvents } from './triggeredEvents.ts';

/** A run of the service suite with all of its parts: for those who put the parts together, and for cases. */
export interface ServiceContext extends Registering {
  readonly triggeredEvents: TriggeredEvents;
  readonly listedNotifications: ListedNotifications;
}
