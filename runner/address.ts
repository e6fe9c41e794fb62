import { lookup as systemLookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';

/** Resolves a name to all its addresses. */
export type Lookup = (
  name: string,
  options: { readonly all: true },
) => Promise<readonly { readonly address: string }[]>;

/**
 * Loopback, private, link-local and unique local ranges, and the unspecified addresses, which lead to this machine
 * (RFC 1918, 3927, 4193, 4291, 6890).
 */
const ranges: readonly (readonly [net: string, prefix: number])[] = [
  ['0.0.0.0', 32],
  ['10.0.0.0', 8],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['::', 128],
  ['::1', 128],
  ['fc00::', 7],
  ['fe80::', 10],
];

const local = new BlockList();
for (const [net, prefix] of ranges) local.addSubnet(net, prefix, family(net));

/**
 * Whether a host is on this machine or in a private network. A name is where every one of its addresses is; a name
 * without addresses is not.
 *
 * @param host - of a URL: a name, an IPv4 address, or an IPv6 address with or without brackets
 * @param lookup - default: the system's resolver
 */
export async function isLocalAddress(host: string, lookup: Lookup = systemLookup): Promise<boolean> {
  const bare = host.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
  if (isIP(bare) !== 0) return isLocal(bare);
  if (/(^|\.)localhost$/i.test(bare)) return true;
  const addresses = await lookup(bare, { all: true }).catch(() => []);
  return addresses.length > 0 && addresses.every(({ address }) => isLocal(address));
}

function isLocal(address: string): boolean {
  const [bare = ''] = address.split('%');
  return local.check(bare, family(bare));
}

function family(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 4 ? 'ipv4' : 'ipv6';
}
