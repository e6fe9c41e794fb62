import type { Header } from '../../suites/delivery.ts';
import { tokenVariable } from './standIns.ts';

/** Stands for a part of the key, or for the key in another form. */
export const hidden = '…';

/** So many characters of the key in a row are a part of it. */
const part = 4;

/** A text with a variable in place of the API key. */
function redacted(value: string, token: string): string {
  return token === '' ? value : value.replaceAll(token, `$${tokenVariable}`);
}

/** A header with a variable in place of the API key, and without parts of it where the header is the one for keys. */
export function redactedHeader([name, value]: Header, token: string, authorization: string): Header {
  const whole = redacted(value, token);
  if (token === '' || name.toLowerCase() !== authorization.toLowerCase()) return [name, whole];
  const variable = `$${tokenVariable}`;
  const words = whole.split(variable).map((text) => withoutParts(text, token));
  return [name, words.join(variable)];
}

/** Keys that were cut off, changed in a character, in other letter case, or encoded are nearly as good as the key. */
function withoutParts(text: string, token: string): string {
  const words = text.split(' ').map((word) => (decodes(word, token) ? hidden : word));
  const known = token.toLowerCase();
  let rest = words.join(' ');
  let shown = '';
  while (rest !== '') {
    const length = overlap(rest.toLowerCase(), known);
    shown += length >= Math.min(part, known.length) ? hidden : rest.slice(0, 1);
    rest = rest.slice(length >= Math.min(part, known.length) ? length : 1);
  }
  return shown;
}

/** How many characters from the start of the text stand in the key, in a row. */
function overlap(text: string, known: string): number {
  let length = 0;
  while (length < text.length && known.includes(text.slice(0, length + 1))) length += 1;
  return length;
}

function decodes(word: string, token: string): boolean {
  return Buffer.from(word, 'base64').toString().includes(token);
}
