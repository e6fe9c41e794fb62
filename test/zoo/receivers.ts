import type { Socket } from 'node:net';

import { changedReceiver, rawReceiver, sendPassed } from './enclosures.ts';
import type { ZooTarget } from './zooTarget.ts';

/** Says something once the first bytes of a request have come. */
function once(socket: Socket, answer: (socket: Socket) => unknown): void {
  socket.once('data', () => {
    socket.resume();
    answer(socket);
  });
}

/** Writes for as long as the other side takes it. */
function forEver(socket: Socket, chunk: Buffer): void {
  const write = (): void => {
    while (!socket.destroyed && socket.write(chunk));
    if (!socket.destroyed) socket.once('drain', write);
  };
  write();
}

/** Receivers that no run may break on. */
export const receivers: readonly ZooTarget[] = [
  {
    name: 'conforms',
    start: changedReceiver(async (_, response, pass) => sendPassed(response, await pass())),
    exits: [0],
    broken: [],
  },
  {
    name: 'answers with a body that never ends, fast',
    start: rawReceiver((socket) =>
      once(socket, () => {
        socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: identity\r\n\r\n');
        forEver(socket, Buffer.alloc(64 * 1024, 'a'));
      }),
    ),
    exits: [1],
    broken: ['RCV-1', 'RCV-4'],
    time: '12s',
    seconds: 25,
  },
  {
    name: 'answers with a status and a body that never comes',
    start: rawReceiver(
      (socket) => once(socket, () => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n')),
      ['--timeout', '200ms'],
    ),
    exits: [1],
    broken: ['RCV-1', 'RCV-4'],
    time: '12s',
    seconds: 25,
  },
  {
    name: 'writes headers without end',
    start: rawReceiver((socket) =>
      once(socket, () => {
        socket.write('HTTP/1.1 200 OK\r\n');
        forEver(socket, Buffer.from('X-More: and more\r\n'.repeat(1000)));
      }),
    ),
    exits: [3],
  },
  {
    name: 'drops a tenth of all answers',
    start: changedReceiver(async (seen, response, pass) => {
      const all = await pass();
      if (seen.count % 10 === 9) response.socket?.destroy();
      else sendPassed(response, all);
    }),
    exits: [0, 3],
  },
  ...[64, 128].map((files): ZooTarget => ({
    name: `conforms, and the kit may open ${files} files`,
    start: changedReceiver(async (_, response, pass) => sendPassed(response, await pass())),
    before: `ulimit -n ${files}`,
    exits: [0],
    broken: [],
    time: '12s',
    seconds: 25,
  })),
];
