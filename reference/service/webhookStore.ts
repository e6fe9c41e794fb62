import type { Database } from './database.ts';
import type { Webhook, WebhookAttributes } from './records.ts';

type Row = Readonly<Record<string, string | number>>;

/** The registered webhooks. What changes them is to be called within `Database.write`. */
export class WebhookStore {
  readonly #statements: ReturnType<typeof prepare>;

  constructor(database: Database) {
    this.#statements = prepare(database);
  }

  insert(webhook: Webhook): void {
    const { id, secret, createdAt, failures } = webhook;
    this.#statements.insert.run(id, attributesText(webhook), secret, createdAt, failures);
  }

  /** Stores what may change: the attributes and the count of failures. */
  update(webhook: Webhook): void {
    this.#statements.update.run(attributesText(webhook), webhook.failures, webhook.id);
  }

  delete(id: string): void {
    this.#statements.delete.run(id);
  }

  find(id: string): Webhook | undefined {
    const row = this.#statements.find.get(id);
    return row === undefined ? undefined : webhookOf(row as Row);
  }

  /** Oldest first. */
  all(): readonly Webhook[] {
    return this.#statements.all.all().map((row) => webhookOf(row as Row));
  }
}

/** Kept as JSON, which spells every text that a client may send, lone surrogates and U+0000 included. */
function attributesText({ url, active, events, headers, unlisted }: Webhook): string {
  const attributes: WebhookAttributes = {
    url,
    active,
    events,
    headers,
    ...(unlisted === undefined ? {} : { unlisted }),
  };
  return JSON.stringify(attributes);
}

/** @param row - of the table `webhooks` */
export function webhookOf(row: Row): Webhook {
  return {
    ...(JSON.parse(row['attributes'] as string) as WebhookAttributes),
    id: row['id'] as string,
    secret: row['secret'] as string,
    createdAt: row['created_at'] as number,
    failures: row['failures'] as number,
  };
}

function prepare(database: Database) {
  return {
    insert: database.prepare(
      'INSERT INTO webhooks (id, attributes, secret, created_at, failures) VALUES (?, ?, ?, ?, ?)',
    ),
    update: database.prepare('UPDATE webhooks SET attributes = ?, failures = ? WHERE id = ?'),
    delete: database.prepare('DELETE FROM webhooks WHERE id = ?'),
    find: database.prepare('SELECT * FROM webhooks WHERE id = ? ORDER BY sequence LIMIT 1'),
    all: database.prepare('SELECT * FROM webhooks ORDER BY sequence'),
  };
}
