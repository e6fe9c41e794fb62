import type { MakeBody } from './policies.ts';

/** The body of a notification (section 2.2), as compact JSON. */
export const notificationBody: MakeBody = ({ id, event, status, createdAt }, included, timestamp) => {
  const attributes = { event, delivery_status: status, created_at: timestamp(createdAt) };
  return Buffer.from(JSON.stringify({ data: { id, type: 'webhook_notification', attributes }, included }));
};
