import fc from 'fast-check';

/** Characters that mean something in an address, in JSON, in HTML or in a shell, and others. */
const telling = Array.from(`"'\\\\/<>&%+=?#;: $\`{}|é€`);

/** A secret that no text holds by chance. */
export const anySecret: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...Array.from('abcdefXYZ0123456789_-.~')) },
      fc.constantFrom(...telling),
    ),
    {
      minLength: 7,
      maxLength: 39,
    },
  )
  .map((characters) => `q${characters.join('')}`.replaceAll(/\s$/g, '_'))
  .filter((text) => (text.match(/\d/g) ?? []).length > 1 && /[A-Za-z]{2}/.test(text));

/** The spellings in which a target may repeat a secret, by name. */
export function everySpelling(secret: string): Readonly<Record<string, string>> {
  const json = JSON.stringify(secret).slice(1, -1);
  const bytes = Buffer.from(secret);
  const each = (write: (character: string) => string): string => Array.from(secret, write).join('');
  const code = (character: string): number => character.codePointAt(0)!;
  const percent = encodeURIComponent(secret);
  const hex = bytes.toString('hex');
  const html = each((character) => named[character] ?? character);
  return {
    plain: secret,
    percent,
    'percent in lower case': percent.replaceAll(/%../g, (text) => text.toLowerCase()),
    'percent, each': Array.from(bytes, (byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''),
    'percent, twice': encodeURIComponent(percent),
    form: new URLSearchParams({ s: secret }).toString().slice(2),
    json,
    'json with slashes': json.replaceAll('/', '\\/'),
    'json in json': JSON.stringify(json).slice(1, -1),
    'json, each': each((character) => `\\u${code(character).toString(16).padStart(4, '0')}`),
    'json, upper case': each((character) => `\\u${code(character).toString(16).padStart(4, '0').toUpperCase()}`),
    html,
    'html, decimal': each((character) => `&#${code(character)};`),
    'html, hexadecimal': each((character) => `&#x${code(character).toString(16)};`),
    'html, twice': html.replaceAll('&', '&amp;'),
    base64: bytes.toString('base64'),
    'base64, behind one': Buffer.from(`:${secret}`).toString('base64'),
    'base64, behind two': Buffer.from(`u:${secret}`).toString('base64'),
    'base64, between': Buffer.from(`me:${secret}:x`).toString('base64'),
    base64url: bytes.toString('base64url'),
    'base64 in an address': encodeURIComponent(bytes.toString('base64')),
    hex,
    'hex in upper case': hex.toUpperCase(),
    'list of bytes': [...bytes].join(','),
  };
}

const named: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
