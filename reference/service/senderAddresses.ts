import { networkInterfaces } from 'node:os';

/** The addresses of this machine, from any of which a notification may come. */
export function senderAddresses(): readonly string[] {
  const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  return [...new Set(addresses.map(({ address }) => address))];
}
