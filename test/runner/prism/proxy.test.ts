import { EventEmitter, once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import {
  createServer,
  type IncomingMessage,
  request as httpRequest,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import type { PassedCall } from '../../../runner/prism/proxy/judgeCall.ts';
import { startProxy, type RunningProxy } from '../../../runner/prism/proxy/proxy.ts';
import { loadContract } from '../../../spec/contract.ts';
import { startRawServer } from '../rawServer.ts';
import { runHere } from '../runHere.ts';

const contract = loadContract();
const token = { Authorization: 'Token key' };
const json = { ...token, 'Content-Type': 'application/json' };
const creation = '{ "data":{"type":"webhook","attributes":{"url":"https:\\/\\/example.com","active":true}} }';
const list = '{"data":[]}';

/** What a service is asked, whole. */
interface Asked {
  readonly method: string;
  readonly url: string;
  readonly rawHeaders: readonly string[];
  readonly body: string;
}

let service: Server;
let target: URL;
let asked: Asked[];
let answer: (request: IncomingMessage, response: ServerResponse) => void;
let proxy: RunningProxy;
let calls: PassedCall[];
let heard: EventEmitter;

beforeEach(async () => {
  asked = [];
  calls = [];
  heard = new EventEmitter();
  answer = (_, response) => response.writeHead(200, { 'Content-Type': 'application/json' }).end(list);
  service = createServer((request, response) => {
    void readAll(request).then((body) => {
      asked.push({
        method: request.method!,
        url: request.url!,
        rawHeaders: request.rawHeaders,
        body: body.toString('latin1'),
      });
      answer(request, response);
    });
  }).listen(0, '127.0.0.1');
  await once(service, 'listening');
  target = new URL(`http://127.0.0.1:${(service.address() as AddressInfo).port}/api/v2`);
  proxy = await start(target);
});

afterEach(async () => {
  await proxy.close();
  service.closeAllConnections();
  service.close();
});

function start(url: URL): Promise<RunningProxy> {
  return startProxy(contract, {
    target: url,
    host: '127.0.0.1',
    port: 0,
    insecure: false,
    onCall,
  });
}

function onCall(call: PassedCall): void {
  calls.push(call);
  heard.emit('call');
}

/** A call is heard of when its answer has gone through, which is a little later than when the client has it. */
async function hearing<Value>(making: Promise<Value>): Promise<Value> {
  const [made] = await Promise.all([making, once(heard, 'call')]);
  return made;
}

function call(...request: Parameters<typeof send>): Promise<Answered> {
  return hearing(send(...request));
}

async function readAll(stream: AsyncIterable<unknown>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

interface Answered {
  readonly status: number;
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
}

/** Sends a request as it stands, and returns the answer as it came. */
async function send(method: string, url: string, headers: Record<string, string>, body = ''): Promise<Answered> {
  const request = httpRequest(url, { method, headers, agent: false }).end(Buffer.from(body, 'latin1'));
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return { status: response.statusCode!, rawHeaders: response.rawHeaders, body: await readAll(response) };
}

function said(): readonly string[] {
  return calls.flatMap(({ remarks }) =>
    remarks.map(({ part, where, counts }) => `${part} ${where}${counts ? '' : ' (note)'}`),
  );
}

describe('what goes through', () => {
  it('stands below the same path as the service', () => {
    expect(new URL(proxy.url).pathname).toBe('/api/v2');
  });

  it('is the same bytes and headers, both ways', async () => {
    const odd = '{"data" : {"type":"webhook"},\t"n": 12345678901234567890, "b": "\xff\\u00e9"}';
    answer = (_, response) => {
      response.sendDate = false;
      response.writeHead(201, 'Yes Indeed', [
        'X-ODD-case',
        '\xe9',
        'Set-Cookie',
        'a=1',
        'Set-Cookie',
        'b=2',
        'content-LENGTH',
        '8',
      ]);
      response.end(Buffer.from('{ "a":1}'));
    };
    const sent = { ...json, 'x-LOWER-upper': '\xfc' };
    const got = await call('POST', `${proxy.url}/webhooks?a=%2F&b=c%20d`, sent, odd);
    expect(asked).toMatchObject([{ method: 'POST', url: '/api/v2/webhooks?a=%2F&b=c%20d', body: odd }]);
    const headers = asked[0]!.rawHeaders;
    for (const [name, value] of Object.entries(sent)) expect(headers[headers.indexOf(name) + 1]).toBe(value);
    expect(headers[headers.findIndex((name) => name.toLowerCase() === 'host') + 1]).toBe(target.host);
    expect(got).toMatchObject({ status: 201, body: Buffer.from('{ "a":1}') });
    expect(got.rawHeaders.slice(0, 8)).toEqual([
      'X-ODD-case',
      '\xe9',
      'Set-Cookie',
      'a=1',
      'Set-Cookie',
      'b=2',
      'content-LENGTH',
      '8',
    ]);
  });

  it('is not what belongs to the connection alone', async () => {
    await call('GET', `${proxy.url}/webhooks`, { ...token, Connection: 'close, X-Hop', 'X-Hop': '1', TE: 'trailers' });
    const names = asked[0]!.rawHeaders.map((name) => name.toLowerCase());
    expect(names).not.toContain('x-hop');
    expect(names).not.toContain('te');
  });

  it('is sent on as it comes, before the end of it', async () => {
    let finish = (): void => {};
    answer = (_, response) => {
      response.writeHead(200, json).write('{"data":');
      finish = () => response.end('[]}');
    };
    const request = httpRequest(`${proxy.url}/webhooks`, { headers: token, agent: false }).end();
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    const [first] = (await once(response, 'data')) as [Buffer];
    expect(first.toString()).toBe('{"data":');
    response.resume();
    finish();
    await once(heard, 'call');
    expect(calls).toMatchObject([{ status: 200, remarks: [] }]);
  });
});

describe('what is said', () => {
  it('is nothing of calls that keep the contract', async () => {
    await call('GET', `${proxy.url}/webhooks?page%5Bnumber%5D=2`, token);
    answer = (_, response) => response.writeHead(204).end();
    await call(
      'PATCH',
      `${proxy.url}/webhooks/3f2504e0-4f89-41d3-9a0c-0305e82c3301`,
      { ...token, 'Content-Type': 'application/vnd.api+json' },
      '{"data":{"id":"3f2504e0-4f89-41d3-9a0c-0305e82c3301","type":"webhook","attributes":{"active":true}}}',
    );
    expect(calls.map(({ operationId, remarks }) => [operationId, remarks])).toEqual([
      ['listWebhooks', []],
      ['updateWebhook', []],
    ]);
  });

  it.each([
    ['no key', 'GET', '/webhooks', {}, '', ['request security']],
    ['a parameter', 'GET', '/webhooks?page%5Bnumber%5D=zero', token, '', ['request query/page[number]']],
    ['a path parameter', 'GET', '/webhooks/7', token, '', ['request path/id', 'request path/id', 'response body/data']],
    ['a body', 'POST', '/webhooks/trigger', json, '{"url":"https://a.example","event":"x"}', ['request body/event']],
    ['no body', 'POST', '/webhooks/trigger', token, '', ['request body']],
    ['a body that is not JSON', 'POST', '/webhooks/trigger', json, '{"url"', ['request body']],
    ['a media type', 'POST', '/webhooks/trigger', { ...token, 'Content-Type': 'text/xml' }, '<a/>', ['request body']],
  ])('names what is wrong with a request: %s', async (_, method, path, headers, body, expected) => {
    await call(method, proxy.url + path, headers as Record<string, string>, body);
    expect(said()).toEqual(expected);
    expect(asked.length).toBe(1);
  });

  it.each([
    [
      'a body',
      200,
      'application/json',
      '{"data":[{"id":"7"}]}',
      ['response body/data/0', 'response body/data/0', 'response body/data/0/id', 'response body/data/0/id'],
    ],
    ['a body that is not JSON', 200, 'application/json', '{"data":', ['response body']],
    ['a media type', 200, 'text/html', '<p>', ['response media type']],
    ['a media type that is none', 200, 'json', list, ['response prism']],
    ['a status', 203, 'application/json', list, ['response status']],
    ['no body', 200, '', '', ['response media type']],
    ['a refusal in another form', 404, 'text/plain', 'no', ['response media type (note)']],
    ['a server error', 500, 'text/plain', 'no', ['response status (note)']],
  ])('names what is wrong with an answer: %s', async (_, status, mediaType, body, expected) => {
    answer = (__, response) =>
      response.writeHead(status, mediaType === '' ? {} : { 'Content-Type': mediaType }).end(body);
    const got = await call('GET', `${proxy.url}/webhooks`, token);
    expect(got).toMatchObject({ status, body: Buffer.from(body) });
    expect([...new Set(said())]).toEqual([...new Set(expected)]);
  });

  it('is of what a compressed body says', async () => {
    const bytes = gzipSync('{"data":{}}');
    answer = (_, response) =>
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' }).end(bytes);
    const got = await call('GET', `${proxy.url}/webhooks`, token);
    expect(got.body).toEqual(bytes);
    expect(said()).toEqual(['response body/data']);
  });

  it('leaves out a body that it cannot decode', async () => {
    answer = (_, response) =>
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Encoding': 'zstd' }).end('?');
    await call('GET', `${proxy.url}/webhooks`, token);
    expect(said()).toEqual([]);
  });

  it('takes XML where it is declared', async () => {
    answer = (_, response) => response.writeHead(201, { 'Content-Type': 'application/xml' }).end('<webhook/>');
    await call('POST', `${proxy.url}/webhooks`, json, creation);
    expect(said()).toEqual([]);
  });

  it.each([
    ['below the base address', '/locations', '/api/v2/locations', '/locations'],
    ['beside it', '/../health', '/api/health', '/api/health'],
  ])('is undeclared of a path that is no operation: %s', async (_, path, expected, shown) => {
    const url = new URL(proxy.url + path);
    await call('GET', url.href, token);
    expect(asked).toMatchObject([{ url: expected }]);
    expect(calls).toMatchObject([{ operationId: '', path: shown, remarks: [] }]);
  });
});

describe('a service that does not answer', () => {
  it('is a 502 that says so, and the request is judged all the same', async () => {
    service.closeAllConnections();
    service.close();
    await once(service, 'close');
    const got = await call('GET', `${proxy.url}/webhooks`, {});
    expect(got.status).toBe(502);
    expect(JSON.parse(got.body.toString())).toMatchObject({
      title: 'No answer from the service',
      detail: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+ gave no answer \(ECONNREFUSED\)\. Start the service/),
    });
    expect(calls).toMatchObject([{ status: 502, failure: 'ECONNREFUSED', operationId: 'listWebhooks' }]);
    expect(said()).toEqual(['request security']);
  });

  it('breaks the connection of the client where it breaks off in the middle', async () => {
    const raw = await startRawServer((socket) =>
      socket.once('data', () => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"data":', () =>
          socket.resetAndDestroy(),
        );
      }),
    );
    const own = await start(new URL('/v2', raw.url));
    const failure = await hearing(send('GET', `${own.url}/webhooks`, token).catch((error: unknown) => error));
    expect(failure).toMatchObject({ code: 'ECONNRESET' });
    await own.close();
    await raw.close();
    expect(calls).toMatchObject([{ status: 200, operationId: 'listWebhooks', remarks: [] }]);
  });

  it('hears of it where the client has gone away', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    answer = (_, response) => response.once('close', resolve);
    const request = httpRequest(`${proxy.url}/webhooks`, { headers: token, agent: false }).end();
    request.on('error', () => {});
    await once(service, 'request');
    request.destroy();
    await promise;
    expect(asked.length).toBe(1);
  });
});

