import { connect, createServer, type Server, type Socket } from 'node:net';
import { pipeline } from 'node:stream/promises';

/** Passes connections on to a port, as four processes would serve them that have one each until it is closed. */
export function fourAtATime(port: number): Server {
  const waiting: Socket[] = [];
  let free = 4;
  const serveNext = (): void => {
    const outside = free > 0 ? waiting.shift() : undefined;
    if (outside === undefined) return;
    free -= 1;
    const inside = connect(port, '127.0.0.1');
    void pipeline(outside, inside, outside)
      .catch(() => undefined)
      .finally(() => {
        free += 1;
        serveNext();
      });
  };
  return createServer({ pauseOnConnect: true }, (socket) => {
    waiting.push(socket);
    serveNext();
  });
}
