import { expect, test } from 'vitest';

import type { Caught } from '../../../suites/exchange.ts';
import type { Json } from '../../../generators/json/json.ts';
import { jsonMismatch } from '../../../suites/service/bodyMismatch.ts';

/** What is said of a delivery with this body. @param type - what it says that it is. Default: JSON */
function said(body: string, value?: Json, type?: string): string | undefined {
  const kit = {
    deliveredJson: () => value,
    header: (_: Caught, name: string) => (name === 'Content-Type' ? (type ?? 'application/json') : undefined),
  };
  const bytes = Buffer.from(body);
  return jsonMismatch(kit as never, { body: bytes, bytes: bytes.length } as Caught)?.actual;
}

test.each(['{"a":"Göteborg', '{"a":"b"', '{"a":', '[1,2', '{'])('%s ends before its JSON does', (body) => {
  expect(said(body)).toBe(`the ${Buffer.byteLength(body)} bytes that came end before their JSON does`);
});

test.each(['', 'a=1&b=2', '{"a":1}}', "{'a':1}", '<a/>'])('%s is no JSON', (body) => {
  expect(said(body)).toBe(`the ${Buffer.byteLength(body)} bytes that came are no JSON`);
});

test('JSON that is said to be something else', () => {
  expect(said('{}', {}, 'text/plain')).toBe('the Content-Type is text/plain');
  expect(said('{}', {})).toBeUndefined();
});
