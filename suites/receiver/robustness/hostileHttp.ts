import fc from 'fast-check';

import type { Notification } from '../../../generators/notification/notification.ts';
import type { Draw } from '../../draw.ts';
import type { Delivery, Header, WireStep } from '../../delivery.ts';
import type { ReceiverKit } from '../../kit.ts';
import { onWire, overOwnConnection, upTo, whole } from '../onWire.ts';
import { expectAnswered, expectIllegalRefused, hostileCheck } from './hostile.ts';

/** One way to send a delivery that no service would use. */
interface Manner {
  readonly name: string;
  readonly apply: (delivery: Delivery, kit: ReceiverKit, scale: number) => Delivery;
}

interface HostileCase {
  readonly notification: Notification;
  readonly manner: Manner;
  /** Generated: how long, how many, how small. */
  readonly scale: number;
}

const wrongHttp: readonly Manner[] = [
  {
    name: 'a request line that is none',
    apply: (delivery) => onWire(delivery, whole, { requestLine: 'this is not a request line' }),
  },
  {
    name: 'a version of HTTP that does not exist',
    apply: (delivery) => onWire(delivery, whole, { requestLine: `${delivery.method} / HTTP/9.9` }),
  },
  { name: 'a content length that is no number', apply: (delivery) => framedBy(delivery, ['Content-Length', 'abc']) },
  {
    name: 'a chunk size that is no number',
    apply: (delivery) => framedBy(delivery, ['Transfer-Encoding', 'chunked'], 'zz\r\n'),
  },
  { name: 'a body shorter than its content length', apply: (delivery) => cutShort(delivery) },
  {
    name: 'bytes that are no HTTP',
    apply: (delivery) => ({
      ...delivery,
      wire: { framing: 'none', steps: [bytes('\x16\x03\x01\0\xff\xfe\r\n\r\n'), { end: 'fin' }] },
    }),
  },
];

const oddFraming: readonly Manner[] = [
  { name: 'a chunked body', apply: (delivery, _kit, scale) => inPieces(delivery, 'chunked', 1 + (scale % 4)) },
  {
    name: 'a chunked body of tiny chunks',
    apply: (delivery, _kit, scale) => inPieces(delivery, 'chunked', 20 + (scale % 40)),
  },
  { name: 'a body in tiny pieces', apply: (delivery, _kit, scale) => inPieces(delivery, 'length', 20 + (scale % 40)) },
  { name: 'Expect: 100-continue', apply: (delivery, kit) => expecting(delivery, Math.min(1000, kit.timeout / 2)) },
  { name: 'two requests in one go', apply: (delivery) => pipelined(delivery) },
  {
    name: 'header names in odd cases',
    apply: (delivery) =>
      withHeaders(
        delivery,
        delivery.headers.map(([name, value]) => [oddly(name), value]),
      ),
  },
  {
    name: 'many headers',
    apply: (delivery, _kit, scale) =>
      withHeaders(delivery, [
        ...delivery.headers,
        ...Array.from({ length: scale }, (_, n): Header => [`X-Odd-${n}`, 'x']),
      ]),
  },
  {
    name: 'a long header',
    apply: (delivery, _kit, scale) =>
      withHeaders(delivery, [...delivery.headers, ['X-Odd', 'x'.repeat(scale * 300 + 1)]]),
  },
];

const contentTypes: readonly (string | null)[] = [
  null,
  '',
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'application/xml',
  'application/octet-stream',
  'json',
  'application/json; charset=x-unknown',
];

const methods = ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

const laxServer =
  'It was accepted, so the HTTP server takes more than the standard allows. A proxy before it may read such a request in another ' +
  'way. Keep the server up to date, use its strict mode where it has one, or let a stricter server stand before it.';

/** RFC 9112: what is no HTTP is refused or cut off. */
export const illegalHttp = hostileCheck<HostileCase>({
  id: 'receiver/robustness/illegal-http',
  title: 'refuses what is not HTTP, and goes on serving',
  cases: casesOf(wrongHttp),
  run: (kit, { notification, manner, scale }) =>
    expectIllegalRefused(kit, manner.apply(kit.compose(notification), kit, scale), manner.name, laxServer),
  hint:
    'Leave this to the HTTP server of your platform, and keep it up to date. Where it throws while you read the body, answer 400 or close ' +
    'the connection: the error of a handler becomes a 500.',
});

