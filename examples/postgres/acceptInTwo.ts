import { type Notification, store, takeEffect, transaction } from './database.ts';

/**
 * The mistake: the first transaction ends once the notification is stored, and the effect has one of its own, after the
 * answer. Killed in between, this receiver knows a notification that never took effect, and drops it when it comes again.
 */
export async function acceptInTwo(notification: Notification): Promise<void> {
  const isNew = await transaction((client) => store(client, notification));
  if (isNew) transaction((client) => takeEffect(client, notification)).catch(console.error);
}
