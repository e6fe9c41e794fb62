import type { CustomHeader } from '../../service/records.ts';
import type { ServiceFaults } from './fault.ts';

/** Custom headers go where they do not belong (WHK-10). */
export const customHeaderFaults: ServiceFaults = {
  'sends-custom-headers-to-other-webhooks-as-well': {
    summary: 'Sets custom headers on the client that all deliveries share, where they stay.',
    breaks: ['WHK-10', 'ACT-3'],
    change: (policies) => {
      const shared = new Map<string, CustomHeader>();
      return {
        ...policies,
        customHeaders: (attempt) => {
          for (const header of policies.customHeaders(attempt)) shared.set(header.name.toLowerCase(), header);
          return [...shared.values()];
        },
      };
    },
  },
};
