import fc, { type Arbitrary } from 'fast-check';

/**
 * For whole texts of base64, as an encoder writes them: the bits behind the last byte are zero (RFC 4648, section 3.5).
 * Undefined where no text has such a length.
 *
 * @param encoding - texts of `base64url` have no padding, with or without which decoders may be strict
 * @param range - the least and the most characters; the most may be Infinity
 */
export function base64Text(
  encoding: 'base64' | 'base64url',
  [least, most]: readonly [least: number, most: number] = [0, Infinity],
): Arbitrary<string> | undefined {
  const [quads, mostQuads] = [Math.ceil(least / 4), Math.floor(most / 4)];
  if (quads > mostQuads) return undefined;
  const maxLength = mostQuads < Infinity ? { maxLength: 3 * mostQuads } : {};
  if (encoding === 'base64') {
    const bytes = fc.uint8Array({ minLength: Math.max(0, 3 * quads - 2), ...maxLength });
    return bytes.map((array) => Buffer.from(array).toString('base64'), toBytes);
  }
  const triples = { minLength: quads, ...(mostQuads < Infinity && { maxLength: mostQuads }) };
  const triple = fc.uint8Array({ minLength: 3, maxLength: 3 });
  return fc
    .array(triple, triples)
    .map((each) => each.map((array) => Buffer.from(array).toString('base64url')).join(''));
}

function toBytes(text: unknown): Uint8Array<ArrayBuffer> {
  const bytes = Buffer.from(String(text), 'base64');
  if (typeof text !== 'string' || bytes.toString('base64') !== text) throw new Error('no base64');
  return Uint8Array.from(bytes);
}
