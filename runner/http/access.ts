import type { LookupOptions } from 'node:dns';
import { lookup as systemLookup } from 'node:dns/promises';
import { isIP, type LookupFunction, BlockList } from 'node:net';
import { callbackify } from 'node:util';

import type { RunEnd } from '../engine/eventStream.ts';
import type { ConnectionSpacing } from './connectionHabits.ts';

/**
 * What holds for every connection to an address that the user named: a target, a probe, what is posted to. Where it is
 * left out, a connection leads to this machine and private networks, and trusts the system's authorities.
 */
export interface Access {
  /** Certificates of authorities to trust instead of the system's: PEM text. */
  readonly ca?: string | undefined;
  /** Trust any certificate. Default false. */
  readonly insecure?: boolean | undefined;
  /** How far away it may be. Default `private`. */
  readonly reach?: Reach | undefined;
  /** Called each time a connection is refused because it would lead too far. */
  readonly onRefused?: ((refusal: RefusedAddress) => void) | undefined;
  /** Resolves names. Default: the system's resolver. */
  readonly lookup?: Lookup | undefined;
  /** Shared by all that connects to one target. Default: connections are opened as fast as they are asked for. */
  readonly spacing?: ConnectionSpacing | undefined;
}

/** How far `--allow-remote` lets the kit go. */
export function reachOf(allowRemote: boolean): Reach {
  return allowRemote ? 'anywhere' : 'private';
}

/**
 * How far away an address may be, each including those before it: this machine, private networks, all but link-local
 * addresses and those of a cloud's metadata service, any.
 */
const reaches = ['loopback', 'private', 'routable', 'anywhere'] as const;

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

/** Why a connection was not made: the address is not one to which it may lead. Nothing was sent. */
export class RefusedAddress extends Error {
  override readonly name = 'RefusedAddress';
  readonly code = 'ADDRESS_REFUSED';

  constructor(host: string, address: string, reach: Reach) {
    const led = host === address ? address : `${host} leads to ${address}, which`;
    super(`${led} ${whereItIs(address, reach)}; no connection was made`);
  }

  /** How a run ends because of it. */
  get end(): RunEnd {
    return {
      reason: this.message,
      advice: 'Correct the address, or what its name resolves to; or add --allow-remote if the target is yours.',
    };
  }
}

function whereItIs(address: string, reach: Reach): string {
  if (!isWithin(address, 'routable')) return 'is a link-local address or one of a metadata service';
  return reach === 'loopback' ? 'is not on this machine' : 'is neither a loopback nor a private address';
}

/**
 * The refusal of an address that a host stands for, or has led to.
 *
 * @param address - an IP address; any other text is a name, about which nothing can be said yet
 */
export function refusal(host: string, address: string, access: Access): RefusedAddress | undefined {
  const { reach = 'private', onRefused } = access;
  if (isIP(address) === 0 || isWithin(address, reach)) return undefined;
  const refused = new RefusedAddress(host, address, reach);
  onRefused?.(refused);
  return refused;
}

/**
 * A `lookup` for `net.connect` whose answer is the decision: where one of the addresses is too far away, it fails. So the
 * connection leads where the decision was made about, whatever the name resolves to before or afterwards.
 */
export function decidingLookup(access: Access): LookupFunction {
  return (name, options, callback) => {
    // Made where a name is looked up, for most connections lead to an address.
    const decide = callbackify(() => decided(name, options, access));
    decide((error, addresses) => {
      const [first] = addresses ?? [];
      if (first === undefined) callback(error, '');
      else if (options.all === true) callback(null, [...addresses]);
      else callback(null, first.address, first.family);
    });
  };
}

/** @throws RefusedAddress where one of the addresses is too far away; what the resolver throws */
async function decided(name: string, { family, hints }: LookupOptions, access: Access) {
  const lookup: Lookup = access.lookup ?? systemLookup;
  const options = { ...(typeof family === 'number' && { family }), ...(hints !== undefined && { hints }) };
  const addresses = await lookup(name, { ...options, all: true });
  const refused = addresses.map(({ address }) => refusal(name, address, access)).find(Boolean);
  if (refused !== undefined) throw refused;
  if (addresses.length === 0) throw Object.assign(new Error(`${name} has no address`), { code: 'ENOTFOUND' });
  return addresses.map(({ address }) => ({ address, family: isIP(address) }));
}

/** Resolves a name to all its addresses. */
export type Lookup = (
  name: string,
  options: { readonly all: true; readonly family?: number; readonly hints?: number },
) => Promise<readonly { readonly address: string }[]>;

/** One of {@link reaches}. */
type Reach = (typeof reaches)[number];

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
