import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';

/** A TCP server on an ephemeral port that hands each connection to a script. */
export interface RawServer {
  readonly server: Server;
  readonly url: URL;
  readonly sockets: readonly Socket[];
  /** Resolves when every connection is closed, none of them from here first. */
  drained(): Promise<void>;
  /** Stops listening, and destroys what is open. */
  close(): Promise<void>;
}

export async function startRawServer(
  script: (socket: Socket, index: number) => void,
  options: { readonly allowHalfOpen?: boolean } = {},
): Promise<RawServer> {
  const sockets: Socket[] = [];
  const server = createServer(options, (socket) => {
    sockets.push(socket.on('error', () => {}));
    script(socket, sockets.length - 1);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    server,
    url: new URL(`http://127.0.0.1:${port}/hooks?tenant=a%20b`),
    sockets,
    async drained() {
      for (const socket of sockets) if (!socket.closed) await once(socket.resume(), 'close');
    },
    async close() {
      sockets.forEach((socket) => socket.destroy());
      if (!server.listening) return;
      server.close();
      await once(server, 'close');
    },
  };
}

/** Everything that a socket sends, as latin1 text, until it holds what is waited for. */
export function received(socket: Socket, until: (text: string) => boolean): Promise<string> {
  let text = '';
  return new Promise((resolve, reject) => {
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
      if (until(text)) resolve(text);
    });
    socket.on('close', () => reject(new Error(`the connection was closed after ${JSON.stringify(text)}`)));
  });
}

export const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
