import fc from 'fast-check';

import { serviceCheck, Unobservable, type ServiceCheck } from '../../check.ts';
import type { ServiceKit } from '../../serviceKit.ts';
import { addressesIn, isLocal, isWithin, parseBlock, type AddressBlock } from '../ipAddress.ts';
import { finding } from '../../finding.ts';
import { firstCaught } from '../firstDelivery.ts';

/** Section 5.2: what is delivered comes from where the service says that it does. */
const published = serviceCheck<{ readonly carrier: 0 }>({
  id: 'service/sender/published-address',
  title: 'delivers from an address that it publishes',
  requirements: ['IPS-2'],
  about: ['operation:senders'],
  needs: ['event'],
  schedule: { kind: 'waiting' },
  weight: 0.03,
  cases: () => [fc.constant({ carrier: 0 as const })],
  run: async (kit) => {
    const { caught } = await firstCaught(kit);
    const blocks = await publishedBlocks(kit);
    const peer = parseBlock(caught.peer);
    if (peer === undefined) throw new Unobservable(`the sender's address could not be read (${caught.peer})`);
    if (blocks.some((block) => isWithin(peer, block))) return undefined;
    if (isLocal(peer) && !blocks.some(isLocal)) {
      throw new Unobservable(
        `deliveries come from ${caught.peer}, which is not seen from elsewhere, and the published addresses are: a proxy or a tunnel lies between (--catcher)`,
      );
    }
    return finding('IPS-2', {
      expected: 'the delivery comes from a published address',
      actual: `it comes from ${caught.peer}, which is not among the ${blocks.length} that are published`,
      exchanges: [...kit.exchanges.filter(({ kind }) => kind === 'call').slice(-1), caught],
    });
  },
  hint: 'Publish the addresses that the traffic leaves by (the NAT gateway, not the instance), and update the list before you add a sender.',
});

/** The checks of this topic, in the order in which they run and are listed. */
export const senderChecks: readonly ServiceCheck[] = [published];

/** What the service says that it sends from. @throws Unobservable where it says nothing that reads as an address */
async function publishedBlocks(kit: ServiceKit): Promise<readonly AddressBlock[]> {
  const call = await kit.call('senders');
  if (kit.missing(call) || !kit.succeeded(call)) {
    throw new Unobservable(
      'no sender addresses are offered at the assumed path: --assume senderAddresses=... names another',
    );
  }
  const blocks = addressesIn(call, kit).flatMap((text) => parseBlock(text) ?? []);
  if (blocks.length === 0) throw new Unobservable('the answer that should list the sender addresses holds none');
  return blocks;
}
