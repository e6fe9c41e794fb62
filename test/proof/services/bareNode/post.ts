import { request as overHttp } from 'node:http';
import { request as overHttps } from 'node:https';

/** As much of an answer as is read; what it says beyond its status does not matter. */
const enough = 64 * 1024;

export interface Posting {
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
  /** For the whole exchange, in milliseconds. */
  readonly timeout: number;
}

/** One request, on a connection of its own. The status, or nothing where no whole answer came in time. */
export function post({ url, headers, body, timeout }: Posting): Promise<number | undefined> {
  const target = new URL(url);
  const request = target.protocol === 'https:' ? overHttps : overHttp;
  const framing = ['Host', target.host, 'Connection', 'close', 'Content-Length', String(body.length)];
  return new Promise((resolve) => {
    const sent = request(target, { method: 'POST', agent: false, headers: [...framing, ...headers.flat()] });
    // An answer that is already here, and only waits for a busy process to read it, is in time.
    const timer = setTimeout(() => setImmediate(() => sent.destroy()), timeout);
    sent.on('error', () => resolve(undefined));
    sent.on('close', () => {
      clearTimeout(timer);
      resolve(undefined);
    });
    sent.on('response', (answer) => {
      let read = 0;
      answer.on('error', () => resolve(undefined));
      answer.on('end', () => resolve(answer.statusCode));
      answer.on('data', (chunk: Buffer) => {
        read += chunk.length;
        if (read <= enough) return;
        resolve(answer.statusCode);
        sent.destroy();
      });
    });
    sent.end(body);
  });
}
