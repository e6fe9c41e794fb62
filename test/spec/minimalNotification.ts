/** A minimal notification of an event, each member open to change. */
export function minimalNotification(event: string, attributes: object = {}) {
  return {
    data: {
      id: '3f1c2a4e-7b9d-4c6e-8f10-2a3b4c5d6e7f',
      type: 'webhook_notification',
      attributes: { event, delivery_status: 'pending', created_at: '2026-01-02T03:04:05Z', ...attributes },
    },
    included: [],
  };
}
