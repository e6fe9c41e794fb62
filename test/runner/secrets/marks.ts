import { createHash } from 'node:crypto';

/** A secret that no text holds by chance, the same one for the same name. */
export function markOf(name: string): string {
  const digits = createHash('sha256')
    .update(name)
    .digest('base64')
    .replaceAll(/[^A-Za-z\d]/g, '');
  return `q7Z${digits.slice(0, 19)}`;
}

/** So many characters of a secret give it away. */
const part = 8;

/** What a target may make of a secret that it knows, and of a part of one. */
export const echoes: Readonly<Record<string, (mark: string) => string>> = {
  plain: (mark) => mark,
  'percent-encoded': (mark) => Array.from(mark, (each) => `%${hexOf(each)}`).join(''),
  'escaped for JSON': (mark) => Array.from(mark, (each) => `\\u00${hexOf(each)}`).join(''),
  'escaped for HTML': (mark) => Array.from(mark, (each) => `&#${each.charCodeAt(0)};`).join(''),
  base64: (mark) => Buffer.from(mark).toString('base64'),
  'base64 behind a user': (mark) => Buffer.from(`me:${mark}`).toString('base64'),
  hexadecimal: hexOf,
  'in upper case': (mark) => hexOf(mark).toUpperCase(),
  reversed,
  'reversed in base64': (mark) => Buffer.from(reversed(mark)).toString('base64'),
  'its beginning': (mark) => mark.slice(0, part),
  'its middle': (mark) => mark.slice(5, 5 + part),
  'its end': (mark) => mark.slice(-part),
  'its middle in base64': (mark) => Buffer.from(mark.slice(6, 6 + part)).toString('base64'),
  'its middle in hexadecimal': (mark) => hexOf(mark.slice(7, 7 + part)),
  'its middle percent-encoded': (mark) => echoes['percent-encoded']!(mark.slice(4, 4 + part)),
  'its middle reversed': (mark) => reversed(mark.slice(4, 4 + part)),
  'as upper case': (mark) => mark.toUpperCase(),
  'as lower case': (mark) => mark.toLowerCase(),
  'with spaces': (mark) => Array.from(mark).join(' '),
  'with dashes': (mark) => Array.from(mark).join('-'),
  'one character an entry': (mark) => JSON.stringify(Array.from(mark)),
  'base64 of base64': (mark) => base64(base64(mark)),
  'base64 of hexadecimal': (mark) => base64(hexOf(mark)),
  'hexadecimal of base64': (mark) => hexOf(base64(`u:${mark}`)),
};

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

function hexOf(text: string): string {
  return Buffer.from(text).toString('hex');
}

function reversed(text: string): string {
  return Array.from(text).toReversed().join('');
}

/** Every stretch that gives a mark away, by its length; in lower case. */
function stretches(marks: readonly string[]): ReadonlyMap<number, ReadonlyMap<string, string>> {
  const known = new Map<number, Map<string, string>>();
  const add = (text: string, length: number, mark: string): void => {
    const those = known.get(length) ?? new Map<string, string>();
    known.set(length, those);
    for (let at = 0; at + length <= text.length; at += 1) those.set(text.slice(at, at + length).toLowerCase(), mark);
  };
  for (const mark of marks) {
    for (const text of [mark, reversed(mark)]) {
      add(text, part, mark);
      add(hexOf(text), part * 2, mark);
      for (const digits of base64Within(hexOf(text))) add(digits, 20, mark);
      for (const digits of base64Within(text)) {
        // A stretch of eight bytes has nine digits that are of nothing else.
        add(digits, 9, mark);
        add(hexOf(digits), 20, mark);
        for (const again of base64Within(digits)) add(again, 14, mark);
      }
    }
  }
  return known;
}

/** The digits that are of nothing else, wherever it stands in what was encoded. */
function base64Within(text: string): readonly string[] {
  return [0, 1, 2].map((before) => {
    const digits = base64(`${'\0'.repeat(before)}${text}`);
    return digits.slice(Math.ceil((before * 8) / 6), Math.floor(((before + text.length) * 8) / 6));
  });
}

/** A text, the same without escapes, and without what may stand between characters; in lower case. */
function readings(text: string): readonly string[] {
  const plain = text.replaceAll(
    /%([\da-f]{2})|\\+u00([\da-f]{2})|&(?:amp;)?#(\d+);/gi,
    (_, percent?: string, unicode?: string, decimal?: string) =>
      String.fromCharCode(decimal === undefined ? Number.parseInt(percent ?? unicode ?? '', 16) : Number(decimal)),
  );
  const together = plain.replaceAll(/[\s",\\-]|&quot;/g, '');
  return [...new Set([text, plain, together])].map((reading) => reading.toLowerCase());
}

/** Looks for marks in texts. @returns where one was found, what it was, and what stands there; the first of each text */
export function leaksIn(
  texts: ReadonlyMap<string, string>,
  marks: Readonly<Record<string, string>>,
): readonly string[] {
  const nameOf = new Map(Object.entries(marks).map(([name, mark]) => [mark, name]));
  const { known, mayBegin } = telltalesOf(marks);
  return [...texts].flatMap(([place, text]) => {
    for (const reading of readings(text)) {
      for (let at = 0; at < reading.length; at += 1) {
        if (mayBegin[beginningAt(reading, at)] === 0) continue;
        for (const [length, those] of known) {
          const mark = those.get(reading.slice(at, at + length));
          if (mark === undefined) continue;
          return [`${place} shows ${nameOf.get(mark)}: ${reading.slice(Math.max(0, at - 60), at + 60)}`];
        }
      }
    }
    return [];
  });
}

/** What gives marks away. */
interface Telltales {
  readonly known: ReadonlyMap<number, ReadonlyMap<string, string>>;
  readonly mayBegin: Uint8Array;
}

/** A file of tests looks for the same marks in hundreds of texts. */
const telltales = new WeakMap<object, Telltales>();

function telltalesOf(marks: Readonly<Record<string, string>>): Telltales {
  const before = telltales.get(marks);
  if (before !== undefined) return before;
  const known = stretches(Object.values(marks));
  const made = { known, mayBegin: beginnings(known) };
  telltales.set(marks, made);
  return made;
}

/** Which first four characters a stretch has: most places of a text are none, and need no further look. */
function beginnings(known: ReadonlyMap<number, ReadonlyMap<string, string>>): Uint8Array {
  const those = new Uint8Array(2 ** 20);
  for (const each of known.values()) for (const stretch of each.keys()) those[beginningAt(stretch, 0)] = 1;
  return those;
}

function beginningAt(text: string, at: number): number {
  const [one, two] = [text.charCodeAt(at), text.charCodeAt(at + 1)];
  const [three, four] = [text.charCodeAt(at + 2), text.charCodeAt(at + 3)];
  return (one * 32_771 + two * 1031 + three * 37 + four) & 0xf_ff_ff;
}
