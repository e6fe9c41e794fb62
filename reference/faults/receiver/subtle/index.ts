import type { ReceiverFaults } from '../fault.ts';
import { subtleContentFaults } from './content.ts';
import { subtleForgeryFaults } from './forgery.ts';
import { subtleIdentityFaults } from './identity.ts';
import { subtleRedeliveryFaults } from './redelivery.ts';

/** What takes several deliveries in a certain order to be seen, or an unusual one: a search finds it. */
export const subtleFaults: ReceiverFaults = Object.fromEntries(
  Object.entries({
    ...subtleRedeliveryFaults,
    ...subtleIdentityFaults,
    ...subtleForgeryFaults,
    ...subtleContentFaults,
  }).map(([name, fault]) => [name, { ...fault, subtle: true }]),
);
