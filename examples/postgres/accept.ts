import { type Notification, store, takeEffect, transaction } from './database.ts';

/**
 * Stores a notification and lets it take effect, in one transaction: whenever a process ends, either both are there
 * or neither is. Once this has resolved it may be acknowledged.
 */
export async function accept(notification: Notification): Promise<void> {
  await transaction(async (client) => {
    if (await store(client, notification)) await takeEffect(client, notification);
  });
}
