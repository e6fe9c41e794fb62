import { isAbsolute, resolve } from 'node:path';

import { isShippedContract, shippedContracts } from '../../spec/shippedContracts.ts';
import type { Shard } from '../../reports/model/selectionEvents.ts';
import type { Header } from '../../suites/delivery.ts';
import type { TrackedNumber } from '../../suites/service/trackingBody.ts';

/** A value that an option cannot have; `valid` says what it can. Anyone who knows the option's name adds it. */
export class BadValue extends Error {
  override readonly name = 'BadValue';
  readonly valid: string;
  constructor(received: string, valid: string) {
    super(received);
    this.valid = valid;
  }
}

/** A number that can be tracked, after the code of who issued it: `ACME:1234`. */
export const trackedKind: OptionKind<readonly TrackedNumber[]> = several({
  placeholder: '<ISSUER:NUMBER>',
  valid: 'the code of who issued a number, and the number, with a colon between them, such as ACME:1234',
  read: (text) => {
    const [, issuer, number] = /^([^:\s]+):(\S+)$/.exec(text) ?? [];
    return issuer === undefined || number === undefined ? undefined : { issuer, number };
  },
});

/** Where to listen: `127.0.0.1:4020`, `[::1]:4020`, port 0 for any that is free. */
export const listenKind: OptionKind<{ readonly host: string; readonly port: number }> = scalar({
  placeholder: '<host:port>',
  valid: 'an address and a port, such as 0.0.0.0:4020 (port 0: any that is free)',
  read: (text) => {
    const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:[\]]+)):(\d{1,5})$/.exec(text) ?? [];
    const host = bracketed ?? plain;
    return host === undefined || Number(port) > 65_535 ? undefined : { host, port: Number(port) };
  },
});

/**
 * What an option's value looks like, the same for the command line, the environment and the config file: all three
 * come down to texts, and `read` makes the value of them.
 *
 * @typeParam Value - what the program gets
 */
export interface OptionKind<Value> {
  /** Stands after the flag in help (`<duration>`); nothing for a switch. */
  readonly placeholder: string | undefined;
  /** Whether it may be given more than once. */
  readonly repeatable: boolean;
  /** What is valid, in plain words. */
  readonly valid: string;
  /** JSON Schema of the value in a config file. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** @throws BadValue */
  read(texts: readonly string[]): Value;
  /** The texts that a value of the config file stands for; `directory` is the file's own. */
  texts(value: unknown, directory: string): readonly string[];
}

interface ScalarDescription<Value> {
  readonly placeholder: string;
  readonly valid: string;
  readonly schema?: Readonly<Record<string, unknown>>;
  /** Nothing where the text cannot be read. */
  readonly read: (text: string) => Value | undefined;
  /** Makes a text of the config file absolute. */
  readonly locate?: (text: string, directory: string) => string;
}

/** One value; where an option is given twice, the last one counts. */
export function scalar<Value>(description: ScalarDescription<Value>): OptionKind<Value> {
  const { placeholder, valid, schema = { type: 'string' }, locate = (text: string): string => text } = description;
  return {
    placeholder,
    repeatable: false,
    valid,
    schema,
    read: (texts) => readOne(texts.at(-1) ?? '', description),
    texts: (value, directory) => [locate(String(value), directory)],
  };
}

/** The same, repeatable: the values in the order given. A config file may hold one or an array. */
export function several<Value>(description: ScalarDescription<Value>): OptionKind<readonly Value[]> {
  const { placeholder, valid, schema = { type: 'string' }, locate = (text: string): string => text } = description;
  return {
    placeholder,
    repeatable: true,
    valid,
    schema: { anyOf: [schema, { type: 'array', items: schema }] },
    read: (texts) => texts.map((text) => readOne(text, description)),
    texts: (value, directory) => [value].flat().map((item) => locate(String(item), directory)),
  };
}

function readOne<Value>(text: string, { read, valid }: ScalarDescription<Value>): Value {
  const value = read(text);
  if (value === undefined) throw new BadValue(text, valid);
  return value;
}

function filled(text: string): string | undefined {
  return text === '' ? undefined : text;
}

function located(path: string, directory: string): string {
  return isAbsolute(path) ? path : resolve(directory, path);
}

/** On where it is given. */
export const switchKind: OptionKind<boolean> = {
  placeholder: undefined,
  repeatable: false,
  valid: 'true or false',
  schema: { type: 'boolean' },
  read: (texts) => texts.at(-1) === 'true',
  texts: (value) => [String(value)],
};

/** Any text but the empty one. */
export function textKind(placeholder: string, valid: string): OptionKind<string> {
  return scalar({ placeholder, valid, read: filled });
}

/** Any texts but empty ones. */
export function textsKind(placeholder: string, valid: string): OptionKind<readonly string[]> {
  return several({ placeholder, valid, read: filled });
}

/** A URL or a shell command. An address without its scheme would be run as a command that nobody meant. */
export function urlOrCommandKind(valid: string): OptionKind<string> {
  return scalar({
    placeholder: '<url or command>',
    valid,
    read: (text) => (/^(?:localhost|[\w.-]+:\d{2,5})(?:\/\S*)?$/i.test(text) ? undefined : filled(text)),
  });
}

/** Texts with commas between them, and repeatable. */
export function commaListKind(placeholder: string, valid: string): OptionKind<readonly string[]> {
  const lists = several({
    placeholder,
    valid,
    read: (text) => {
      const parts = text.split(',').map((part) => part.trim());
      return parts.includes('') ? undefined : parts;
    },
  });
  return { ...lists, read: (texts) => lists.read(texts).flat() };
}

