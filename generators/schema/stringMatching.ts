import { createContext, Script } from 'node:vm';

import fc, { type Arbitrary } from 'fast-check';

import { isRecord } from '../../spec/jsonSchema.ts';
import { probedFilter, UnsupportedSchema } from './schemaContext.ts';
import { isInterchangeable, text } from './text.ts';

/** Each takes milliseconds to make, and a contract asks for the same few again and again. */
const known = new Map<string, Arbitrary<string>>();

/**
 * For strings that match a regular expression of JSON Schema, and that I-JSON allows.
 *
 * @param pointer - where the expression stands, for the message of an error
 * @throws UnsupportedSchema for an expression for which no strings can be made, and for one that may search for ever
 * @example matching('^evt_[a-z]{8}$', '/properties/id/pattern')
 */
export function matching(pattern: string, pointer: string): Arbitrary<string> {
  const found = known.get(pattern);
  if (found !== undefined) return found;
  const made = probedFilter(matchingStrings(pattern, pointer), isInterchangeable, pointer, 'pattern');
  known.set(pattern, made);
  return made;
}

/** What cannot be made because of look-arounds is made without them, and then tried. */
function matchingStrings(pattern: string, pointer: string): Arbitrary<string> {
  const easier = withoutLookaround(pattern);
  try {
    const whole = new RegExp(pattern, 'u');
    const strings = easier === undefined ? fc.stringMatching(whole) : matching(easier, pointer);
    requireQuick(whole, strings, pointer);
    if (easier === undefined) return strings;
    return probedFilter(strings, (value) => whole.test(value), pointer, 'pattern');
  } catch (cause) {
    if (cause instanceof UnsupportedSchema) throw cause;
    const received = `'${pattern}' cannot be turned round (${cause instanceof Error ? cause.message : String(cause)})`;
    const advice = 'Write it in a simpler way, or list the values in an enum.';
    throw new UnsupportedSchema(pointer, 'pattern', received, advice, { cause });
  }
}

/** Milliseconds in which an expression has been tried on all samples. It takes one, even on a busy machine hardly more. */
const patience = 1000;

/**
 * Tries an expression on what has to match it, in a limited time: nothing else could end it. One with repetitions within
 * repetitions may search for years where a look-around does not match.
 *
 * @throws UnsupportedSchema where it takes too long
 */
function requireQuick(expression: RegExp, strings: Arbitrary<string>, pointer: string): void {
  const samples = samplesOf(strings);
  if (endsInTime(() => samples.filter((sample) => expression.test(sample)))) return;
  const longest = Math.max(...samples.map(({ length }) => length));
  const received = `'${expression.source}' takes more than ${patience / 1000} s on texts of up to ${longest} characters`;
  const advice = 'Repeat no group that itself repeats what it matches: (a+)+ is a+.';
  throw new UnsupportedSchema(pointer, 'pattern', received, advice);
}

const nearby = new Map<string, boolean>();

/** Whether an expression is soon done with texts that nearly match it, too. */
export function isQuickNearby(pattern: string): boolean {
  const quick = nearby.get(pattern) ?? endsNearby(pattern);
  nearby.set(pattern, quick);
  return quick;
}

function endsNearby(pattern: string): boolean {
  const expression = new RegExp(pattern, 'u');
  const near = samplesOf(textsLike(pattern)).flatMap((sample) => [
    sample.slice(0, -1),
    `${sample}x`,
    `${sample}\n`,
    ` ${sample}`,
  ]);
  return endsInTime(() => near.filter((sample) => expression.test(sample)));
}

/** Any text, where none can be made for the expression. */
function textsLike(pattern: string): Arbitrary<string> {
  try {
    return matching(pattern, '');
  } catch (error) {
    if (error instanceof UnsupportedSchema) return text();
    throw error;
  }
}

function samplesOf(strings: Arbitrary<string>): readonly string[] {
  return fc.sample(strings, { numRuns: 30, seed: 1 });
}

const realm = createContext({ task: undefined });
const script = new Script('task()');

/** Whether it ends by itself. Only a script of `node:vm` can be ended from outside while an expression searches. */
function endsInTime(task: () => void): boolean {
  realm['task'] = task;
  try {
    script.runInContext(realm, { timeout: patience });
    return true;
  } catch (error) {
    // It is no Error of this realm.
    if (isRecord(error) && error['code'] === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return false;
    throw error;
  } finally {
    realm['task'] = undefined;
  }
}

/**
 * The pattern without its look-arounds, for which strings can be made that have to be tried against the pattern itself.
 * Undefined where it has none.
 */
function withoutLookaround(pattern: string): string | undefined {
  let easier = '';
  for (let rest = pattern; rest !== '';) {
    const length = /^\(\?<?[=!]/.test(rest) ? groupLength(rest) : 0;
    const [token] = /^(\\.|\[(?:[^\]\\]|\\.)*\]|.)/su.exec(rest) ?? [rest];
    if (length === 0) easier += token;
    rest = rest.slice(length === 0 ? token.length : length);
  }
  return easier === pattern ? undefined : easier;
}

/** How long the group is that a text begins with. */
function groupLength(text: string): number {
  let depth = 0;
  for (const { 0: token, index } of text.matchAll(/\\.|\[(?:[^\]\\]|\\.)*\]|[()]/gsu)) {
    if (token === '(') depth += 1;
    if (token === ')') depth -= 1;
    if (depth === 0) return index + token.length;
  }
  return text.length;
}
