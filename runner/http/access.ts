import type { LookupOptions } from 'node:dns';
import { lookup as systemLookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { callbackify } from 'node:util';

import { isWithin, type Lookup, type Reach } from './address.ts';
import type { RunEnd } from '../engine/runEvents.ts';

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
}

/** How far `--allow-remote` lets the kit go. */
export function reachOf(allowRemote: boolean): Reach {
  return allowRemote ? 'anywhere' : 'private';
}

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
  const decide = callbackify((name: string, options: LookupOptions) => decided(name, options, access));
  return (name, options, callback) => {
    decide(name, options, (error, addresses) => {
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
