import type { Json } from '../../generators/json/json.ts';
import { valueAt } from '../../generators/json/jsonPointer.ts';
import { type DeliveryTerms, idText } from '../../spec/delivery.ts';
import type { Location } from '../../spec/location.ts';
import type { Header } from '../../suites/delivery.ts';
import { parsed } from './answers.ts';
import { valueOf } from './signatures.ts';

/** What is read of a delivery that was caught. */
interface Read {
  readonly headers: readonly Header[];
  readonly body: Buffer;
}

/** The text, or the whole number as one, at a place of a delivery; empty where nothing is placed there, or no text stands there. */
export function textAt({ headers, body }: Read, location: Location | undefined): string {
  if (location === undefined) return '';
  if (location.in === 'header') return valueOf(headers, location.name) ?? '';
  const known = knownTexts.get(body) ?? new Map<string, string>();
  knownTexts.set(body, known);
  const text = known.get(location.pointer) ?? textIn(body, location.pointer);
  known.set(location.pointer, text);
  return text;
}

/** The texts that were read of a body: each is asked for several times, and to read all of the body takes longest. */
const knownTexts = new WeakMap<Buffer, Map<string, string>>();

function textIn(body: Buffer, pointer: string): string {
  const value = bodyJson(body);
  const found = value === undefined ? undefined : valueAt(value, pointer);
  return idText(found) ?? '';
}

/** A body as JSON; nothing where it is none. Several parts of a body are asked for in turn: the last one read is kept. */
export function bodyJson(body: Buffer): Json | undefined {
  if (lastRead?.body !== body) lastRead = { body, value: parsed(body.toString()) };
  return lastRead.value;
}

let lastRead: { readonly body: Buffer; readonly value: Json | undefined } | undefined;

/** A member of a delivery; nothing where the contract places none, or it is not there. */
export function memberAt(
  { headers, body }: Read,
  { id, event, members }: DeliveryTerms,
  member: keyof DeliveryTerms['members'],
): Json | undefined {
  const location = { id: id?.at, event }[member as 'id' | 'event'];
  if (location?.in === 'header') return valueOf(headers, location.name);
  const pointer = members[member];
  const value = pointer === undefined ? undefined : bodyJson(body);
  return value === undefined || pointer === undefined ? undefined : valueAt(value, pointer);
}
