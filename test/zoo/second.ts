import { gzipSync } from 'node:zlib';

import { asItIs, changedReceiver, changedService, rawReceiver, sendPassed, type Change } from './enclosures.ts';
import { sending, connections } from './floods.ts';
import { sender, writing } from './senders.ts';
import { saying } from './sockets.ts';
import { created, json, listed } from './services.ts';
import type { ZooTarget } from './zooTarget.ts';

const accepting = [1, 3];
const anything = [0, 1, 3];

const says = (name: string, text: string, exits: readonly number[]): ZooTarget => ({
  name,
  start: rawReceiver(saying(text), ['--timeout', '300ms']),
  exits,
  ...(exits.includes(1) && { time: '15s', seconds: 30 }),
});

/** Changes the body of each answer. */
function rewritten(change: (body: string) => Buffer | string, headers = {}): Change {
  return async (_, response, pass) => {
    const all = await pass();
    const body = all.body.length === 0 ? all.body : Buffer.from(change(all.body.toString()));
    sendPassed(response, { ...all, body, headers: { ...all.headers, ...headers } });
  };
}

/** Refuses every third request for the time being. */
const busy: Change = (seen, response, pass) =>
  seen.count % 3 === 0 ? response.writeHead(429, { 'retry-after': '1' }).end() : asItIs(seen, response, pass);

/** The same answer in chunks, with a trailer. */
const trailing: Change = async (_, response, pass) => {
  const { status, headers, body } = await pass();
  const { 'content-length': __, connection: ___, 'transfer-encoding': ____, ...rest } = headers;
  response.writeHead(status, { ...rest, trailer: 'X-Digest', 'transfer-encoding': 'chunked' });
  for (const byte of body) response.write(Buffer.from([byte]));
  response.addTrailers({ 'X-Digest': 'a' });
  response.end();
};

export const secondReceivers: readonly ZooTarget[] = [
  says('speaks HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', [3]),
  says('answers in lower case', 'http/1.1 200 ok\r\ncontent-length: 0\r\n\r\n', accepting),
  says('answers HTTP/1.0 without a length', 'HTTP/1.0 200 OK\r\n\r\nok', accepting),
  says('ends its lines with LF alone', 'HTTP/1.1 200 OK\nContent-Length: 2\n\nok', accepting),
  says('gives no reason with its status', 'HTTP/1.1 200\r\nContent-Length: 2\r\n\r\nok', accepting),
  says('gives its reason in Chinese', 'HTTP/1.1 200 \u00e5\u00a5\u00bd\r\nContent-Length: 2\r\n\r\nok', accepting),
  says('answers 408 to everything', 'HTTP/1.1 408 Late\r\nContent-Length: 0\r\n\r\n', [3]),
  {
    name: 'conforms, and answers in chunks with a trailer',
    start: changedReceiver(trailing),
    exits: [0],
    broken: [],
    time: '20s',
    seconds: 35,
  },
  { name: 'refuses every third request for the time being', start: changedReceiver(busy), exits: anything },
];

export const secondServices: readonly ZooTarget[] = [
  {
    name: 'puts a mark in front of its JSON',
    start: changedService(rewritten((body) => `\uFEFF${body}`)),
    exits: anything,
  },
  {
    name: 'names ids like paths',
    start: changedService(rewritten((body) => body.replaceAll('"id":"', '"id":"../../'))),
    exits: anything,
  },
  {
    name: 'lists one entry a thousand times',
    start: changedService(
      listed(`{"data":[${'{"id":"a","type":"webhook"},'.repeat(999)}{"id":"a","type":"webhook"}]}`),
    ),
    exits: anything,
  },
  { name: 'answers creations with an empty object', start: changedService(created('{}')), exits: anything },
  {
    name: 'answers lists with a compressed bomb',
    start: changedService(
      listed(gzipSync(Buffer.alloc(256 * 1024 * 1024, '[')), { ...json, 'content-encoding': 'gzip' }),
    ),
    exits: anything,
  },
  { name: 'refuses every third call for the time being', start: changedService(busy), exits: anything },
  {
    name: 'sends the catcher many deliveries at once over each connection',
    start: sending(connections(10, 'POST PATH HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\n1'.repeat(50))),
    exits: [0, 1, 3],
  },
];

export const secondSenders: readonly ZooTarget[] = [
  sender('speaks HTTP/2', writing('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')),
  sender(
    'sends a hundred deliveries in one write',
    writing('POST PATH HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\n1'.repeat(100)),
    [1],
  ),
  sender(
    'asks before it sends, and never does',
    writing('POST PATH HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 9\r\n\r\n', 20),
  ),
  sender('asks for a tunnel', writing('CONNECT 169.254.169.254:80 HTTP/1.1\r\nHost: a\r\n\r\n')),
];
