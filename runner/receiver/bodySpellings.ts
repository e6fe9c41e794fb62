import { isJsonObject, type Json } from '../../generators/json/json.ts';
import { parseJson } from '../../spec/parseJson.ts';
import type { BodySpelling } from '../../suites/kit.ts';

interface Style {
  readonly comma?: ', ';
  readonly colon?: ': ';
  readonly isSorted?: true;
  /** What it makes of a text as JSON.stringify writes it. */
  readonly escape?: (text: string) => string;
}

const beyondAscii = (text: string): string =>
  text.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

const solidus = (text: string): string => text.replaceAll('/', '\\/');

const python = { comma: ', ', colon: ': ', escape: beyondAscii } as const;

const styles: Readonly<Record<string, Style>> = {
  'as json.dumps of Python writes it': python,
  'as json.dumps of Python writes it with sort_keys': { ...python, isSorted: true },
  'as json_encode of PHP writes it': { escape: (text) => solidus(beyondAscii(text)) },
  'with its members in the order of their names': { isSorted: true },
  'with its members in the order of their names, and slashes escaped': { isSorted: true, escape: solidus },
};

/** The body as serialisers write it that do not write as JSON.stringify does: who parses it and writes it again has the same bytes. */
export const bodySpellings: readonly BodySpelling[] = Object.entries(styles).map(([how, style]) => ({
  rewrite: (body) => Buffer.from(written(parseJson(body.toString()) as Json, style)),
  words: how,
}));

function written(value: Json, style: Style): string {
  const { comma = ',', colon = ':', isSorted = false, escape = (text: string) => text } = style;
  if (Array.isArray(value)) return `[${value.map((item: Json) => written(item, style)).join(comma)}]`;
  if (!isJsonObject(value)) return escape(JSON.stringify(value));
  const names = isSorted ? Object.keys(value).toSorted() : Object.keys(value);
  return `{${names.map((name) => `${escape(JSON.stringify(name))}${colon}${written(value[name]!, style)}`).join(comma)}}`;
}
