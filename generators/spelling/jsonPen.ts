import type { Json, JsonObject } from '../json/json.ts';

/** The way from the document to a value, innermost last. Undefined is the document itself. */
export type JsonPath = { readonly parent: JsonPath; readonly token: string | number } | undefined;

/** The members and items on the way, the outermost first. */
export function tokensOf(path: JsonPath): readonly (string | number)[] {
  const tokens: (string | number)[] = [];
  for (let step = path; step !== undefined; step = step.parent) tokens.unshift(step.token);
  return tokens;
}

/** Where white space may stand, relative to the value, member or item that the path names. */
export type Gap =
  | 'before-document'
  | 'after-document'
  | 'inside-empty'
  | 'before-name'
  | 'before-colon'
  | 'after-colon'
  | 'after-member'
  | 'before-item'
  | 'after-item';

/**
 * What decides how a value is spelled. `writeWith` calls it once for every place at which JSON leaves a choice, always
 * in the same order.
 */
export interface JsonPen {
  gap(gap: Gap, path: JsonPath): string;
  /** @param path - of the value, or of the member that the text is the name of */
  string(text: string, path: JsonPath, role: 'name' | 'value'): string;
  number(value: number, path: JsonPath): string;
  /** The order of an object's members, as indexes; undefined keeps it. */
  order(names: readonly string[], path: JsonPath): readonly number[] | undefined;
}

/** Writes a value as JSON text, with every choice made by the pen. */
export function writeWith(value: Json, pen: JsonPen): string {
  return pen.gap('before-document', undefined) + write(value, pen, undefined) + pen.gap('after-document', undefined);
}

function write(value: Json, pen: JsonPen, path: JsonPath): string {
  if (typeof value === 'string') return pen.string(value, path, 'value');
  if (typeof value === 'number') return pen.number(value, path);
  if (value === null || typeof value === 'boolean') return String(value);
  return Array.isArray(value) ? writeArray(value, pen, path) : writeObject(value as JsonObject, pen, path);
}

function writeArray(items: readonly Json[], pen: JsonPen, path: JsonPath): string {
  if (items.length === 0) return `[${pen.gap('inside-empty', path)}]`;
  const parts = items.map((item, token) => {
    const at = { parent: path, token };
    return pen.gap('before-item', at) + write(item, pen, at) + pen.gap('after-item', at);
  });
  return `[${parts.join(',')}]`;
}

function writeObject(object: JsonObject, pen: JsonPen, path: JsonPath): string {
  const names = Object.keys(object);
  if (names.length === 0) return `{${pen.gap('inside-empty', path)}}`;
  const order = pen.order(names, path);
  const parts = names.map((name) => writeMember(name, object[name] as Json, pen, { parent: path, token: name }));
  return `{${(order?.map((index) => parts[index]) ?? parts).join(',')}}`;
}

function writeMember(name: string, value: Json, pen: JsonPen, at: JsonPath): string {
  const left = pen.gap('before-name', at) + pen.string(name, at, 'name') + pen.gap('before-colon', at);
  return `${left}:${pen.gap('after-colon', at)}${write(value, pen, at)}${pen.gap('after-member', at)}`;
}

/** The ways in which a number can be spelled otherwise than by `JSON.stringify`. */
export const numberSpellings = ['fraction', 'exponent', 'signed', 'shifted'] as const;

export type NumberSpelling = (typeof numberSpellings)[number];

interface Parts {
  readonly sign: string;
  readonly integer: string;
  readonly fraction: string;
  readonly exponent: number;
  /** The exponent as it stands in the compact text, with its `e`; empty where there is none. */
  readonly suffix: string;
}

/**
 * Spells a finite number in another way that RFC 8259 allows. The decimal value stays exactly the same, so every parser
 * reads the same double, and the text always differs from that of `JSON.stringify`.
 *
 * @example
 * spellNumber(1, 'fraction') // '1.0'
 * spellNumber(1, 'exponent') // '1e0'
 * spellNumber(1, 'signed')   // '1E+0'
 * spellNumber(1, 'shifted')  // '10E-1'
 */
export function spellNumber(value: number, spelling: NumberSpelling): string {
  const compact = JSON.stringify(value);
  const parts = takeApart(compact);
  if (spelling === 'fraction') return `${parts.sign}${parts.integer}.${parts.fraction}0${parts.suffix}`;
  if (spelling === 'exponent') return withExponent(parts, compact);
  if (spelling === 'signed') return `${mantissaOf(parts)}E${parts.exponent < 0 ? '' : '+'}${parts.exponent}`;
  const digits = `${parts.integer}${parts.fraction}0`.replace(/^0+(?=\d)/, '');
  return `${parts.sign}${digits}E${parts.exponent - parts.fraction.length - 1}`;
}

function withExponent(parts: Parts, compact: string): string {
  const text = `${mantissaOf(parts)}e${parts.exponent}`;
  return text === compact ? text.replace('e', 'E') : text;
}

function mantissaOf({ sign, integer, fraction }: Parts): string {
  return fraction === '' ? `${sign}${integer}` : `${sign}${integer}.${fraction}`;
}

function takeApart(compact: string): Parts {
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(compact);
  if (match === null) throw new RangeError(`${compact} is no finite number: JSON has no other spelling of it.`);
  const [, sign = '', integer = '', fraction = '', exponent] = match;
  const suffix = exponent === undefined ? '' : `e${exponent}`;
  return { sign, integer, fraction, exponent: Number(exponent ?? 0), suffix };
}
