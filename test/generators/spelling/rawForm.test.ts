import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { anyJson } from '../../../generators/schema/anyJson.ts';
import {
  describeEdit,
  describeEditIn,
  editKinds,
  editSites,
  rawForm,
  writeJson,
  type Edit,
  type EditKind,
  type Json,
} from '../../../generators/index.ts';
import { numberSpellings, spellNumber } from '../../../generators/spelling/jsonPen.ts';
import { obeysTheLaws } from '../laws.ts';

const choices = {
  text: 'unicode',
  nul: true,
  timestamps: 'any',
  numbers: 'any',
  strings: () => undefined,
  nestedItems: undefined,
  passOver: undefined,
} as const;
const value = fc.oneof(anyJson(choices), fc.jsonValue({ stringUnit: 'binary' }).map(normalised));

function normalised(one: unknown): Json {
  return JSON.parse(JSON.stringify(one)) as Json;
}

const write = (json: Json, ...edits: Edit[]): string => writeJson(json, edits).toString();

obeysTheLaws('rawForm', {
  arbitrary: () => rawForm(),
  isValid: (form) => form.length >= 1 && form.length <= 8 && form.every(({ kind }) => editKinds.includes(kind)),
});
for (const kind of editKinds) {
  obeysTheLaws(`rawForm of ${kind}`, {
    arbitrary: () => rawForm({ kinds: [kind], minEdits: 2, maxEdits: 3 }),
    isValid: (form) => form.length >= 2 && form.length <= 3 && form.every((edit) => edit.kind === kind),
  });
}

describe('rawForm', () => {
  test.each(editKinds)('shrinks to a single edit of kind %s where only that one matters', (kind) => {
    const matters = fc.property(rawForm({ minEdits: 1 }), (form) => form.every((edit) => edit.kind !== kind));
    const { counterexample } = fc.check(matters, { seed: 7, numRuns: 1000 });
    expect(counterexample?.[0]).toHaveLength(1);
    expect(counterexample?.[0]?.[0]).toMatchObject({ kind, at: 0 });
  });

  test('may be empty where that is wanted', () => {
    expect(fc.sample(rawForm({ minEdits: 0 }), { seed: 1, numRuns: 100 })).toContainEqual([]);
  });
});

describe('writeJson', () => {
  test('the empty form is JSON.stringify', () => {
    const property = fc.property(value, (json) => {
      expect(write(json)).toBe(JSON.stringify(json));
    });
    fc.assert(property, { seed: 1 });
  });

  test('any form parses to the same value', () => {
    const property = fc.property(value, rawForm(), (json, form) => {
      expect(JSON.parse(writeJson(json, form).toString())).toEqual(json);
    });
    fc.assert(property, { seed: 2, numRuns: 2000 });
  });

  test('the bytes differ from the compact ones exactly where an edit finds a place', () => {
    const property = fc.property(value, rawForm(), (json, form) => {
      const hasPlace = form.some(({ kind }) => editSites(json, kind) > 0);
      expect(write(json, ...form) !== JSON.stringify(json)).toBe(hasPlace);
    });
    fc.assert(property, { seed: 3, numRuns: 2000 });
  });

  test.each(editKinds)('each place of %s gives bytes of its own', (kind) => {
    const json = { a: 'é/\n', b: [1, 2.5], 'c/d': { e: '🚢', f: null }, g: [], h: {} };
    const texts = Array.from({ length: editSites(json, kind) }, (_, at) => write(json, { kind, at }));
    expect(texts.length).toBeGreaterThan(0);
    expect(new Set([...texts, JSON.stringify(json)]).size).toBe(texts.length + 1);
    expect(write(json, { kind, at: texts.length })).toBe(texts[0]);
  });

  test.each<[string, Edit, Json]>([
    [' {"a":1}', { kind: 'whitespace', at: 0 }, { a: 1 }],
    ['{\t"a":1}', { kind: 'whitespace', at: 1, text: '\t' }, { a: 1 }],
    ['{"a"\r\n:1}', { kind: 'whitespace', at: 2, text: '\r\n' }, { a: 1 }],
    ['{"a":1} ', { kind: 'whitespace', at: 5 }, { a: 1 }],
    ['[ ]', { kind: 'whitespace', at: 1 }, []],
    ['{"a":1}\r\n', { kind: 'trailing-newline', at: 9, text: '\r\n' }, { a: 1 }],
    ['{"b":2,"a":1,"c":3}', { kind: 'key-order', at: 0 }, { a: 1, b: 2, c: 3 }],
    ['{"a":1,"c":3,"b":2}', { kind: 'key-order', at: 1 }, { a: 1, b: 2, c: 3 }],
    ['"\\u0061b"', { kind: 'unicode-escape', at: 0 }, 'ab'],
    ['"\\u003D"', { kind: 'unicode-escape', at: 0, text: 'upper' }, '='],
    ['"\\ud83d\\udea2"', { kind: 'unicode-escape', at: 0 }, '🚢'],
    ['"\\u000a"', { kind: 'unicode-escape', at: 0 }, '\n'],
    ['"\\u0022"', { kind: 'unicode-escape', at: 0 }, '"'],
    ['"a\\u00E9"', { kind: 'non-ascii-escape', at: 0, text: 'upper' }, 'aé'],
    ['"a\\/b"', { kind: 'solidus-escape', at: 0 }, 'a/b'],
    ['{"a\\/b":0}', { kind: 'solidus-escape', at: 0 }, { 'a/b': 0 }],
    ['1.0', { kind: 'number-spelling', at: 0 }, 1],
    ['1e0', { kind: 'number-spelling', at: 0, text: 'exponent' }, 1],
    ['10E-1', { kind: 'number-spelling', at: 0, text: 'shifted' }, 1],
    ['1E+0', { kind: 'number-spelling', at: 0, text: 'signed' }, 1],
  ])('%j', (text, edit, json) => {
    expect(write(json, edit)).toBe(text);
  });

  test('U+0000, other controls and lone surrogates have one spelling only', () => {
    expect(editSites('\0\u001f\ud800', 'unicode-escape')).toBe(0);
    expect(editSites('\ud800', 'non-ascii-escape')).toBe(0);
  });

  test.each<[Edit, string]>([
    [{ kind: 'whitespace', at: 0, text: '\u00a0' }, 'Valid: spaces, tabs, line feeds and carriage returns.'],
    [{ kind: 'trailing-newline', at: 0, text: ' ' }, 'Valid: a line feed, or a carriage return and a line feed.'],
    [{ kind: 'unicode-escape', at: 0, text: 'x' }, 'Valid: lower and upper.'],
    [{ kind: 'number-spelling', at: 0, text: 'x' }, 'Valid: fraction, exponent, signed, shifted.'],
  ])('refuses %j', (edit, message) => {
    expect(() => write([1, 'a'], edit)).toThrow(message);
  });

  test('two million bytes are written as the value that they are', () => {
    const json = Array.from({ length: 20_000 }, (_, id) => ({ id, text: 'a/b'.repeat(30) }));
    const form = fc.sample(rawForm({ minEdits: 8 }), { seed: 1, numRuns: 1 })[0] ?? [];
    expect(JSON.parse(writeJson(json, form).toString())).toEqual(json);
  });
});

