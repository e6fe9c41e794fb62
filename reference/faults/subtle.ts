import type { ReceiverFaults } from './fault.ts';
import { subtleContentFaults } from './subtle/content.ts';
import { subtleForgeryFaults } from './subtle/forgery.ts';
import { subtleIdentityFaults } from './subtle/identity.ts';
import { subtleRedeliveryFaults } from './subtle/redelivery.ts';

/** What takes several deliveries in a certain order to be seen, or an unusual one: a search finds it. */
export const subtleFaults: ReceiverFaults = Object.fromEntries(
  Object.entries({
    ...subtleRedeliveryFaults,
    ...subtleIdentityFaults,
    ...subtleForgeryFaults,
    ...subtleContentFaults,
  }).map(([name, fault]) => [name, { ...fault, subtle: true }]),
);
