import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';

import fc from 'fast-check';

import type { Notification } from '../../../generators/notification/notification.ts';
import { receiverCheck, type Finding } from '../../check.ts';
import type { Delivery, Header } from '../../delivery.ts';
import type { ReceiverKit } from '../../kit.ts';
import { expectNoFailure, expectAnswered, hostileCheck } from './hostile.ts';
import { describeAnswer } from '../../answer.ts';
import { finding } from '../../finding.ts';
import { attempt } from '../expectation.ts';
import { onWire } from '../onWire.ts';
import { expectStillServing } from '../stillServing.ts';

/** Another encoding of a body, and what its headers say about that. */
interface Encoding {
  readonly name: string;
  /** Default: the body as it is. */
  readonly encode?: (body: Buffer, id: string) => Buffer;
  readonly contentEncoding?: string;
  readonly charset?: string;
}

const mebibyte = 1024 * 1024;

const encodings: readonly Encoding[] = [
  { name: 'UTF-16 with its charset', encode: (body) => Buffer.from(body.toString(), 'utf16le'), charset: 'utf-16le' },
  { name: 'bytes that are no UTF-8', encode: (body) => noted(body, [0xff, 0xfe]) },
  { name: 'an unpaired surrogate in UTF-8', encode: (body) => noted(body, [0xed, 0xa0, 0x80]) },
  {
    name: 'an id with a byte that is no UTF-8',
    encode: (body, id) => Buffer.from(body.toString('latin1').replace(id, `\xff${id.slice(1)}`), 'latin1'),
  },
  { name: 'a character that is cut off at the end', encode: (body) => Buffer.concat([body, Buffer.from([0xc3])]) },
  { name: 'a gzip body with its Content-Encoding', encode: (body) => gzipSync(body), contentEncoding: 'gzip' },
  {
    name: 'a gzip body that ends in the middle',
    encode: (body) => half(gzipSync(body)),
    contentEncoding: 'gzip',
  },
  {
    name: 'a gzip body that says that it is gzip twice',
    encode: (body) => gzipSync(body),
    contentEncoding: 'gzip, gzip',
  },
  { name: 'a deflate body with its Content-Encoding', encode: (body) => deflateSync(body), contentEncoding: 'deflate' },
  {
    name: 'a brotli body with its Content-Encoding',
    encode: (body) => brotliCompressSync(body),
    contentEncoding: 'br',
  },
  {
    name: 'a gzip body that holds 64 MiB of white space',
    // What follows a whole gzip member is another one (RFC 1952, section 2.2).
    encode: () => Buffer.concat(Array<Buffer>(64).fill(gzipSync(Buffer.alloc(mebibyte, ' ')))),
    contentEncoding: 'gzip',
  },
  { name: 'Content-Encoding: gzip with a body that is none', contentEncoding: 'gzip' },
  { name: 'a Content-Encoding that does not exist', contentEncoding: 'x-unknown' },
];

/** RFC 9110, section 8.4, and RFC 8259, section 8.1. */
export const unusualEncoding = hostileCheck<{ notification: Notification; encoding: Encoding }>({
  id: 'receiver/robustness/unusual-encoding',
  title: 'survives other charsets and content encodings, signed or not',
  cases: (draw) =>
    encodings.map((encoding) => fc.record({ encoding: fc.constant(encoding), notification: draw.notification() })),
  run: (kit, { notification, encoding }) =>
    expectNoFailure(kit, kit.compose(notification), [
      { delivery: encoded(kit, kit.compose(notification), encoding, 'as sent'), difference: encoding.name },
      {
        delivery: encoded(kit, kit.compose(notification), encoding, 'before'),
        difference: `${encoding.name}, under a signature of the plain body`,
      },
    ]),
  hint:
    'Answer 415 or 400 to an encoding that you do not take, and to bytes that are no UTF-8, also before the signature is ' +
    'verified: catch the error of the decoder. The signature is over the bytes as sent.',
});

/** @param signed - over which bytes: those that are sent, or those that they were before */
function encoded(
  kit: ReceiverKit,
  delivery: Delivery,
  { encode = (body) => body, contentEncoding, charset }: Encoding,
  signed: 'as sent' | 'before',
): Delivery {
  const body = encode(delivery.body, delivery.id);
  const { headers } = signed === 'as sent' ? kit.withBody(delivery, body) : delivery;
  return { ...delivery, body, headers: withCoding(headers, kit.contract.delivery.mediaType, contentEncoding, charset) };
}

function withCoding(
  headers: readonly Header[],
  mediaType: string,
  coding?: string,
  charset?: string,
): readonly Header[] {
  const typed = headers.map(([name, value]): Header =>
    charset !== undefined && name.toLowerCase() === 'content-type'
      ? [name, `${mediaType}; charset=${charset}`]
      : [name, value],
  );
  return coding === undefined ? typed : [...typed, ['Content-Encoding', coding]];
}

function noted(body: Buffer, bytes: readonly number[]): Buffer {
  return Buffer.concat([body.subarray(0, -1), Buffer.from(',"x":"'), Buffer.from(bytes), Buffer.from('"}')]);
}

