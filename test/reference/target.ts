import { createHmac, randomUUID } from 'node:crypto';
import { request, type ClientRequest } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export const header = 'X-SVC-Webhook-Signature';

/** What came back; status 0 where the connection broke, -1 where nothing came in time. */
export interface Seen {
  readonly status: number;
  readonly headers: string;
  readonly body: string;
}

export interface Sending {
  /** Default: a plain notification under a fresh id. */
  readonly body?: string | Buffer;
  /** Default: the right one. `null` leaves the header out; a list sends one line each. */
  readonly signature?: string | null | readonly string[];
  readonly signatureName?: string;
  readonly contentType?: string | null;
  readonly headers?: readonly string[];
  readonly method?: string;
  /** Path and query. Default: the receiver's. */
  readonly path?: string;
  /** The address that it comes from. Default: the usual one. */
  readonly from?: string;
  /** Default false: with a Content-Length. */
  readonly chunked?: boolean;
  /** Byte at which the body is cut: the rest is sent a moment later. Default: it is sent whole. */
  readonly cutAt?: number;
  /** In ms. Default 5000. */
  readonly timeout?: number;
}

/** A notification as the service writes it: compact JSON, ASCII. `data` and `attributes` replace members. */
export function notification(
  id: string = randomUUID(),
  { data = {}, attributes = {}, ...top }: { data?: object; attributes?: object; [member: string]: unknown } = {},
): string {
  const event = 'container.transport.vessel_arrived';
  const plain = { event, delivery_status: 'pending', created_at: '2026-03-01T08:00:00Z' };
  return JSON.stringify({
    data: { id, type: 'webhook_notification', attributes: { ...plain, ...attributes }, ...data },
    included: [{ id: 'c1', type: 'container', attributes: { number: 'MSCU1234566' } }],
    ...top,
  });
}

export function signatureOf(body: string | Buffer, secret: string): string {
  return createHmac('sha256', secret).update(body).digest('hex');
}

export function isAccepting({ status }: Seen): boolean {
  return [200, 201, 202, 204].includes(status);
}

/** No event shows when the first part was read, so the second one comes well after it. */
async function inTwoParts(sent: ClientRequest, body: Buffer, cutAt: number): Promise<void> {
  sent.write(body.subarray(0, cutAt));
  await sleep(50);
  sent.end(body.subarray(cutAt));
}

/** A receiver seen from outside: its URL, its secrets and its probe. */
export class Target {
  readonly url: URL;
  readonly probe: string;
  readonly secrets: readonly string[];

  constructor(running: { readonly url: string; readonly probe: string }, secrets: readonly string[]) {
    this.url = new URL(running.url);
    this.probe = running.probe;
    this.secrets = secrets;
  }

  sign(body: string | Buffer): string {
    return signatureOf(body, this.secrets[0]!);
  }

  /** One request over a connection of its own. */
  send(sending: Sending = {}): Promise<Seen> {
    const body = Buffer.from(sending.body ?? notification());
    const { method = 'POST', path = this.url.pathname, from, timeout = 5000 } = sending;
    return new Promise((resolve) => {
      const sent = request(
        this.url,
        {
          method,
          path,
          agent: false,
          headers: this.#headers(sending, body),
          timeout,
          ...(from !== undefined && { localAddress: from }),
        },
        (answer) => {
          const chunks: Buffer[] = [];
          answer.on('data', (chunk: Buffer) => chunks.push(chunk));
          answer.on('error', () => resolve({ status: 0, headers: '', body: '' }));
          answer.on('end', () =>
            resolve({
              status: answer.statusCode!,
              headers: answer.rawHeaders.join('\n'),
              body: Buffer.concat(chunks).toString(),
            }),
          );
        },
      );
      sent.on('timeout', () => {
        resolve({ status: -1, headers: '', body: '' });
        sent.destroy();
      });
      sent.on('error', () => resolve({ status: 0, headers: '', body: '' }));
      if (sending.cutAt === undefined) sent.end(body);
      else void inTwoParts(sent, body, sending.cutAt);
    });
  }

  /** Sends the head and a part of the body. */
  begin(body: string, fraction: number, extra: readonly string[] = []): Promise<Socket> {
    const headers = [...this.#headers({}, Buffer.from(body)), ...extra];
    const lines = Array.from({ length: headers.length / 2 }, (_, at) => `${headers[2 * at]}: ${headers[2 * at + 1]}`);
    const head = `POST ${this.url.pathname} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`;
    const part = body.slice(0, Math.floor(body.length * fraction));
    return new Promise((resolve, reject) => {
      const socket = connect({ host: this.url.hostname, port: Number(this.url.port) });
      socket.on('error', reject);
      socket.write(head + part, () => resolve(socket));
    });
  }

  /** Breaks the connection after a part of the body; settles when the receiver has noticed. */
  async breakOff(body: string, fraction: number): Promise<void> {
    const socket = await this.begin(body, fraction);
    const noticed = new Promise((resolve) => socket.on('close', resolve));
    socket.on('error', () => {});
    socket.resume().end();
    await noticed;
  }

  /** Sends bytes as they are; settles when the receiver has closed the connection. Returns what it sent until then. */
  async sendBytes(bytes: string): Promise<string> {
    const socket = connect({ host: this.url.hostname, port: Number(this.url.port) });
    const closed = new Promise((resolve) => socket.on('close', resolve));
    const chunks: Buffer[] = [];
    socket.on('error', () => {});
    socket.on('data', (chunk: Buffer) => chunks.push(chunk)).end(bytes);
    await closed;
    return Buffer.concat(chunks).toString();
  }

  /** A request as it goes over the wire. */
  written(sending: Sending & { readonly body: string }, version = 'HTTP/1.1'): string {
    const all = this.#headers(sending, Buffer.from(sending.body));
    const lines = Array.from({ length: all.length / 2 }, (_, at) => `${all[2 * at]}: ${all[2 * at + 1]}\r\n`);
    return `POST ${this.url.pathname} ${version}\r\n${lines.join('')}\r\n${sending.body}`;
  }

  async effects(id: string): Promise<number> {
    const answer = await fetch(this.probe.replace('{id}', encodeURIComponent(id)), {
      headers: { connection: 'close' },
    });
    return ((await answer.json()) as { count: number }).count;
  }

  /** Waits until the notification took effect. */
  async effective(id: string): Promise<void> {
    const end = performance.now() + 5000;
    while ((await this.effects(id)) === 0) {
      if (performance.now() > end) throw new Error(`${id} took no effect within 5 s`);
    }
  }

  /** The number of effects once all that was accepted before has taken effect: they happen in order. */
  async settledEffects(id: string): Promise<number> {
    const last = randomUUID();
    // Another event: some faults take two of one event, close together, for one.
    const answer = await this.send({
      body: notification(last, { attributes: { event: 'container.transport.vessel_departed' } }),
    });
    if (!isAccepting(answer)) throw new Error(`a plain delivery was answered with ${answer.status}`);
    await this.effective(last);
    return this.effects(id);
  }

  #headers(
    { signature, signatureName = header, contentType = 'application/json', headers = [], chunked = false }: Sending,
    body: Buffer,
  ) {
    const signatures = signature === undefined ? [this.sign(body)] : signature === null ? [] : [signature].flat();
    return [
      'Host',
      this.url.host,
      ...(chunked ? ['Transfer-Encoding', 'chunked'] : ['Content-Length', String(body.length)]),
      'Connection',
      'close',
      ...(contentType === null ? [] : ['Content-Type', contentType]),
      ...signatures.flatMap((value) => [signatureName, value]),
      ...headers,
    ];
  }
}
