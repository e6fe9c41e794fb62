import type { Json } from '../../generators/json/json.ts';
import type { Call } from '../exchange.ts';
import type { ServiceKit } from '../serviceKit.ts';

/** An IP address, or a block of them (CIDR, RFC 4632 and 4291). */
export interface AddressBlock {
  readonly version: 4 | 6;
  /** Its bits, as a number. */
  readonly bits: bigint;
  /** How many leading bits all its addresses share. */
  readonly prefix: number;
}

/** Reads an address (`192.0.2.1`, `2001:db8::1`) or a block (`192.0.2.0/24`); nothing where the text is neither. */
export function parseBlock(text: string): AddressBlock | undefined {
  const [, address = '', length] = /^([\da-fA-F:.]+)(?:\/(\d{1,3}))?$/.exec(text.trim()) ?? [];
  const parsed = address.includes(':') ? parseSix(address) : parseFour(address);
  if (parsed === undefined) return undefined;
  const most = parsed.version === 4 ? 32 : 128;
  const prefix = length === undefined ? most : Number(length);
  return prefix <= most ? { ...parsed, prefix } : undefined;
}

/** Whether the address, or the whole block, lies in the other block. */
export function isWithin(address: AddressBlock, block: AddressBlock): boolean {
  const width = BigInt((block.version === 4 ? 32 : 128) - block.prefix);
  const isSameVersion = address.version === block.version && address.prefix >= block.prefix;
  return isSameVersion && address.bits >> width === block.bits >> width;
}

/** Loopback, private and link-local blocks (RFC 6890). */
const local = [
  '127.0.0.0/8',
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '169.254.0.0/16',
  '::1',
  'fc00::/7',
  'fe80::/10',
];
const localBlocks = local.flatMap((text) => parseBlock(text) ?? []);

/** Whether the address cannot be seen from elsewhere. */
export function isLocal(address: AddressBlock): boolean {
  return localBlocks.some((block) => isWithin(address, block));
}

function parseFour(text: string): Omit<AddressBlock, 'prefix'> | undefined {
  const parts = text.split('.');
  if (parts.length !== 4 || !parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256))
    return undefined;
  return { version: 4, bits: parts.reduce((bits, part) => (bits << 8n) | BigInt(part), 0n) };
}

/** An IPv4 address within an IPv6 address (`::ffff:192.0.2.1`) is read as what it stands for. */
function parseSix(text: string): Omit<AddressBlock, 'prefix'> | undefined {
  const mapped = /^::ffff:([\d.]+)$/i.exec(text)?.[1];
  if (mapped !== undefined) return parseFour(mapped);
  const [head = '', tail, ...more] = text.split('::');
  if (more.length > 0) return undefined;
  const groups = (part: string | undefined): readonly string[] => (part ? part.split(':') : []);
  const [left, right] = [groups(head), groups(tail)];
  const missing = 8 - left.length - right.length;
  if (tail === undefined ? missing !== 0 : missing < 1) return undefined;
  const all = [...left, ...Array.from({ length: missing }, () => '0'), ...right];
  if (!all.every((group) => /^[\da-f]{1,4}$/i.test(group))) return undefined;
  return { version: 6, bits: all.reduce((bits, group) => (bits << 16n) | BigInt(`0x${group}`), 0n) };
}

/** Every text in an answer that reads as an IP address or as a block of them (CIDR), wherever it stands. */
export function addressesIn(call: Call, kit: Pick<ServiceKit, 'json'>): readonly string[] {
  const json = kit.json(call);
  const texts = json !== undefined ? textsIn(json) : call.answer.kind === 'answered' ? words(call.answer.body) : [];
  return texts.filter((text) => parseBlock(text) !== undefined);
}

function textsIn(value: Json): readonly string[] {
  if (typeof value === 'string') return words(value);
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap((each: Json) => textsIn(each)) : [];
}

function words(text: string): readonly string[] {
  return text.split(/[\s,;]+/).filter((word) => word !== '');
}
