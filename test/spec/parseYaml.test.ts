import { expect, test } from 'vitest';
import { parse } from 'yaml';

import { shippedTexts } from '../../spec/contractFiles.ts';
import { parseYaml } from '../../spec/parseYaml.ts';

test.each(Object.entries(shippedTexts()))('reads the shipped %s as another parser does', (_, text) => {
  expect(parseYaml(text)).toEqual(parse(text));
});

test.each([
  ['', null],
  ['# nothing\n', null],
  ['{"a": [1, null, "é"]}', { a: [1, null, 'é'] }],
  [
    'from: 2027-01-31\nanswer: no\nmode: 0o17\n<<: { a: 1 }',
    { from: '2027-01-31', answer: 'no', mode: 15, '<<': { a: 1 } },
  ],
  ['a: &one [1]\nb: *one', { a: [1], b: [1] }],
  ['"\\ud83d\\udea2": \'\\ud800\'', { '\ud83d\udea2': '\\ud800' }],
])('%j', (text, value) => {
  expect(parseYaml(text)).toEqual(value);
});

test('a member named __proto__ is a member', () => {
  expect(Object.keys(parseYaml('{"__proto__": 1}') as object)).toEqual(['__proto__']);
});

const laughs = Array.from({ length: 8 }, (_, level) => `l${level + 1}: &l${level + 1} [${`*l${level},`.repeat(9)}]`);

test.each([
  ['a: 1\na: 2', 'duplicated mapping key at line 2, column 1'],
  ['a: [1', 'at line 1, column 6'],
  ['a: *one', 'unidentified alias "one" at line 1'],
  ['--- 1\n--- 2', 'it holds 2 documents, one is expected'],
  ['a: !odd 1', 'unknown scalar tag'],
  ['a: &one { b: *one }', 'its aliases stand for more than 1000000 values, or for themselves'],
  ['{"a\\ud800": 1}', 'half of a character'],
  ['a: "\\U0000DC00"', 'half of a character'],
  [['l0: &l0 [x]', ...laughs].join('\n'), 'its aliases stand for more than 1000000 values'],
])('%j is refused', (text, message) => {
  expect(() => parseYaml(text)).toThrow(SyntaxError);
  expect(() => parseYaml(text)).toThrow(message);
});
