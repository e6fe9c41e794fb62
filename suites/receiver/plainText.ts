import { isJsonObject, type Json } from '../../generators/json/json.ts';

/** What {@link inPlainText} leaves out, in words. */
export const specialCharacters = 'characters beyond ASCII, or ones that JSON, SQL, HTML or a shell escapes';

const special = /[^ -~]|["\\'<&$`]/gu;

/** The same, with an x in the place of every character of a text that is one of the {@link specialCharacters}. */
export function inPlainText(value: Json): Json {
  return withTexts(value, (text) => text.replaceAll(special, 'x'));
}

/** The same, with more behind every text that holds one of the {@link specialCharacters}. */
export function withMoreText(value: Json, more: string): Json {
  return withTexts(value, (text) => (text.search(special) < 0 ? text : text + more));
}

/** The same, with another text in place of every one that holds one of the {@link specialCharacters}. */
export function withTextInstead(value: Json, other: string): Json {
  return withTexts(value, (text) => (text.search(special) < 0 ? text : other));
}

function withTexts(value: Json, change: (text: string) => string): Json {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item: Json) => withTexts(item, change));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withTexts(member, change)]));
}