function half(body: Buffer): Buffer {
  return body.subarray(0, body.length >> 1);
}

/** Mebibytes of a body that does not say how long it is: more than a receiver may have to take (GAP-23). */
const boundless = 20;

interface OversizedBody {
  readonly notification: Notification;
  readonly mebibytes: number;
  readonly signed: boolean | 'without a length';
}

/** GAP-23: how much a receiver takes is open, but it must go on serving, and a bound that it sets must hold. */
export const oversizedBodies = receiverCheck<OversizedBody>({
  id: 'receiver/robustness/oversized-bodies',
  title: 'survives bodies that are far too large, and keeps its bound where none says how long it is',
  requirements: ['ROB-1'],
  needs: [],
  schedule: { kind: 'alone' },
  weight: 0.05,
  cases: (draw) => [
    ...[true, false].map((signed) =>
      fc.record({
        mebibytes: fc.integer({ min: 17, max: 18 }),
        signed: fc.constant(signed),
        notification: draw.notification(),
      }),
    ),
    fc.record({
      mebibytes: fc.constant(boundless),
      signed: fc.constant('without a length' as const),
      notification: fc.noShrink(draw.notification()),
    }),
  ],
  run: (kit, { notification, mebibytes, signed }) => {
    if (signed === 'without a length') return expectCutOff(kit, kit.compose(notification), mebibytes);
    const padded = (body: Buffer) => paddedBody(body, 'x', mebibytes * mebibyte);
    const delivery = signed
      ? kit.compose(notification, { rewrite: padded })
      : withBody(kit.compose(notification), padded);
    return expectAnswered(
      kit,
      onWire(delivery, inParts(mebibytes)),
      `a body of ${mebibytes} MiB`,
      // What is read for long is no hang: many times more than any delivery has to be understood here.
      { timeLimit: 3 * kit.timeout },
    );
  },
  hint: 'Limit the size of a body before you read it into memory, and answer 413 beyond the limit.',
});

/**
 * A body that says nowhere how long it is. Many a server reads on to its end and throws it away before it answers, so that
 * only an acceptance shows that all of it was collected: against a bound that the receiver has, where it refuses the same
 * body with a length.
 */
async function expectCutOff(kit: ReceiverKit, plain: Delivery, mebibytes: number): Promise<Finding | undefined> {
  const signed = kit.withBody(plain, paddedBody(plain.body, 'x', mebibytes * mebibyte));
  const framed = (framing: 'chunked' | 'length'): Delivery => ({
    ...signed,
    wire: { framing, steps: inParts(mebibytes) },
  });
  const [sent, announced] = [framed('chunked'), framed('length')];
  const point = { requirement: 'ROB-1', difference: `a chunked body that goes on for ${mebibytes} MiB` } as const;
  const answer = await kit.deliver(sent);
  const unserved = await expectStillServing(kit, point);
  if (unserved || !kit.accepts(answer)) return unserved;
  const bounded = await kit.deliver(announced);
  if (kit.accepts(bounded)) {
    kit.observe('GAP-23', `a chunked body of ${mebibytes} MiB is taken`, describeAnswer(answer));
    return undefined;
  }
  return finding(
    { ...point, hint: endless },
    {
      attempts: [attempt(announced, bounded), attempt(sent, answer)],
      expected: 'a refusal, or the connection closed, as where Content-Length names its size',
      actual: `${describeAnswer(answer)}: all of it was read, past the bound that the receiver has`,
      absence: false,
    },
  );
}

const endless =
  'Count the bytes while you read them, and stop at a limit: a chunked body says nowhere how long it is, so it does not help ' +
  'to look at Content-Length. http.MaxBytesReader (Go), the limit of express.raw (Node) and client_max_body_size (nginx) ' +
  'do that; request.body() of Starlette and FastAPI, io.ReadAll and a loop over the chunks do not.';

function withBody(delivery: Delivery, change: (body: Buffer) => Buffer): Delivery {
  return { ...delivery, body: change(delivery.body) };
}

function inParts(parts: number) {
  const body = Array.from(
    { length: parts },
    (_, n) => ({ send: 'body', from: n / parts, to: (n + 1) / parts }) as const,
  );
  return [{ send: 'head' }, ...body] as const;
}

/**
 * The bytes of a JSON object with one more member: a text of so many letters.
 *
 * They are filled in where they stand, for a text of some mebibytes that becomes bytes is copied several times.
 *
 * @example paddedBody(Buffer.from('{"a":1}'), 'x', 3) // {"a":1,"x":"xxx"}
 */
export function paddedBody(object: Buffer, name: string, letters: number): Buffer {
  const separator = object.equals(empty) ? '' : ',';
  const [head, tail] = [Buffer.from(`${separator}${JSON.stringify(name)}:"`), Buffer.from('"}')];
  const begin = object.length - 1;
  const body = Buffer.alloc(begin + head.length + letters + tail.length, 'x');
  object.copy(body, 0, 0, begin);
  head.copy(body, begin);
  tail.copy(body, body.length - tail.length);
  return body;
}

const empty = Buffer.from('{}');
