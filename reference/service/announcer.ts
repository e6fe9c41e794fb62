import type { Database } from './database.ts';
import type { Deliveries } from './deliveries.ts';
import type { NotificationStore, WebhookStore } from './stores.ts';
import type { ServicePolicies } from './policies.ts';
import type { Notification, Occurrence, Resource, Webhook } from './records.ts';

export interface AnnouncerParts {
  readonly database: Database;
  readonly webhooks: WebhookStore;
  readonly notifications: NotificationStore;
  readonly deliveries: Deliveries;
  readonly policies: ServicePolicies;
}

/** Turns what happened into notifications: one for each active webhook that subscribes to the event (section 6, rule 1). */
export class Announcer {
  readonly #parts: AnnouncerParts;

  constructor(parts: AnnouncerParts) {
    this.#parts = parts;
  }

  /**
   * Stores the notifications, and only then lets them be delivered.
   *
   * @param alongside - what is stored by the same transaction
   * @returns how many there are
   */
  async announce(occurrences: readonly Occurrence[], alongside: () => void = () => {}): Promise<number> {
    return this.#parts.policies.announce(async () => (await this.begin(occurrences, alongside)).length);
  }

  /** The same, and returns the notifications as they were stored. */
  async begin(occurrences: readonly Occurrence[], alongside: () => void): Promise<readonly Notification[]> {
    const { database, webhooks, policies, deliveries } = this.#parts;
    const stored = await database.write(() => {
      alongside();
      const active = webhooks.all().filter((webhook) => policies.isActive(webhook));
      return occurrences
        .filter(({ event }) => policies.isRaised(event))
        .flatMap(({ event, included }) =>
          active
            .filter((webhook) => policies.isSubscribed(webhook, event))
            .map((webhook) => this.#store(event, included, webhook)),
        );
    });
    for (const notification of stored) deliveries.enqueue(notification);
    return stored;
  }

  /** Stores a notification of one webhook alone, which may not be to deliver any more. */
  async keep(
    event: string,
    included: readonly Resource[],
    webhook: Webhook,
    how: 'as-done' | 'to-deliver',
  ): Promise<void> {
    const { database, deliveries, notifications } = this.#parts;
    const stored = await database.write(() => {
      const notification = this.#store(event, included, webhook);
      if (how === 'as-done') notifications.setStatus(notification.sequence, 'succeeded');
      return notification;
    });
    if (how === 'to-deliver') deliveries.enqueue(stored);
  }

  /** Notifies a webhook that was updated of what the policy wants it to get. */
  async tellLater(webhook: Webhook): Promise<void> {
    const { database, deliveries, policies } = this.#parts;
    const events = policies.notifiedLater(webhook);
    if (events.length === 0) return;
    const stored = await database.write(() => events.map((event) => this.#store(event, [], webhook)));
    for (const notification of stored) deliveries.enqueue(notification);
  }

  #store(event: string, included: readonly Resource[], webhook: Webhook): Notification {
    const { notifications, policies } = this.#parts;
    const createdAt = Date.now();
    const head = { id: policies.newNotificationId(event, webhook), event, status: 'pending', createdAt } as const;
    const body = policies.notificationBody(head, included, policies.timestamp);
    return notifications.insert({ ...head, webhookId: webhook.id, dueAt: createdAt, body });
  }
}
