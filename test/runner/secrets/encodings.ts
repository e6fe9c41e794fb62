/** The ways in which a target may encode a text; each may come upon another. */
export const encodings: Readonly<Record<string, (text: string) => string>> = {
  plain: (text) => text,
  'upper case': (text) => text.toUpperCase(),
  'lower case': (text) => text.toLowerCase(),
  reversed: (text) => Array.from(text).toReversed().join(''),
  'spaces between': between(' '),
  'dashes between': between('-'),
  'a list of characters': (text) => JSON.stringify(Array.from(text)),
  'a list on lines': (text) => JSON.stringify(Array.from(text), undefined, 2),
  base64: (text) => Buffer.from(text).toString('base64'),
  'base64 behind one': (text) => Buffer.from(`:${text}`).toString('base64'),
  'base64 behind a user': (text) => Buffer.from(`me:${text}`).toString('base64'),
  base64url: (text) => Buffer.from(text).toString('base64url'),
  hexadecimal: (text) => Buffer.from(text).toString('hex'),
  'hexadecimal in upper case': (text) => Buffer.from(text).toString('hex').toUpperCase(),
  'hexadecimal in pairs': (text) =>
    Buffer.from(text)
      .toString('hex')
      .replaceAll(/..(?!$)/g, '$&:'),
  'a list of bytes': (text) => JSON.stringify([...Buffer.from(text)]),
  'percent-encoded': encodeURIComponent,
  'percent-encoded, each': (text) => Array.from(Buffer.from(text), (byte) => `%${hexOf(byte, 2)}`).join(''),
  JSON: (text) => JSON.stringify(text),
  'JSON, each': (text) => Array.from(text, (each) => `\\u${hexOf(each.charCodeAt(0), 4)}`).join(''),
  HTML: (text) => text.replaceAll(/[&<>"']/g, (each) => `&#${each.charCodeAt(0)};`),
  'HTML, each': (text) => Array.from(text, (each) => `&#${each.charCodeAt(0)};`).join(''),
};

function between(separator: string): (text: string) => string {
  return (text) => Array.from(text).join(separator);
}

function hexOf(code: number, width: number): string {
  return code.toString(16).padStart(width, '0');
}
