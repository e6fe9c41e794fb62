import type { CallOptions } from '../../serviceKit.ts';

/** A creation that is meant to do harm. */
export interface HostileBody {
  readonly name: string;
  /** Whether a right service may also take it: it is unusual, and the contract does not forbid it. */
  readonly taken: boolean;
  /**
   * The body made from the text of a valid one.
   *
   * @param scale - generated: how deep, how long, how many
   */
  readonly make: (text: string, scale: number) => string | Buffer;
  /** How the call differs in other things than its body. */
  readonly how?: CallOptions;
}

const bytesOfMebibyte = 1024 * 1024;

const malformed: readonly Omit<HostileBody, 'taken'>[] = [
  { name: 'a body that ends early', make: (text, scale) => text.slice(0, -1 - (scale % (text.length - 1))) },
  { name: 'an empty body', make: () => '' },
  { name: 'a comma before the last brace', make: (text) => text.replace(/\}$/, ',}') },
  { name: 'text behind the value', make: (text) => `${text} x` },
  { name: 'single quotes', make: (text) => text.replaceAll('"', "'") },
  { name: 'an unclosed string', make: (text) => text.replace(/\}$/, ',"x":"}') },
  { name: 'bytes that are no text', make: (_text, scale) => Buffer.alloc(scale + 8, 0x80) },
  { name: 'opening brackets without an end', make: (_text, scale) => '['.repeat(scale * 4 + 1) },
  { name: 'opening braces without an end', make: (_text, scale) => '{"data":'.repeat(scale * 4 + 1) },
];

const wrongTypes: readonly Omit<HostileBody, 'taken'>[] = [
  '[]',
  '"data"',
  'null',
  '7',
  'true',
  '[{"data":{}}]',
  '{"data":[]}',
].map((json) => ({ name: `${json} as the whole body`, make: () => json }));

const deep: readonly Omit<HostileBody, 'taken'>[] = [
  { name: 'nothing but nested arrays', make: (_text, scale) => nested(scale * 2 + 1) },
  { name: 'nested arrays in the place of the data', make: (_text, scale) => `{"data":${nested(scale * 2 + 1)}}` },
  {
    name: 'nested objects',
    make: (_text, scale) => `${'{"data":'.repeat(scale * 2 + 1)}1${'}'.repeat(scale * 2 + 1)}`,
  },
];

const unusual: readonly Omit<HostileBody, 'taken'>[] = [
  {
    name: 'a list of very many events',
    // A validator that names each of them takes a second for more.
    make: (text, scale) => withEvents(text, `${'"x",'.repeat(scale / 10)}"x"`),
  },
  // A refusal that shows what it refuses has to write it, and a log stores it.
  { name: 'half of a surrogate pair for an event', make: (text) => withEvents(text, '"\\ud800"') },
  { name: 'a NUL character for an event', make: (text) => withEvents(text, '"\\u0000"') },
  { name: 'a number beyond every range for an event', make: (text, scale) => withEvents(text, `1e${scale + 400}`) },
  { name: 'deep nesting in an unknown member', make: (text, scale) => withAttribute(text, 'x', nested(scale * 2 + 1)) },
  { name: 'a __proto__ member', make: (text) => withMember(text, '__proto__', poison(text)) },
  { name: 'a __proto__ member in the attributes', make: (text) => withAttribute(text, '__proto__', poison(text)) },
  {
    name: 'a constructor.prototype member',
    make: (text) => withMember(text, 'constructor', `{"prototype":${poison(text)}}`),
  },
  { name: 'an unknown member of several mebibytes', make: (text, scale) => withAttribute(text, 'x', long(scale)) },
  { name: 'half of a surrogate pair', make: (text) => withAttribute(text, 'x', '"\\ud800"') },
  { name: 'a NUL character', make: (text) => withAttribute(text, 'x', '"\\u0000"') },
  {
    name: 'bytes that are no UTF-8 in a string',
    make: (text) => Buffer.from(withAttribute(text, 'x', '"\u00ff"'), 'latin1'),
  },
  { name: 'the same member twice', make: (text) => withAttribute(withAttribute(text, 'x', '1'), 'x', '2') },
  { name: 'a number beyond every range', make: (text, scale) => withAttribute(text, 'x', `1e${scale + 400}`) },
  { name: 'a number of many digits', make: (text, scale) => withAttribute(text, 'x', '9'.repeat(scale + 20)) },
  { name: 'an empty member name', make: (text) => withAttribute(text, '', '0') },
  { name: 'very many members', make: (text, scale) => withAttribute(text, 'x', crowd(scale)) },
  { name: 'a byte order mark', make: (text) => `\ufeff${text}` },
  { name: 'a media type for text', make: (text) => text, how: { mediaType: 'text/plain' } },
  { name: 'a media type for forms', make: (text) => text, how: { mediaType: 'application/x-www-form-urlencoded' } },
  {
    name: 'a multipart media type without a boundary',
    make: (text) => text,
    how: { mediaType: 'multipart/form-data' },
  },
  { name: 'a malformed media type', make: (text) => text, how: { mediaType: ';;=/' } },
  { name: 'no media type', make: (text) => text, how: { mediaType: null } },
  { name: 'a compression that is none', make: (text) => text, how: { headers: [['Content-Encoding', 'gzip']] } },
];

/** Bodies that a right service refuses, and such as it may also take, but must live through. */
export const hostileBodies: readonly HostileBody[] = [
  ...[...malformed, ...wrongTypes, ...deep].map((each) => ({ ...each, taken: false })),
  ...unusual.map((each) => ({ ...each, taken: true })),
];

function nested(depth: number): string {
  return '['.repeat(depth) + ']'.repeat(depth);
}

/** From one to twelve mebibytes, in quotes. */
function long(scale: number): string {
  return `"${'x'.repeat(bytesOfMebibyte * (1 + (scale % 12)))}"`;
}

function crowd(count: number): string {
  return `{${Array.from({ length: count }, (_, n) => `"m${n}":0`).join()}}`;
}

/** Members that would change what the service reads from other bodies, were they to end up on a prototype. */
function poison(text: string): string {
  const names = new Set([...text.matchAll(/"([a-z_]+)":/g)].map(([, name]) => name));
  return `{${[...names, 'headers', 'secret'].map((name) => `"${name}":"${polluted}"`).join()}}`;
}

/** What stands in a body that poisons prototypes, and nowhere else. */
export const polluted = 'polluted';

/** The events are the one list in a plain creation. That they are refused is for another check to say. */
function withEvents(text: string, events: string): string {
  return text.replace(/\[[^\]]*\]/, () => `[${events}]`);
}

function withMember(text: string, name: string, value: string): string {
  return text.replace(/\}$/, () => `,${JSON.stringify(name)}:${value}}`);
}

/** Puts a member beside the others of the innermost object, in front of them: theirs count where it is there twice. */
function withAttribute(text: string, name: string, value: string): string {
  const at = text.lastIndexOf('{') + 1;
  return `${text.slice(0, at)}${JSON.stringify(name)}:${value},${text.slice(at)}`;
}
