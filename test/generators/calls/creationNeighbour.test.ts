import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import {
  creationNeighbourKinds,
  placeholderUrl,
  withUrl,
  type CreationFlaw,
  type CreationNeighbour,
} from '../../../generators/calls/creationNeighbour.ts';
import { invalidUrl } from '../../../generators/calls/requestBodies.ts';
import { valueAt, withoutPointer } from '../../../generators/json/jsonPointer.ts';
import { unknownEventKinds } from '../../../generators/notification/unknownEvent.ts';
import { loadContract } from '../../../spec/contract.ts';
import { obeysTheLaws } from '../laws.ts';

const contract = loadContract();
const isCreation = contract.validator('WebhookCreation');
const isUrl = contract.validator('Url');
const catalogue = contract.events.map(({ name }) => name);

obeysTheLaws('invalidUrl', {
  arbitrary: () => invalidUrl(),
  // Go's parser takes some characters in a host that no other takes.
  isValid: ({ url }) => !URL.canParse(url) && !isUrl(url) && !/^https:.*[<>"]/.test(url),
});

describe('unknownEventKinds', () => {
  obeysTheLaws('one of them', {
    arbitrary: () => fc.oneof(...unknownEventKinds(catalogue)),
    isValid: ({ name }) => !catalogue.includes(name),
  });

  test('a name that exists is never made, however names resemble each other', () => {
    const names = fc.sample(fc.oneof(...unknownEventKinds(['a.b', 'a.b.c', 'A.B'])), { seed: 3, numRuns: 200 });
    expect(names.filter(({ name }) => ['a.b', 'a.b.c', 'A.B'].includes(name))).toEqual([]);
  });
});

const flaws: readonly CreationFlaw[] = ['incomplete', 'without active', 'wrong events', 'malformed'];

describe.each(flaws)('creationNeighbourKinds: %s', (flaw) => {
  obeysTheLaws('any of them', {
    arbitrary: () => fc.oneof(...creationNeighbourKinds(contract, contract.service!, flaw).flat()),
    isValid: isProven,
    draws: 50,
  });
});

function isProven({ valid, invalid }: CreationNeighbour): boolean {
  const url = valueAt(invalid, '/data/attributes/url');
  const isRealUrl = typeof url !== 'string' || url === placeholderUrl || !URL.canParse(url);
  return Boolean(isCreation(valid)) && !isCreation(invalid) && isRealUrl;
}

test('every flaw lies where its name says', () => {
  const drawn = (flaw: CreationFlaw) =>
    creationNeighbourKinds(contract, contract.service!, flaw).flatMap((kind) =>
      fc.sample(fc.oneof(...kind), { seed: 9, numRuns: 20 }).map(({ invalid }) => {
        isCreation(invalid);
        return [
          ...new Set((isCreation.errors ?? []).map(({ instancePath, params }) => instancePath + missing(params))),
        ];
      }),
    );
  expect(new Set(drawn('without active').flat())).toEqual(new Set(['/data/attributes/active']));
  expect(
    drawn('wrong events')
      .flat()
      .every((place) => place.startsWith('/data/attributes/events')),
  ).toBe(true);
  expect(drawn('malformed').every((places) => places.length > 0)).toBe(true);
  expect(new Set(drawn('incomplete').flat())).toEqual(
    new Set(['/data', '/data/type', '/data/attributes/url', '/data/attributes']),
  );
});

function missing(params: Readonly<Record<string, unknown>>): string {
  return typeof params['missingProperty'] === 'string' ? `/${params['missingProperty']}` : '';
}

test('what replaces the list of events is tried in each run, whatever its seed', () => {
  const kinds = creationNeighbourKinds(contract, contract.service!, 'malformed');
  const always = kinds.flatMap((kind) => (kind.length === 1 ? fc.sample(kind[0]!, { seed: 9, numRuns: 1 }) : []));
  const events = always.map(({ invalid }) => JSON.stringify(valueAt(invalid, '/data/attributes/events')));
  expect(['"*"', 'null', '{}'].filter((value) => !events.includes(value))).toEqual([]);
});

test('null in the place of the headers is never taken for a flaw', () => {
  for (const kind of creationNeighbourKinds(contract, contract.service!, 'malformed')) {
    for (const { invalid } of fc.sample(fc.oneof(...kind), { seed: 2, numRuns: 50 })) {
      expect(valueAt(invalid, '/data/attributes/headers')).not.toBeNull();
    }
  }
});

test('the placeholder of the url is replaced wherever it stands, and nothing else', () => {
  const value = { data: [placeholderUrl, `${placeholderUrl}/x`, { url: placeholderUrl }], n: 1, none: null };
  expect(withUrl(value, 'https://a.example/')).toEqual({
    data: ['https://a.example/', `${placeholderUrl}/x`, { url: 'https://a.example/' }],
    n: 1,
    none: null,
  });
});

describe('withoutPointer', () => {
  test('leaves one member out', () => {
    expect(withoutPointer({ a: { b: 1, c: [2] }, d: 3 }, '/a/b')).toEqual({ a: { c: [2] }, d: 3 });
    expect(withoutPointer({ a: 1 }, '/a')).toEqual({});
  });

  test('says where there is none', () => {
    expect(() => withoutPointer({ a: 1 }, '/b')).toThrow("There is no member at '/b'");
    expect(() => withoutPointer({ a: [1] }, '/a/0')).toThrow(RangeError);
    expect(() => withoutPointer({ a: 1 }, '')).toThrow(RangeError);
  });
});