/** RFC 9110 and 9112: legal ways to send a body that are seldom seen. */
export const unusualFraming = hostileCheck<HostileCase>({
  id: 'receiver/robustness/unusual-framing',
  title: 'answers chunked, tiny-chunk, expectant and pipelined requests',
  cases: casesOf(oddFraming),
  run: (kit, { notification, manner, scale }) =>
    expectAnswered(kit, manner.apply(kit.compose(notification), kit, scale), manner.name),
  hint: 'A server must answer "Expect: 100-continue" at once, and must know where a chunked body ends. A hand-written loop over the socket seldom does.',
});

/** RFC 9110, section 8.3: a wrong or missing content type. */
export const unusualContentType = hostileCheck<{ notification: Notification; contentType: string | null }>({
  id: 'receiver/robustness/content-type',
  title: 'answers wrong and missing content types',
  weight: 0.3,
  cases: (draw) =>
    contentTypes.map((contentType) =>
      fc.record({ contentType: fc.constant(contentType), notification: draw.notification() }),
    ),
  run: (kit, { notification, contentType }) =>
    expectAnswered(
      kit,
      kit.compose(notification, { contentType }),
      contentType === null ? 'no Content-Type' : `Content-Type: ${JSON.stringify(contentType)}`,
    ),
  hint:
    'Answer 415, or read the bytes whatever their type. When a body parser skips a body because of its type, ' +
    'the handler waits for ever for a stream that nobody reads.',
});

/** RFC 9110, section 9: other methods than the contract's. */
export const otherMethods = hostileCheck<{ notification: Notification; method: string }>({
  id: 'receiver/robustness/other-methods',
  title: 'answers other methods than the one of a delivery',
  weight: 0.3,
  cases: (draw) =>
    methods.map((method) => fc.record({ method: fc.constant(method), notification: draw.notification() })),
  run: (kit, { notification, method }) => {
    const delivery = { ...kit.compose(notification), method };
    return expectAnswered(kit, overOwnConnection(delivery), `the method ${method}`);
  },
  hint: 'Answer 404 or 405 to methods that you do not serve.',
});

function casesOf(manners: readonly Manner[]) {
  return (draw: Draw): readonly fc.Arbitrary<HostileCase>[] =>
    manners.map((manner) =>
      fc.record({ manner: fc.constant(manner), scale: fc.nat({ max: 200 }), notification: draw.notification() }),
    );
}

function bytes(text: string) {
  return { send: 'bytes', base64: Buffer.from(text, 'latin1').toString('base64') } as const;
}

function withHeaders(delivery: Delivery, headers: readonly Header[]): Delivery {
  return overOwnConnection({ ...delivery, headers });
}

function framedBy(delivery: Delivery, header: Header, before = ''): Delivery {
  const steps = [{ send: 'head' }, bytes(before), { send: 'body', from: 0, to: 1 }, { end: 'fin' }] as const;
  return onWire({ ...delivery, headers: [...delivery.headers, header] }, steps, { framing: 'none' });
}

function cutShort(delivery: Delivery): Delivery {
  // A byte at least is missing, however short the body is.
  const to = 1 - Math.max(0.1, 1 / delivery.body.length);
  return onWire(delivery, upTo(to, { end: 'fin' }));
}

function inPieces(delivery: Delivery, framing: 'chunked' | 'length', pieces: number): Delivery {
  const parts = Array.from({ length: pieces }, (_, n): readonly WireStep[] => [
    { pause: 1 },
    { send: 'body', from: n / pieces, to: (n + 1) / pieces },
  ]);
  return onWire(delivery, [{ send: 'head' }, ...parts.flat()], { framing });
}

function expecting(delivery: Delivery, timeLimit: number): Delivery {
  const steps = [{ send: 'head' }, { awaitContinue: timeLimit }, { send: 'body', from: 0, to: 1 }] as const;
  return onWire({ ...delivery, headers: [...delivery.headers, ['Expect', '100-continue']] }, steps);
}

function pipelined(delivery: Delivery): Delivery {
  return onWire({ ...delivery, headers: [...delivery.headers, ['Connection', 'keep-alive']] }, [...whole, ...whole]);
}

function oddly(name: string): string {
  return Array.from(name, (letter, place) => (place % 3 === 1 ? letter.toUpperCase() : letter.toLowerCase())).join('');
}
