import type { Socket } from 'node:net';

/** What a target does with a connection. */
export type Script = (socket: Socket, index: number) => void;

/** Says something once the first bytes of a request have come. */
function once(socket: Socket, answer: (socket: Socket) => unknown): void {
  socket.once('data', () => {
    socket.resume();
    answer(socket);
  });
}

/** Writes for as long as the other side takes it. */
export function forEver(socket: Pick<Socket, 'destroyed' | 'write' | 'once'>, chunk: Buffer): void {
  const write = (): void => {
    while (!socket.destroyed && socket.write(chunk));
    if (!socket.destroyed) socket.once('drain', write);
  };
  write();
}

/** Answers each connection with this text, and closes it. */
export function saying(text: string): Script {
  return (socket) => once(socket, () => socket.end(Buffer.from(text, 'latin1')));
}

/** Answers each connection with this text, and resets it. */
export function breakingOff(text: string): Script {
  return (socket) =>
    once(socket, () => (text === '' ? socket.resetAndDestroy() : socket.write(text, () => socket.resetAndDestroy())));
}

/** Answers each connection with this text, a byte every so many milliseconds. */
export function dripping(text: string, ms: number): Script {
  return (socket) =>
    once(socket, () => {
      const bytes = Buffer.from(text, 'latin1');
      let sent = 0;
      const timer = setInterval(() => {
        if (sent < bytes.length) socket.write(bytes.subarray(sent, ++sent));
        else socket.end();
      }, ms);
      socket.once('close', () => clearInterval(timer));
    });
}

/** Answers each connection with the first text, and then with the second for as long as it is taken. */
export function flooding(first: string, again: string): Script {
  return (socket) =>
    once(socket, () => {
      socket.write(first);
      if (again !== '') forEver(socket, Buffer.from(again.repeat(Math.ceil(65_536 / again.length))));
    });
}
