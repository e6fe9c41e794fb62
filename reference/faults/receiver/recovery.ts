import { isFailed, readAgain } from '../../receiver/serviceLink.ts';
import type { ReceiverFaults } from './fault.ts';

/** What was missed during an outage stays missed (RCO-1). */
export const recoveryFaults: ReceiverFaults = {
  'never-recovers': {
    summary: 'Goes on after an outage as if nothing had happened.',
    breaks: ['RCO-1'],
    setting: 'recovery',
    change: (policies) => ({ ...policies, recover: async () => [] }),
  },
  'recovers-from-the-first-page-only': {
    summary: 'Looks for failed notifications, shipments and containers on the first page of each list.',
    breaks: ['RCO-1'],
    setting: 'recovery',
    change: (policies) => ({
      ...policies,
      recover: (api) =>
        policies.recover({
          pages: (list) => api.pages(list),
          all: async (list) => (await api.pages(list).next()).value ?? [],
        }),
    }),
  },
  'reads-the-first-page-of-failed-notifications-only': {
    summary: 'Looks for failed notifications on the first page of the list, then reads every shipment and container.',
    breaks: ['RCO-1'],
    setting: 'recovery',
    change: (policies) => ({
      ...policies,
      recover: async (api) => {
        const { value: first } = await api.pages('webhook_notifications').next();
        return (first ?? []).some(isFailed) ? readAgain(api, ['shipments', 'containers']) : [];
      },
    }),
  },
  'lists-what-failed-and-reads-nothing-again': {
    summary: 'Counts the notifications that failed, and leaves it at that.',
    breaks: ['RCO-1'],
    setting: 'recovery',
    change: (policies) => ({
      ...policies,
      recover: async (api) => {
        await api.all('webhook_notifications');
        return [];
      },
    }),
  },
  'reads-shipments-again-and-no-containers': {
    summary: 'Reads the shipments again after an outage, and takes the containers to be part of them.',
    breaks: ['RCO-1'],
    setting: 'recovery',
    change: (policies) => ({
      ...policies,
      recover: async (api) => {
        const missed = (await api.all('webhook_notifications')).filter(isFailed);
        return missed.length === 0 ? [] : readAgain(api, ['shipments']);
      },
    }),
  },
  'reads-everything-again-and-no-notifications': {
    summary: 'Reads shipments and containers at each start, and never learns what it has missed.',
    breaks: ['RCO-1'],
    setting: 'recovery',
    change: (policies) => ({ ...policies, recover: (api) => readAgain(api, ['shipments', 'containers']) }),
  },
  'looks-for-what-is-pending': {
    summary: 'Asks for the notifications that are still pending, and finds none of those that were given up.',
    breaks: ['RCO-1'],
    setting: 'recovery',
    change: (policies) => ({
      ...policies,
      recover: async (api) => {
        const missed = (await api.all('webhook_notifications')).filter(
          ({ attributes }) => attributes['delivery_status'] === 'pending',
        );
        return missed.length === 0 ? [] : readAgain(api, ['shipments', 'containers']);
      },
    }),
  },
};
