import { Agent as HttpAgent, request as overHttp } from 'node:http';
import { Agent as HttpsAgent, request as overHttps } from 'node:https';

/** As much of an answer as is read; what it says beyond its status does not matter. */
const enough = 64 * 1024;

export interface Posting {
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
  /** For the whole exchange, in milliseconds. */
  readonly timeout: number;
}

/** Connections stay open between requests, as they do for most clients. */
const agents = { http: new HttpAgent({ keepAlive: true }), https: new HttpsAgent({ keepAlive: true }) };

/**
 * One request. The status, or nothing where no whole answer came in time. What is cut off on a connection that had been kept open is
 * sent again at once on another, as libcurl does it by itself and Node's documents show it: the receiver may have closed it long ago.
 */
export function post(posting: Posting): Promise<number | undefined> {
  const { url, headers, body, timeout } = posting;
  const target = new URL(url);
  const secure = target.protocol === 'https:';
  const framing = ['Host', target.host, 'Content-Length', String(body.length)];
  return new Promise((resolve) => {
    const options = {
      method: 'POST',
      agent: secure ? agents.https : agents.http,
      headers: [...framing, ...headers.flat()],
    };
    const sent = (secure ? overHttps : overHttp)(target, options);
    // An answer that is already here, and only waits for a busy process to read it, is in time.
    let late = false;
    const timer = setTimeout(
      () =>
        setImmediate(() => {
          late = true;
          sent.destroy();
        }),
      timeout,
    );
    sent.on('error', () => resolve(sent.reusedSocket && !late ? post(posting) : undefined));
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
