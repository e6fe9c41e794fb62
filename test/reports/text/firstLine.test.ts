import { expect, test } from 'vitest';

import { firstLine } from '../../../reports/text/firstLine.ts';

test.each([
  ['it ended after 86 ms; it said last:\n    a stale lock', 'it ended after 86 ms'],
  ['it ended; it said nothing:', 'it ended; it said nothing:'],
  ['two effects\nat once', 'two effects'],
])('%j', (text, line) => expect(firstLine(text)).toBe(line));