describe('spellNumber', () => {
  test('is the same double, spelled otherwise', () => {
    const numbers = fc.oneof(
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.maxSafeInteger(),
      fc.constantFrom(0, 1e21, 1.5e-7, -2.5e300),
    );
    const property = fc.property(numbers, fc.constantFrom(...numberSpellings), (number, spelling) => {
      const text = spellNumber(number, spelling);
      expect(JSON.parse(text) === number).toBe(true);
      expect(text).not.toBe(JSON.stringify(number));
    });
    fc.assert(property, { seed: 4, numRuns: 1000 });
  });

  test('refuses what JSON has no number for', () => {
    expect(() => spellNumber(Number.NaN, 'fraction')).toThrow('null is no finite number');
  });
});

describe('describeEditIn', () => {
  const json = { data: { id: 'a/é', size: 7 }, list: [] };

  test.each<[Edit, string]>([
    [{ kind: 'whitespace', at: 0 }, 'a space before the document'],
    [{ kind: 'whitespace', at: 1, text: '\t' }, 'a tab before the name of /data'],
    [{ kind: 'whitespace', at: 5, text: '\n \n' }, 'white space "\\n \\n" before the colon of /data/id'],
    [{ kind: 'whitespace', at: 16 }, 'a space between the brackets of /list'],
    [{ kind: 'trailing-newline', at: 3 }, 'a line feed at the end of the document'],
    [{ kind: 'key-order', at: 0 }, 'two neighbouring members the other way round in the document ("data" and "list")'],
    [{ kind: 'key-order', at: 1 }, 'two neighbouring members the other way round in /data ("id" and "size")'],
    [{ kind: 'solidus-escape', at: 0 }, 'a solidus written as \\/ at /data/id (/)'],
    [
      { kind: 'non-ascii-escape', at: 0 },
      'a non-ASCII character written as \\uXXXX with lower-case digits at /data/id (U+00E9)',
    ],
    [{ kind: 'number-spelling', at: 0, text: 'exponent' }, 'a number spelled otherwise (exponent) at /data/size (7)'],
  ])('%j', (edit, words) => {
    expect(describeEditIn(json, edit)).toBe(words);
  });

  test('without a value it says what is done; without a place, that nothing is', () => {
    expect(describeEdit({ kind: 'solidus-escape', at: 0 })).toBe('a solidus written as \\/');
    expect(describeEditIn({ a: 'b' }, { kind: 'solidus-escape', at: 0 })).toBe(
      'no change (a solidus written as \\/: the value has no such place)',
    );
  });

  test('has words for every edit', () => {
    const property = fc.property(rawForm(), (form) => {
      for (const edit of form) expect(describeEditIn(json, edit)).not.toMatch(/undefined|no change/);
    });
    fc.assert(property, { seed: 5 });
    expect(editKinds.every((kind: EditKind) => editSites(json, kind) > 0)).toBe(true);
  });
});
