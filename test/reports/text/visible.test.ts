import fc from 'fast-check';
import { expect, test } from 'vitest';

import { visible, firstLine } from '../../../reports/text/visible.ts';

test.each([
  ['an escape sequence', '\u001b[31mred', '<U+001B>[31mred'],
  ['NUL and DEL', '\0\u007f', '<U+0000><U+007F>'],
  ['C1 controls', '\u009b2J', '<U+009B>2J'],
  ['line ends and tabs', 'a\r\n\tb', 'a<CR><LF><TAB>b'],
  ['bidirectional marks', 'a\u202eb\u2066c\u061c', 'a<U+202E>b<U+2066>c<U+061C>'],
  ['what has no width', 'a\u200b\ufeff\u00adb', 'a<U+200B><U+FEFF><U+00AD>b'],
  ['separators and odd spaces', '\u2028\u2029\u00a0\u3000', '<U+2028><U+2029><U+00A0><U+3000>'],
  ['lone surrogates', 'a\ud83d b\ude00', 'a<U+D83D> b<U+DE00>'],
  ['tag characters', '\u{e0041}', '<U+E0041>'],
  ['noncharacters', '\uffff\u{1fffe}', '<U+FFFF><U+1FFFE>'],
  ['ordinary text', 'Zoë ñ 漢字 😀 "\\u001b"', 'Zoë ñ 漢字 😀 "\\u001b"'],
])('%s', (_, text, shown) => {
  expect(visible(text)).toBe(shown);
});

test('keeps what the caller asks to keep', () => {
  expect(visible('a\n\tb\r', '\n\t')).toBe('a\n\tb<CR>');
});

test('whatever comes in, nothing hidden goes out, and going through twice changes nothing', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const shown = visible(text);
      expect(shown).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
      expect(visible(shown)).toBe(shown);
    }),
  );
});

test.each([
  ['it ended after 86 ms; it said last:\n    a stale lock', 'it ended after 86 ms'],
  ['it ended; it said nothing:', 'it ended; it said nothing:'],
  ['two effects\nat once', 'two effects'],
])('%j', (text, line) => expect(firstLine(text)).toBe(line));
