import fc from 'fast-check';

import { serviceCheck, Unobservable, type ServiceCheck } from '../../check.ts';
import { addressesIn } from '../ipAddress.ts';
import { finding } from '../../finding.ts';
import { counted } from '../../items.ts';

/** Sections 4.3 and 5.2: the service publishes from which addresses it sends. */
const published = serviceCheck<null>({
  id: 'service/sender-addresses/published',
  title: 'publishes the addresses from which it sends',
  requirements: ['IPS-1'],
  about: ['operation:senders'],
  needs: [],
  weight: 0.01,
  cases: () => [fc.constant(null)],
  run: async (kit) => {
    const call = await kit.call('senders');
    const { method, path } = call.request;
    if (!kit.succeeded(call)) {
      throw new Unobservable(
        `the service does not offer ${method} ${path}; --assume 'senderAddresses=GET <path>' says where it publishes them`,
      );
    }
    const addresses = addressesIn(call, kit);
    if (addresses.length === 0) {
      return finding('IPS-1', {
        expected: 'at least one IP address or block of addresses',
        actual: 'no text in the answer reads as an address',
        exchanges: [call],
      });
    }
    kit.observe(
      'GAP-10',
      `${method} ${path}`,
      `${counted(addresses.length, 'address', 'addresses')}, such as ${addresses[0]}`,
    );
    return undefined;
  },
  hint: 'Publish every address that deliveries leave from, as texts such as 192.0.2.10 or 198.51.100.0/24.',
});

/** The checks of this topic, in the order in which they run and are listed. */
export const senderAddressesChecks: readonly ServiceCheck[] = [published];
