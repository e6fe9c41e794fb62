import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { loadAll, YAMLException } from 'js-yaml';

import { ContractError } from './contractError.ts';
import { isRecord } from './jsonSchema.ts';
import { usualDepth } from './parseJson.ts';
import { messageOf } from './messageOf.ts';

/**
 * Reads a YAML text whose root is a mapping.
 *
 * @param name - the file's name, for the message
 * @throws ContractError (`contract/unreadable`) for broken YAML, a repeated key or another kind of root
 */
export function readYaml(name: string, text: string): Readonly<Record<string, unknown>> {
  const shipped = shippedValue(text);
  const value: unknown = shipped === undefined ? parseText(name, text) : JSON.parse(shipped);
  if (isRecord(value)) return value;
  throw new ContractError(
    'contract/unreadable',
    `${name} holds ${kindOf(value)} at its root; a mapping is expected. Begin each line at its left edge with the name of a member and a colon.`,
  );
}

function parseText(name: string, text: string): unknown {
  try {
    return parseYaml(text);
  } catch (cause) {
    throw new ContractError(
      'contract/unreadable',
      `${name} is not readable YAML: ${messageOf(cause).replace(/\.?$/, '.')} Correct that place and load it again.`,
      { cause },
    );
  }
}

function kindOf(value: unknown): string {
  if (value === null) return 'nothing';
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`;
}

/** How many values a text may stand for once its aliases are written out: a few lines of them can stand for billions. */
const mostValues = 1_000_000;

/**
 * The value that a text of YAML 1.2 holds (every JSON text is one); `null` where it holds nothing, or comments alone.
 *
 * @throws SyntaxError for broken YAML, a repeated key, an unknown tag, several documents, for what nests deeper than 256 levels, for
 *   aliases that lead back to themselves or stand for more than a million values, and for half of a character
 */
export function parseYaml(text: string): unknown {
  const [value = null, ...others] = documentsOf(text);
  if (others.length > 0) throw new SyntaxError(`it holds ${others.length + 1} documents, one is expected`);
  if (isDeep(value)) throw tooDeep();
  if (valuesIn(value) > mostValues)
    throw new SyntaxError(`its aliases stand for more than ${mostValues} values, or for themselves`);
  if (holdsHalfCharacters(value, text))
    throw new SyntaxError('it writes half of a character, \\ud800 to \\udfff without the other half');
  return value;
}

/** Escapes of JSON and YAML can write half of a character, which no UTF-8 text and no URL can hold. */
export function holdsHalfCharacters(value: unknown, text: string): boolean {
  return /\\u/i.test(text) && !isWellFormed(value);
}

function isWellFormed(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([name, member]) => name.isWellFormed() && isWellFormed(member));
}

function documentsOf(text: string): readonly unknown[] {
  try {
    return loadAll(text);
  } catch (cause) {
    if (cause instanceof RangeError) throw tooDeep(cause);
    if (!(cause instanceof YAMLException)) throw cause;
    throw new SyntaxError(described(cause), { cause });
  }
}

function tooDeep(cause?: RangeError): SyntaxError {
  return new SyntaxError(`its values nest deeper than ${usualDepth} levels`, { cause });
}

/** Whether values nest too deeply for whatever walks through them. What an alias stands for counts where it stands first. */
function isDeep(root: unknown): boolean {
  const known = new Set<object>();
  let level = [root];
  for (let depth = 0; level.length > 0; depth += 1) {
    const inner = level.filter((value) => typeof value === 'object' && value !== null && !known.has(value)) as object[];
    for (const value of inner) known.add(value);
    if (inner.length > 0 && depth >= usualDepth) return true;
    level = inner.flatMap((value) => Object.values(value) as unknown[]);
  }
  return false;
}

/** The place alone: the lines around it may hold what is secret. */
function described({ reason, mark }: YAMLException): string {
  return mark === undefined ? reason : `${reason} at line ${mark.line + 1}, column ${mark.column + 1}`;
}

/** An alias is the very value that it stands for, so that each is counted once and added as often as it stands there. */
function valuesIn(value: unknown, counted = new Map<unknown, number>()): number {
  if (typeof value !== 'object' || value === null) return 1;
  const known = counted.get(value);
  if (known !== undefined) return known;
  counted.set(value, Infinity);
  const count = Object.values(value).reduce<number>((sum, each) => sum + valuesIn(each, counted), 1);
  counted.set(value, count);
  return count;
}

/** Where `npm run build:assets` writes what the YAML files of `spec/` hold: JSON texts by {@link digestOf} their YAML text. */
export const shippedValuesFile = join(import.meta.dirname, 'shippedValues.json');

let values: Readonly<Record<string, string>> | undefined;

/**
 * What a YAML text that ships with the kit holds, without reading the YAML again: that takes most of a start. A text that
 * differs by one byte is not known here, so that nothing can be out of date.
 *
 * @returns JSON; nothing for any other text, and in a clone without `npm run build:assets`
 */
export function shippedValue(text: string): string | undefined {
  values ??= read();
  return values[digestOf(text)];
}

/** By what a text is known. */
export function digestOf(text: string): string {
  return hash('sha256', text);
}

function read(): Readonly<Record<string, string>> {
  try {
    return JSON.parse(readFileSync(shippedValuesFile, 'utf8')) as Readonly<Record<string, string>>;
  } catch {
    return {};
  }
}