it('refuses bodies that it cannot hold', async () => {
  const body = 'a'.repeat(17 * 1024 * 1024);
  const request = httpRequest(`${proxy.url}/webhooks`, { method: 'POST', headers: json, agent: false });
  request.on('error', () => {}).end(body);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  expect(response.statusCode).toBe(413);
  expect(asked).toEqual([]);
  request.destroy();
});

describe('seaworthy proxy', () => {
  let cwd: string;
  beforeEach(async () => {
    cwd = await mkdtemp(join(tmpdir(), 'seaworthy-proxy-'));
  });
  afterEach(() => rm(cwd, { recursive: true }));

  /** Runs the command, makes the calls once it listens, and ends it when it has shown what it is to show. */
  function runProxy(make: (url: string) => Promise<unknown>) {
    let made = false;
    return runHere(['proxy', target.href, '--port', '0'], cwd, {}, (stdout, end) => {
      const url = /use +(\S+)/.exec(stdout)?.[1];
      if (made || url === undefined || !stdout.includes('Ctrl-C')) return;
      made = true;
      void make(url).finally(end);
    });
  }

  it('shows violations as they happen, counts them, and exits with 1', async () => {
    const { code, stdout } = await runProxy(async (url) => {
      await send('GET', `${url}/webhooks`, token);
      await send('POST', `${url}/webhooks/trigger`, json, '{"event":"x"}');
      await send('GET', `${url}/locations`, token);
    });
    expect(stdout.replaceAll(/:\d{4,5}\//g, ':<port>/')).toMatchInlineSnapshot(`
      "Prism 5.16.0 checks what goes through against Shipment Tracking Service 0.2.0.

        use      http://127.0.0.1:<port>/api/v2
        instead  http://127.0.0.1:<port>/api/v2

      Only what is wrong is shown. Ctrl-C ends it.

      POST /webhooks/trigger  200
        violation: request body: Request body must have required property 'url'
        violation: request body/event: Request body property event must be equal to one of the allowed values: container.transport.vessel_arrived, container.transport.estimated.vessel_arrived, contai...
        (the contract leaves open here: GAP-7, GAP-15, GAP-22)
      GET /locations  200
        undeclared: no operation of the contract is like it; passed on as it came
      3 calls, 2 violations in 1 call, 1 undeclared
      "
    `);
    expect(code).toBe(1);
  });

  it('exits with 0 where nothing broke the contract', async () => {
    const { code, stdout } = await runProxy((url) => send('GET', `${url}/webhooks`, token));
    expect(stdout).toContain('1 call, no violations\n');
    expect(code).toBe(0);
  });

  it.each([
    [[], 'SW_ARGUMENT_MISSING'],
    [['localhost:3000'], 'SW_URL_INVALID'],
    [['https://192.0.2.1/v2'], 'SW_TARGET_REMOTE'],
    [['http://localhost/v2', '--port', '70000'], 'SW_OPTION_VALUE'],
    [['http://localhost/v2', '--contract', 'stripe'], 'describes no API'],
    [['http://localhost/v2', '--ca', 'nowhere.pem'], 'SW_FILE_UNREADABLE'],
  ])('refuses %j', async (words, says) => {
    const { code, stdout, stderr } = await runHere(['proxy', ...words], cwd);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(says);
  });
});
