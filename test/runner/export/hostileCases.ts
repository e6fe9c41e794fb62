import fc from 'fast-check';

/** What ends a string, a comment, a word or a line in one language or another, or begins to run something. */
const pieces = fc.constantFrom(
  '"',
  "'",
  '`',
  '\\',
  '\n',
  '\r',
  '\r\n',
  '\0',
  '\u001b[2J',
  '*/',
  '/*',
  '//',
  '${',
  '}',
  '#',
  '\t',
  ' ',
  '!',
  '%',
  '%s',

  '$(touch canary)',
  '`touch canary`',
  '; touch canary;',
  '| touch canary',
  '&& touch canary',
  '\ntouch canary\n',

  "'; touch canary; '",
  '"; touch canary; "',
  '$(touch${IFS}canary)',
  '\\`touch canary\\`',
  '$((a[$(touch canary)]))',

  'globalThis.canary=1',
  "';globalThis.canary=1;'",
  '";globalThis.canary=1;"',
  '${globalThis.canary=1}',

  '`;globalThis.canary=1;`',
  '\u2028globalThis.canary=1//',
  '\u2029',
  '\u202e',
  '\u2066',
  '\ud800',
  '\udc00',
  '\u0085',

  '<!--',
  '-->',
  ']]>',
  '</script>',
  '::error::',
  '##[error]',
  '%0A',
  '%0D',
  '__proto__',
  'x'.repeat(20_000),
);

/** Any text, but mostly one that a generated source must not take for a part of it. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.array(pieces, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('')) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 20 }) },
);
