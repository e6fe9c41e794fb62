import { member } from '../../../service/member.ts';
import type { ServiceFaults } from '../../serviceFault.ts';

/** Events of a webhook that are looked at. */
const looked = 20;

/** What is short or far apart is right, what is long or close together is not (CRW-4, NTF-9, LST-2). */
export const subtleListFaults: ServiceFaults = {
  'misses-a-repeated-event-in-a-long-list': {
    summary: 'Looks for repeated events in a list of up to twenty.',
    breaks: ['CRW-4'],
    change: (policies) => ({
      ...policies,
      schemaProblems: (operation, body) => {
        const events = member(body, 'data', 'attributes', 'events');
        const isLong = Array.isArray(events) && events.length > looked;
        return policies.schemaProblems(operation, body).filter(({ rule }) => !isLong || rule !== 'uniqueItems');
      },
    }),
  },
  'lists-one-of-two-notifications-of-one-moment': {
    summary: 'Groups its list by webhook, event and hundredth of a second, and shows the latest of each group.',
    breaks: ['NTF-9', 'LST-2'],
    change: (policies) => ({
      ...policies,
      selection: (list) => {
        const selection = policies.selection(list);
        const latest = 'SELECT max(sequence) FROM webhook_notifications GROUP BY webhook_id, event, created_at / 10';
        return list === 'webhook_notifications'
          ? { ...selection, where: `${selection.where} AND sequence IN (${latest})` }
          : selection;
      },
    }),
  },
};
