import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';

import {
  asItIs,
  changedReceiver,
  changedService,
  rawReceiver,
  receiverWords,
  sendPassed,
  type Change,
} from './enclosures.ts';
import { sender, writing } from './senders.ts';
import { json, listed } from './services.ts';
import { saying, type Script } from './sockets.ts';
import type { Enclosure, ZooTarget } from './zooTarget.ts';

const [accepting, anything] = [
  [1, 3],
  [0, 1, 3],
];

const raw = (name: string, script: Script, exits: readonly number[]): ZooTarget => ({
  name,
  start: rawReceiver(script, ['--timeout', '300ms']),
  exits,
  ...(exits.includes(1) && { time: '15s', seconds: 30 }),
});

const says = (name: string, text: string, exits: readonly number[]): ZooTarget => raw(name, saying(text), exits);

/** Says that it closes the connection, and leaves it open. */
const neverCloses: Script = (socket) =>
  socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'));

/** What listens, and never comes to take a connection: a process that sleeps for ever. */
const sleeping = `
  const server = require('net').createServer().listen(0, '127.0.0.1', 1, () => {
    require('fs').writeSync(1, String(server.address().port) + '\\n');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  });`;

async function asleep(): Promise<Enclosure> {
  const child = spawn(process.execPath, ['-e', sleeping], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [port] = (await once(child.stdout, 'data')) as [Buffer];
  const close = async (): Promise<unknown> => child.kill('SIGKILL') && once(child, 'close');
  return { words: [...receiverWords(`http://127.0.0.1:${String(port).trim()}/hooks`), '--timeout', '300ms'], close };
}

/** Changes the head of each answer. */
const withHeaders = (headers: Readonly<Record<string, string | string[]>>): Change => {
  return async (_, response, pass) => {
    const all = await pass();
    sendPassed(response, { ...all, headers: { ...all.headers, ...headers } });
  };
};

/** Answers with what it was sent. */
const echoing: Change = async ({ body }, response, pass) => sendPassed(response, { ...(await pass()), body });

const cookies = Array.from({ length: 40 }, (_, at) => `cookie-${at}=${'a'.repeat(1000)}`);

/** Takes no connections for two seconds after every fortieth request. */
const blinking: Change = async (seen, response, pass) => {
  sendPassed(response, await pass());
  if (seen.count % 40 !== 0) return;
  const server = (response.socket as unknown as { readonly server: Server }).server;
  const { port } = server.address() as AddressInfo;
  server.close();
  setTimeout(() => server.listening || server.listen(port, '127.0.0.1'), 2000).unref();
};

/** Answers what comes from it where the request is one of these, in other words. */
function rewritten(method: string, ending: RegExp, change: (body: string) => string): Change {
  return async (seen, response, pass) => {
    const all = await pass();
    if (seen.method !== method || !ending.test(seen.path)) return sendPassed(response, all);
    return sendPassed(response, { ...all, body: Buffer.from(change(all.body.toString())) });
  };
}

/** Takes eight deliveries within a tenth of a second, and answers 429 to more. */
function rateLimited(): Change {
  let recent: readonly number[] = [];
  return async ({ method }, response, pass) => {
    const now = performance.now();
    if (method === 'POST') recent = [...recent.filter((at) => now - at < 100), now];
    if (method !== 'POST' || recent.length <= 8) return sendPassed(response, await pass());
    return response.writeHead(429).end();
  };
}

/** Writes a megabyte beside the size of each chunk. */
const wordy: Change = async ({ path }, response, pass) => {
  const { status, headers, body } = await pass();
  if (path.startsWith('/effects/')) return sendPassed(response, { status, headers, body });
  const chunk = `2;${'a'.repeat(1e6)}\r\nok\r\n0\r\n\r\n`;
  return response.socket?.write(`HTTP/1.1 ${status} OK\r\nTransfer-Encoding: chunked\r\n\r\n${chunk}`);
};

const countingInWords: Change = async ({ path }, response, pass) => {
  if (!path.startsWith('/effects/')) return sendPassed(response, await pass());
  return response.writeHead(200, json).end('{"count":"one"}');
};

export const thirdReceivers: readonly ZooTarget[] = [
  says(
    'says that its text is compressed',
    'HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 5\r\n\r\nhello',
    accepting,
  ),
  says('gives a reason of 64 KB', `HTTP/1.1 200 ${'so '.repeat(22_000)}\r\nContent-Length: 0\r\n\r\n`, accepting),
  raw('says that it closes, and never does', neverCloses, accepting),
  raw('ends its side before it reads anything', (socket) => socket.end(), [3]),
  { name: 'listens, and never takes a connection', start: asleep, exits: [3] },
  says('announces a length of +5', 'HTTP/1.1 200 OK\r\nContent-Length: +5\r\n\r\nhello', accepting),
  says(
    'asks for patience until the year 9999',
    'HTTP/1.1 503 Busy\r\nRetry-After: Fri, 31 Dec 9999 23:59:59 GMT\r\nContent-Length: 0\r\n\r\n',
    [3],
  ),
  says(
    'asks for patience in words',
    'HTTP/1.1 429 Busy\r\nRetry-After: NaN\r\nRetry-After: -1\r\nContent-Length: 0\r\n\r\n',
    [3],
  ),
  {
    name: 'conforms, and sets forty cookies of a kilobyte',
    start: changedReceiver(withHeaders({ 'set-cookie': cookies })),
    exits: [0, 3],
    broken: [],
    time: '15s',
    seconds: 30,
  },
  {
    name: 'conforms, and answers with what it was sent',
    start: changedReceiver(echoing),
    exits: [0],
    broken: [],
    time: '20s',
    seconds: 35,
  },
  {
    name: 'conforms, and takes eight deliveries in a tenth of a second',
    start: changedReceiver(rateLimited()),
    exits: [0, 3],
    broken: [],
    time: '15s',
    seconds: 30,
  },
  {
    name: 'conforms, and writes a megabyte beside the size of each chunk',
    start: changedReceiver(wordy),
    exits: [0, 3],
    broken: [],
  },
  {
    name: 'conforms, with a probe that counts in words',
    start: changedReceiver(countingInWords, ['--probe', 'ORIGIN/effects/{id}']),
    exits: [2],
    time: '15s',
  },
  {
    name: 'closes its port again and again, for two seconds',
    start: changedReceiver(blinking),
    exits: anything,
    time: '15s',
    seconds: 30,
  },
];

export const thirdServices: readonly ZooTarget[] = [
  {
    name: 'creates webhooks with an id of a megabyte',
    start: changedService(
      rewritten('POST', /\/webhooks$/, (body) => body.replace(/"id":"[^"]*"/, `"id":"${'a'.repeat(1e6)}"`)),
    ),
    exits: anything,
  },
  {
    name: 'links to a file of the machine',
    start: changedService(
      listed('{"data":[{"id":"a","type":"webhook"}],"links":{"next":"file:///etc/passwd?page=2"}}'),
    ),
    exits: anything,
  },
  {
    name: 'says that it registered another URL',
    start: changedService(
      rewritten('POST', /\/webhooks$/, (body) =>
        body.replace(/"url":"[^"]*"/, '"url":"http://169.254.169.254/latest/meta-data"'),
      ),
    ),
    exits: accepting,
  },
  {
    name: 'does not find what it is to delete',
    start: changedService(({ method }, response, pass) =>
      method === 'DELETE' ? response.writeHead(404).end() : asItIs({} as never, response, pass),
    ),
    exits: anything,
  },
  {
    name: 'raises each event a hundred times',
    start: changedService(
      async ({ path }, response, pass) => {
        const all = await pass();
        if (path === '/emit') for (let more = 1; more < 100; more += 1) await pass();
        sendPassed(response, all);
      },
      ['--emit', 'ORIGIN/emit'],
    ),
    exits: anything,
    time: '12s',
    seconds: 35,
  },
  {
    name: 'names ids with half of a character',
    start: changedService(rewritten('POST', /\/webhooks$/, (body) => body.replace(/"id":"[^"]*"/, '"id":"\\ud800"'))),
    exits: anything,
  },
  {
    name: 'names a member with a megabyte',
    start: changedService(async (_, response, pass) => {
      const all = await pass();
      const body = Buffer.from(all.body.toString().replace(/^\{/, `{"${'a'.repeat(1e6)}":1,`));
      sendPassed(response, { ...all, body });
    }),
    exits: anything,
    says: /^[^]{1,100000}$/,
  },
  {
    name: 'conforms, and the kit may open 32 files',
    start: changedService(asItIs),
    before: 'ulimit -n 32',
    exits: [0, 2, 3],
    broken: [],
  },
  {
    name: 'gives out secrets that clear the screen',
    start: changedService(
      rewritten('POST', /\/webhooks$/, (body) =>
        body.replace(/"secret":"[^"]*"/, '"secret":"\\u001b[2J\\u001b]0;x\\u0007\\r\\n::error::x"'),
      ),
    ),
    exits: accepting,
    // eslint-disable-next-line no-control-regex
    says: /^[^\u001b]*$/,
  },
];

const post = 'POST PATH HTTP/1.1\r\nHost: a\r\n';

/** Breaks off so many connections within a body. */
const resetting = async ({ hostname, port, pathname }: URL): Promise<void> => {
  const closed: Promise<void>[] = [];
  for (let made = 0; made < 200; made += 1) {
    const socket = connect(Number(port), hostname).on('error', () => {});
    closed.push(new Promise((resolve) => socket.once('close', () => resolve())));
    await once(socket, 'connect');
    socket.write(`${post.replace('PATH', pathname)}Content-Length: 99\r\n\r\n{"data"`, () => socket.resetAndDestroy());
  }
  await Promise.all(closed);
};

export const thirdSenders: readonly ZooTarget[] = [
  sender(
    'writes 100 KB beside the size of a chunk',
    writing(`${post}Transfer-Encoding: chunked\r\n\r\n5;a=${'b'.repeat(100_000)}\r\nhello\r\n0\r\n\r\n`),
  ),
  sender('resets 200 connections within a body', resetting, [1]),
];
