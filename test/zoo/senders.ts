import { request } from 'node:http';
import { connect } from 'node:net';

import type { ZooTarget } from './zooTarget.ts';

/** What is sent to `seaworthy listen`. */
type Sending = (url: URL) => Promise<unknown>;

const wait = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms));

/** Posts a body so many times, a few at a time. */
function posting(body: Buffer | string, count = 1, headers = {}): Sending {
  return async (url) => {
    let left = count;
    const next = async (): Promise<void> => {
      while (left-- > 0) await posted(url, Buffer.from(body), headers);
    };
    await Promise.all(Array.from({ length: Math.min(count, 8) }, next));
  };
}

function posted(url: URL, body: Buffer, headers: Readonly<Record<string, string>>): Promise<void> {
  return new Promise((resolve) => {
    const length = { 'content-type': 'application/json', 'content-length': body.length };
    const call = request(url, { method: 'POST', headers: { ...length, ...headers } }, (answer) =>
      answer.resume().once('close', resolve),
    );
    call.once('error', () => resolve()).end(body);
  });
}

/** Opens so many connections, writes this, and waits. */
export function writing(text: string, count = 1): Sending {
  return async ({ hostname, port, pathname }) => {
    const sockets = Array.from({ length: count }, () => connect(Number(port), hostname).on('error', () => {}));
    for (const socket of sockets)
      socket.resume().once('connect', () => socket.write(text.replaceAll('PATH', pathname)));
    await wait(1500);
    for (const socket of sockets) socket.destroy();
  };
}

const post = 'POST PATH HTTP/1.1\r\nHost: a\r\n';

export const sender = (name: string, visitor: Sending, exits: readonly number[] = [0, 1]): ZooTarget => ({
  name,
  start: async () => ({ words: ['listen', '--port', '0'], visitor, close: async () => {} }),
  exits,
  seconds: 40,
});

/** Senders that `seaworthy listen` has to outlive. */
export const senders: readonly ZooTarget[] = [
  { ...sender('sends nothing', () => wait(500)), daily: true },
  sender('sends a delivery that is none', posting('no JSON'), [1]),
  sender('sends 3,000 deliveries', posting('{"data":{"id":"a"}}', 3000), [1]),
  sender('sends a body of 100 MB', posting(Buffer.alloc(100e6, '1'))),
  sender('sends 20 bodies of 5 MB', posting(Buffer.alloc(5e6, '1'), 20)),
  sender('sends 100,000 levels of lists', posting('['.repeat(100_000) + ']'.repeat(100_000)), [1]),
  sender('sends keys like __proto__', posting('{"__proto__":{"data":1},"data":{"id":{"constructor":1}}}'), [1]),
  sender('sends bytes that are no UTF-8', posting(Buffer.from([0xff, 0xfe, 0x00, 0xc3])), [1]),
  sender('sends control sequences of a terminal', posting('{"data":{"id":"\u001b[2J\u001b]0;x\u0007"}}'), [1]),
  sender('sends garbage', writing('\u0000\u0001 no HTTP\r\n\r\n')),
  sender('sends TLS', writing('\u0016\u0003\u0001\u0002\u0000')),
  sender('sends headers of a megabyte', writing(`${post}X: ${'a'.repeat(1_100_000)}\r\n\r\n`)),
  sender('sends a body that never ends', writing(`${post}Content-Length: 99\r\n\r\n1`, 20)),
  sender(
    'sends a length and chunks at once',
    writing(`${post}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`),
  ),
  sender('opens 500 connections and says nothing', writing('', 500)),
];
