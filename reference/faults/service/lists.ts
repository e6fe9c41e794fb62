import type { ServicePolicies } from '../../service/policies.ts';
import type { ServiceFaults } from './fault.ts';

/** Another selection of rows in the list of notifications: an SQL expression. */
function listing(policies: ServicePolicies, where: string): ServicePolicies {
  return {
    ...policies,
    selection: (list) => {
      const selection = policies.selection(list);
      return list === 'webhook_notifications' ? { ...selection, where } : selection;
    },
  };
}

/** Some notifications are never listed, or not yet, or no longer (NTF-9, LST-2). */
export const listFaults: ServiceFaults = {
  'lists-no-notification-that-failed': {
    summary: 'Moves a notification that failed out of the table that is listed.',
    breaks: ['NTF-9', 'LST-2', 'STA-2'],
    change: (policies) => listing(policies, "status <> 'failed'"),
  },
  'lists-no-notification-that-is-done': {
    summary: 'Deletes a notification as soon as it was accepted.',
    breaks: ['NTF-9', 'LST-2'],
    change: (policies) => listing(policies, "status <> 'succeeded'"),
  },
  'lists-no-notification-that-is-pending': {
    summary: 'Lists a notification when its delivery has ended, and not before.',
    breaks: ['NTF-9', 'LST-2', 'STA-1'],
    change: (policies) => listing(policies, "status <> 'pending'"),
  },
  'lists-notifications-of-active-webhooks-only': {
    summary: 'Joins the webhooks that are active, and so lists nothing of those that were turned off.',
    breaks: ['NTF-9', 'LST-2'],
    change: (policies) =>
      listing(policies, "webhook_id IN (SELECT id FROM webhooks WHERE json_extract(attributes, '$.active'))"),
  },
};
