import { connect } from 'node:net';
import { request } from 'node:http';

import { changedService, sendPassed } from './enclosures.ts';
import type { ZooTarget } from './zooTarget.ts';

/** What a service sends to an endpoint that it was given. */
type Flood = (url: URL) => unknown;

/** The reference service, which also sends this to every endpoint that a creation names, for the first few of them. */
export function sending(flood: Flood, most = 20) {
  let given = 0;
  return changedService(async ({ method, path, body }, response, pass) => {
    const all = await pass();
    sendPassed(response, all);
    const url = /"url":"(http[^"]+)"/.exec(body.toString())?.[1];
    if (method === 'POST' && path.endsWith('/webhooks') && all.status === 201 && url !== undefined && given++ < most)
      flood(new URL(url));
  });
}

/** Sends so many requests, a few at a time. */
function deliveries(count: number, bytes: number, pathOf = (url: URL) => url.pathname): Flood {
  return async (url) => {
    const body = Buffer.alloc(bytes, '1');
    const next = async (): Promise<void> => {
      for (let sent = 0; sent < count / 8; sent += 1) await delivered(url, pathOf(url), body);
    };
    await Promise.all(Array.from({ length: 8 }, next)).catch(() => {});
  };
}

function delivered({ hostname, port }: URL, path: string, body: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': body.length };
    const call = request({ host: hostname, port, method: 'POST', path, headers }, (answer) =>
      answer.resume().once('close', resolve),
    );
    call.once('error', reject).end(body);
  });
}

/** Opens so many connections, and writes this to each of them. */
export function connections(count: number, text: string): Flood {
  return ({ hostname, port, pathname }) => {
    for (let made = 0; made < count; made += 1) {
      const socket = connect(Number(port), hostname).on('error', () => {});
      socket.once('connect', () => socket.write(text.replaceAll('PATH', pathname)));
      socket.resume().setTimeout(30_000, () => socket.destroy());
    }
  };
}

const row = (name: string, flood: Flood, most?: number): ZooTarget => ({
  name,
  start: sending(flood, most),
  exits: [0, 1, 3],
  time: '8s',
  seconds: 25,
});

/** Services that send to the catcher what nobody asked for. */
export const floods: readonly ZooTarget[] = [
  row('delivers 18,000 times what nobody asked for', deliveries(900, 200)),
  row('delivers 400 times a megabyte', deliveries(20, 1_000_000)),
  {
    ...row('delivers 40 times a megabyte to each endpoint', deliveries(40, 1_000_000), Infinity),
    says: /not\s+all was looked at/,
  },
  row('delivers 900 times a hundred bytes to each endpoint', deliveries(900, 100), Infinity),
  row(
    'delivers 2,000 times to paths that were never given out',
    deliveries(100, 200, () => '/nowhere'),
  ),
  row('opens 400 connections to the catcher and says nothing', connections(20, '')),
  row('sends the catcher garbage', connections(20, '\u0000\u0001\u0002 no HTTP\r\n\r\n')),
  row('sends the catcher TLS', connections(20, '\u0016\u0003\u0001\u0002\u0000')),
  row('sends the catcher bodies that never end', connections(20, 'POST PATH HTTP/1.1\r\nContent-Length: 99\r\n\r\n1')),
  row(
    'sends the catcher headers of a megabyte',
    connections(5, `POST PATH HTTP/1.1\r\nX: ${'a'.repeat(1_100_000)}\r\n\r\n`),
  ),
];
