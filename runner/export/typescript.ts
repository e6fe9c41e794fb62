import { jsonLine } from '../../reports/text/jsonText.ts';
import { commentLines } from './commentLines.ts';

/** Source of a TypeScript module; nothing outside this file makes it of text. */
class TypeScript {
  readonly #source: string;

  constructor(source: string) {
    this.#source = source;
  }

  toString(): string {
    return this.#source;
  }
}

export type { TypeScript };

/**
 * A piece of TypeScript. Whatever is filled in is data, and stands there as a literal; other pieces, or a list of them one below
 * the other, stand as they are.
 *
 * @example typescript`const url = ${url};` // a string, whatever the url is
 */
export function typescript(parts: TemplateStringsArray, ...values: readonly unknown[]): TypeScript {
  return new TypeScript(String.raw({ raw: parts }, ...values.map(filledIn)));
}

/** Comments of a line each, broken where they are long (see `commentLines`). */
export function comment(texts: readonly string[]): TypeScript {
  return new TypeScript(texts.flatMap((text) => commentLines(text, '//')).join('\n'));
}

/** The name of a member or a variable. @throws TypeError where it is none */
export function identifier(name: string): TypeScript {
  if (!/^[a-z_$][\w$]*$/i.test(name)) throw new TypeError(`${JSON.stringify(name)} is no identifier.`);
  return new TypeScript(name);
}

function filledIn(value: unknown): string {
  if (value instanceof TypeScript) return value.toString();
  const pieces = Array.isArray(value) ? value.filter((item) => item instanceof TypeScript) : [];
  return Array.isArray(value) && pieces.length === value.length ? pieces.join('\n') : literal(value);
}

/** Of an object a line for each member, and for each object in a list that a member is. */
function literal(value: unknown): string {
  if (!isObject(value)) return compact(value);
  const members = membersOf(value).map(([name, member]) => {
    const listed = Array.isArray(member) && member.length > 0 && member.every(isObject);
    const list = listed ? `[\n${member.map((item) => `    ${compact(item)},\n`).join('')}  ]` : compact(member);
    return `  ${/^[a-z]\w*$/i.test(name) ? name : key(name)}: ${list},\n`;
  });
  return `{\n${members.join('')}}`;
}

function compact(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(compact).join(',')}]`;
  if (!isObject(value)) return jsonLine(value ?? null).trimEnd();
  return `{${membersOf(value)
    .map(([name, member]) => `${key(name)}:${compact(member)}`)
    .join(',')}}`;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function membersOf(value: object): readonly (readonly [string, unknown])[] {
  return Object.entries(value).filter(([, member]) => member !== undefined);
}

/** Without the brackets this one name would set the prototype. */
function key(name: string): string {
  return name === '__proto__' ? '["__proto__"]' : jsonLine(name).trimEnd();
}
