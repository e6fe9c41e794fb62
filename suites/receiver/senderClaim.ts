import type { Header } from '../delivery.ts';

/** Headers in which proxies, networks and servers say where a request came from. */
export const senderHeaders = [
  'X-Forwarded-For',
  'X-Real-IP',
  'X-Client-IP',
  'True-Client-IP',
  'CF-Connecting-IP',
  'Fastly-Client-IP',
  'Fly-Client-IP',
  'X-Cluster-Client-IP',
  'X-Azure-ClientIP',
  'X-Envoy-External-Address',
  'X-Original-Forwarded-For',
  'X-Originating-IP',
  'X-Remote-IP',
  'X-Remote-Addr',
  'Proxy-Client-IP',
  'Client-IP',
  'X-Forwarded',
  'Forwarded-For',
  'X-Forwarded-Host',
  'X-Host',
] as const;

/** How an address is written in such a header; `other` is the address that the delivery really comes from. */
export const spellings: Readonly<Record<string, (address: string, other: string) => string>> = {
  alone: (address) => address,
  'first of a list': (address, other) => `${address}, ${other}`,
  'last of a list': (address, other) => `${other}, ${address}`,
  'with a port': (address) => `${bracketed(address)}:4711`,
  'within IPv6': mapped,
  twice: (address) => `${address}, ${address}`,
};

/** The same in the header of RFC 7239. */
export const standardSpellings: Readonly<Record<string, (address: string, other: string) => string>> = {
  alone: (address) => `for=${node(address)}`,
  'with a port': (address) => `for="${bracketed(address)}:4711"`,
  'within IPv6': (address) => `for="[${mapped(address)}]"`,
  'first of a list': (address, other) => `for=${node(address)}, for=${node(other)}`,
  'last of a list': (address, other) => `for=${node(other)};proto=https, for=${node(address)};proto=https`,
};

/** A claim about the sender, as data: which headers hold it, and how the address is written in them. */
export interface Claim {
  readonly headers: readonly string[];
  readonly spelling: string;
}

/** The header of RFC 7239. */
export const standard = 'Forwarded';

/** The headers that claim that a delivery comes from `address`, while it comes from `other`. */
export function claimHeaders({ headers, spelling }: Claim, address: string, other: string): readonly Header[] {
  return headers.map((name) => {
    const write = (name === standard ? standardSpellings : spellings)[spelling] ?? ((plain) => plain);
    return [name, write(address, other)];
  });
}

function mapped(address: string): string {
  return address.includes(':') ? address : `::ffff:${address}`;
}

function bracketed(address: string): string {
  return address.includes(':') ? `[${address}]` : address;
}

function node(address: string): string {
  return address.includes(':') ? `"[${address}]"` : address;
}