/** One of a few words. */
export function choiceKind<const Choice extends string>(
  placeholder: string,
  choices: readonly Choice[],
): OptionKind<Choice> {
  return scalar({
    placeholder,
    valid: choices.join(', '),
    schema: { enum: choices },
    read: (text) => choices.find((choice) => choice === text),
  });
}

/** A whole number between two bounds, both included. */
export function integerKind(least: number, most: number): OptionKind<number> {
  return scalar({
    placeholder: '<n>',
    valid: `a whole number from ${least} to ${most}`,
    schema: { type: 'integer' },
    read: (text) => (/^\d+$/.test(text) && Number(text) >= least && Number(text) <= most ? Number(text) : undefined),
  });
}

/** One of several parts: `2/3`. */
export const shardKind: OptionKind<Shard> = scalar({
  placeholder: '<i>/<n>',
  valid: 'a part and the number of parts, such as 1/3, 2/3 and 3/3',
  read: (text) => {
    const [, index = 0, count = 0] = (/^(\d{1,4})\/(\d{1,4})$/.exec(text) ?? []).map(Number);
    return index >= 1 && index <= count ? { index, count } : undefined;
  },
});

/** A number above zero. */
export const positiveKind: OptionKind<number> = scalar({
  placeholder: '<n/s>',
  valid: 'a number above 0',
  schema: { type: 'number' },
  read: (text) => {
    const number = Number(text.replace(/\/s$/, ''));
    return text.trim() !== '' && number > 0 && Number.isFinite(number) ? number : undefined;
  },
});

/** A file's path; in a config file it is relative to that file. */
export const pathKind: OptionKind<string> = scalar({
  placeholder: '<file>',
  valid: 'the path of a file',
  read: filled,
  locate: located,
});

/** The name of a contract that ships with the kit, or a path; in a config file a path is relative to that file. */
export const contractKind: OptionKind<string> = scalar({
  placeholder: '<name|file>',
  valid: `${shippedContracts.join(', ')}, or the path of a contract.yaml`,
  read: filled,
  locate: (text, directory) => (isShippedContract(text) ? text : located(text, directory)),
});

/** A document's path, or `npm:` and its path in a package; in a config file a path is relative to that file. */
export const documentKind: OptionKind<string> = scalar({
  placeholder: '<file>',
  valid: 'the path of an OpenAPI document, or npm:<package>/<path>',
  read: filled,
  locate: (text, directory) => (text.startsWith('npm:') ? text : located(text, directory)),
});

/** A folder's path; in a config file it is relative to that file. */
export const folderKind: OptionKind<string> = scalar({
  placeholder: '<folder>',
  valid: 'the path of a folder',
  read: filled,
  locate: located,
});

/** What belongs to the connection, and to the bytes of the body as they are sent: only who sends them can know it. */
const framing = /^(?:content-length|transfer-encoding|connection|keep-alive|te|trailer|upgrade|expect)$/i;

/** An HTTP header as `name: value`. */
export const headersKind: OptionKind<readonly Header[]> = several({
  placeholder: '<name: value>',
  valid:
    'a header as "name: value", the name of letters, digits and hyphens, and none that the connection has, such as Content-Length',
  read: (text) => {
    const [, name, value] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([\t\x20-\x7e\x80-\xff]*)$/.exec(text) ?? [];
    if (name === undefined || value === undefined || framing.test(name)) return undefined;
    return [name, value.trim()] as const;
  },
});

/** Where a report goes: a format, and a file unless it is for standard output. */
export interface ReportTarget {
  readonly format: string;
  readonly path?: string;
}

/** `format` or `format=path`. Which formats there are is not known here. */
export const reportsKind: OptionKind<readonly ReportTarget[]> = several({
  placeholder: '<format[=path]>',
  valid: 'a format, or a format with the path of a file: json=report.json',
  read: (text) => {
    const [, format, path] = /^([^=]+)(?:=(.+))?$/s.exec(text) ?? [];
    if (format === undefined) return undefined;
    return path === undefined ? { format } : { format, path };
  },
  locate: (text, directory) => text.replace(/=(.+)$/s, (_, path: string) => `=${located(path, directory)}`),
});

/** `key=value` pairs; a later one for the same key wins. In a config file an object. */
export const pairsKind: OptionKind<Readonly<Record<string, string>>> = {
  placeholder: '<key=value>',
  repeatable: true,
  valid: 'a key and a value with = between them',
  schema: { type: 'object', additionalProperties: { type: ['string', 'number', 'boolean'] } },
  read: (texts) => Object.fromEntries(texts.map(readPair)),
  texts: (value) => Object.entries(value as object).map(([key, item]) => `${key}=${String(item)}`),
};

/**
 * The same, and `@file` for the pairs in a file: its value is empty. A config file has an object, or one or an array of such
 * texts; a path in them is relative to that file.
 */
export const assumptionsKind: OptionKind<Readonly<Record<string, string>>> = {
  ...pairsKind,
  valid: 'a key and a value with = between them: signature.header=X-Signature; or @ and the file that --learn wrote',
  schema: { anyOf: [pairsKind.schema, { type: 'string' }, { type: 'array', items: { type: 'string' } }] },
  texts: (value, directory) =>
    [value as string | object | readonly string[]].flat().flatMap((item) => {
      if (typeof item !== 'string') return pairsKind.texts(item, directory);
      return item.startsWith('@') ? `@${located(item.slice(1), directory)}` : item;
    }),
};

function readPair(text: string): readonly [string, string] {
  if (/^@./.test(text)) return [text, ''];
  const [, key, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (key === undefined || value === undefined) throw new BadValue(text, assumptionsKind.valid);
  return [key, value];
}
