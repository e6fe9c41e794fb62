import { lookup as systemLookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';

/** Resolves a name to all its addresses. */
export type Lookup = (
  name: string,
  options: { readonly all: true; readonly family?: number; readonly hints?: number },
) => Promise<readonly { readonly address: string }[]>;

/**
 * How far away an address may be, each including those before it: this machine, private networks, all but link-local
 * addresses and those of a cloud's metadata service, any.
 */
export const reaches = ['loopback', 'private', 'routable', 'anywhere'] as const;

/** One of {@link reaches}. */
export type Reach = (typeof reaches)[number];

/** This machine: loopback, and the unspecified addresses, which lead to it as well (RFC 1122, 4291). */
const loopback = blockList('127.0.0.0/8', '::1/128', '0.0.0.0/32', '::/128');

/** RFC 1918 and 4193. */
const privateNets = blockList('10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7');

/**
 * Link-local addresses (RFC 3927, 4291), where most clouds have their metadata service, and those of the services that
 * are elsewhere: Alibaba, Azure and Oracle by IPv4, AWS, Google, Oracle and Scaleway by IPv6. A translator leads to an
 * IPv4 address by an IPv6 address that holds it.
 */
const metadata = blockList(
  ...withTranslated('169.254.0.0/16'),
  ...withTranslated('100.100.100.200/32'),
  ...withTranslated('168.63.129.16/32'),
  ...withTranslated('192.0.0.192/32'),
  'fe80::/10',
  'fd00:ec2::/32',
  'fd20:ce::254/128',
  'fd00:c1::a9fe:a9fe/128',
  'fd00:42::42/128',
);

/**
 * Whether something that may be reached this far may be connected to at this address.
 *
 * @param address - IPv4 or IPv6, with or without a zone
 */
export function isWithin(address: string, reach: Reach): boolean {
  return reaches.indexOf(reachNeeded(address)) <= reaches.indexOf(reach);
}

function reachNeeded(address: string): Reach {
  const [bare = ''] = address.split('%');
  const type = family(bare);
  if (metadata.check(bare, type)) return 'anywhere';
  if (loopback.check(bare, type)) return 'loopback';
  return privateNets.check(bare, type) ? 'private' : 'routable';
}

/** A host of a URL as sockets and resolvers take it: an IPv6 address without brackets. */
export function bareHost(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1');
}

/**
 * Whether a host is on this machine or in a private network, as far as can be said before a connection is made. A name
 * is where every one of its addresses is; a name without addresses is not, unless it is one of `localhost`, which leads
 * nowhere else or nowhere at all.
 *
 * @param host - of a URL: a name, an IPv4 address, or an IPv6 address with or without brackets
 * @param lookup - default: the system's resolver
 */
export async function isLocalAddress(host: string, lookup: Lookup = systemLookup): Promise<boolean> {
  const bare = bareHost(host);
  if (isIP(bare) !== 0) return isWithin(bare, 'private');
  const addresses = await lookup(bare, { all: true }).catch(() => []);
  if (addresses.length === 0) return /(^|\.)localhost\.?$/i.test(bare);
  return addresses.every(({ address }) => isWithin(address, 'private'));
}

/** The block with those of IPv6 that NAT64 (RFC 6052, 8215), 6to4 (RFC 3056) and IPv4-compatible addresses make of it. */
function withTranslated(block: string): readonly string[] {
  const [net = '', length = ''] = block.split('/');
  const [a, b, c, d] = net.split('.').map((part) => Number(part).toString(16).padStart(2, '0'));
  const low = 96 + Number(length);
  const translated = ['::', '64:ff9b::', '64:ff9b:1::'].map((prefix) => `${prefix}${net}/${low}`);
  return [block, ...translated, `2002:${a}${b}:${c}${d}::/${16 + Number(length)}`];
}

function blockList(...blocks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const block of blocks) {
    const [net = '', length = ''] = block.split('/');
    list.addSubnet(net, Number(length), family(net));
  }
  return list;
}

function family(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 4 ? 'ipv4' : 'ipv6';
}
