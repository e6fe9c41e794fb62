import { randomUUID } from 'node:crypto';

import { post } from './post.ts';
import type { WebhookInput } from './webhookInput.ts';

const retries = 12;

/** So many notifications that fail one after the other turn a webhook off. */
const mostFailures = 3;

/** So many attempts that fail one after the other pause a webhook, where the service pauses any: as many as one notification has. */
const failuresToPause = retries + 1;

export interface Webhook extends WebhookInput {
  readonly id: string;
  readonly secret: string;
  readonly createdAt: string;
  active: boolean;
  failures: number;
  failedInARow: number;
  /** When deliveries to it go on, in milliseconds of the process. */
  pausedUntil: number;
}

export interface Notification {
  readonly id: string;
  readonly event: string;
  readonly createdAt: string;
  status: 'pending' | 'succeeded' | 'failed';
}

/** How a signature is made, and the header in which it goes out. */
export interface Signing {
  readonly header: string;
  readonly of: (body: Buffer, secret: string) => string;
}

export interface OutboxOptions {
  readonly signing: Signing;
  readonly backoff: readonly number[];
  readonly timeout: number;
  /** Milliseconds for which nothing is sent to a webhook that fails and fails. */
  readonly pause: number;
}

/** What is sent, and what became of it. A notification is for one webhook; its bytes stay the same in every attempt. */
export class Outbox {
  readonly notifications: Notification[] = [];
  readonly #options: OutboxOptions;
  readonly #timers = new Set<NodeJS.Timeout>();
  #closed = false;

  constructor(options: OutboxOptions) {
    this.#options = options;
  }

  raise(event: string, webhooks: Iterable<Webhook>): void {
    for (const webhook of webhooks) {
      if (!webhook.active || !webhook.events.includes(event)) continue;
      const notification = newNotification(event);
      this.notifications.push(notification);
      void this.#deliver(notification, webhook, bytesOf(notification), 1);
    }
  }

  /** One attempt; resolves to the receiver's status. */
  sample(url: string, event: string, secret: string | undefined): Promise<number | undefined> {
    return this.#send({ url, headers: [], secret }, bytesOf(newNotification(event)));
  }

  close(): void {
    this.#closed = true;
    this.#timers.forEach(clearTimeout);
  }

  async #deliver(notification: Notification, webhook: Webhook, body: Buffer, attempt: number): Promise<void> {
    const held = webhook.pausedUntil - performance.now();
    if (held > 0) return this.#later(held, () => void this.#deliver(notification, webhook, body, attempt));
    const status = await this.#send(webhook, body);
    if (this.#closed) return;
    this.#count(webhook, isAccepted(status));
    if (isAccepted(status)) {
      notification.status = 'succeeded';
      webhook.failures = 0;
    } else if (attempt > retries) {
      notification.status = 'failed';
      webhook.failures += 1;
      if (webhook.failures >= mostFailures) webhook.active = false;
    } else {
      const { backoff } = this.#options;
      const pause = backoff[Math.min(attempt, backoff.length) - 1] ?? 0;
      this.#later(pause, () => void this.#deliver(notification, webhook, body, attempt + 1));
    }
  }

  /** Attempts at all notifications of a webhook count together. */
  #count(webhook: Webhook, accepted: boolean): void {
    webhook.failedInARow = accepted ? 0 : webhook.failedInARow + 1;
    if (webhook.failedInARow < failuresToPause) return;
    webhook.failedInARow = 0;
    webhook.pausedUntil = performance.now() + this.#options.pause;
  }

  #later(ms: number, run: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      run();
    }, ms);
    this.#timers.add(timer);
  }

  /** The signature's header is the service's own: a custom header of that name does not go out. */
  #send(to: Addressee, body: Buffer): Promise<number | undefined> {
    const { signing, timeout } = this.#options;
    const custom = (to.headers ?? []).filter(({ name }) => name.toLowerCase() !== signing.header.toLowerCase());
    const headers: [string, string][] = [
      ['Content-Type', 'application/json'],
      ...custom.map(({ name, value }): [string, string] => [name, value]),
    ];
    if (to.secret !== undefined) headers.push([signing.header, signing.of(body, to.secret)]);
    return post({ url: to.url, headers, body, timeout });
  }
}

/** Whether the status of a receiver's answer ends a delivery. */
export function isAccepted(status: number | undefined): boolean {
  return status !== undefined && [200, 201, 202, 204].includes(status);
}

interface Addressee extends Pick<WebhookInput, 'url' | 'headers'> {
  readonly secret: string | undefined;
}

function newNotification(event: string): Notification {
  return { id: randomUUID(), event, createdAt: new Date().toISOString(), status: 'pending' };
}

/** As the notifications endpoint lists it. */
export function notificationResource({ id, event, status, createdAt }: Notification): object {
  return { id, type: 'webhook_notification', attributes: { event, delivery_status: status, created_at: createdAt } };
}

function bytesOf(notification: Notification): Buffer {
  return Buffer.from(JSON.stringify({ data: notificationResource(notification) }, null, 2));
}
