import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as it arrived. */
export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer;
}

/** A server on a free port that answers with a status and keeps what it was asked. */
export interface RecordingServer {
  /** Without a slash at its end. */
  readonly base: string;
  readonly received: readonly Received[];
  forget(): void;
  stop(): Promise<void>;
}

/** @param status - by the number of the request, from 1. Default: 200 */
export async function startRecordingServer(
  status: number | ((number: number) => number) = 200,
): Promise<RecordingServer> {
  let received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { rawHeaders, method = '', url: path = '' } = request;
      const headers = rawHeaders.flatMap((name, at) =>
        at % 2 === 0 ? [[name, rawHeaders[at + 1] ?? ''] as const] : [],
      );
      received.push({ method, path, headers, body: Buffer.concat(chunks) });
      response.writeHead(typeof status === 'number' ? status : status(received.length)).end('seen');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get received() {
      return received;
    },
    forget: () => void (received = []),
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The headers without what the framing of any request adds. */
export function own({ headers }: Received): readonly (readonly [string, string])[] {
  return headers.filter(([name]) => !/^(host|content-length|connection)$/i.test(name));
}
