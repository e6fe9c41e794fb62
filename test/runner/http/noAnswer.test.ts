import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { RunSummary } from '../../../reports/model/runSummary.ts';
import type { ReceiverPlanOptions } from '../../../runner/receiver/receiverPlan.ts';
import { describeAnswer } from '../../../suites/answer.ts';
import { unreached, unreachedKind } from '../../../suites/unreached.ts';
import { testReceiver } from '../../proof/testReceiver.ts';
import { type Certificate, makeCertificate } from '../certificate.ts';
import { startRawServer } from '../rawServer.ts';

let certificate: Certificate;
const servers: Server[] = [];

beforeAll(async () => {
  certificate = await makeCertificate();
});
afterAll(async () => {
  for (const server of servers) server.close().closeAllConnections();
  await certificate.remove();
});

async function listening(server: Server): Promise<number> {
  servers.push(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
}

async function lostAt(url: string, options: ReceiverPlanOptions = {}): Promise<RunSummary['lost']> {
  const only = ['receiver/acceptance/every-event'];
  const receiver = { url, probe: '', close: async () => undefined };
  const { lost } = await testReceiver(receiver, { probe: undefined, only, ...options });
  return lost;
}

function accepting(): Server {
  return createServer((_, response) => void response.writeHead(202).end());
}

function speakingTls(): Server {
  return createTlsServer(certificate, (_, response) => void response.writeHead(202).end());
}

// Each run asks a few times before it gives its target up, and waits in between.
describe.concurrent('a target that does not answer is distinguished by why', () => {
  test('a certificate that is not trusted: --ca and --insecure', async () => {
    const port = await listening(speakingTls());
    expect(await lostAt(`https://127.0.0.1:${port}/`)).toMatchObject({
      reason: `the receiver at https://127.0.0.1:${port}/ cannot be reached: its certificate is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT)`,
      advice: expect.stringMatching(/--ca .*--insecure/) as unknown,
    });
  });

  test('a certificate for another name', async () => {
    const port = await listening(speakingTls());
    const lost = await lostAt(`https://127.0.0.2:${port}/`.replace('127.0.0.2', '[::ffff:127.0.0.1]'), {
      ca: certificate.path,
    });
    expect(lost?.reason).toContain('its certificate is for another name');
    expect(lost?.advice).not.toContain('Start the receiver');
  });

  test('https where plain HTTP is spoken, and the other way round', async () => {
    const plain = await lostAt(`https://127.0.0.1:${await listening(accepting())}/`);
    expect(plain?.reason).toContain('what answers there does not speak TLS');
    expect(plain?.advice).toContain('http:// instead of https://');
    const tls = await lostAt(`http://127.0.0.1:${await listening(speakingTls())}/`);
    expect(tls?.reason).toContain('it speaks TLS there, and was asked in plain HTTP');
    expect(tls?.advice).toContain('https:// instead of http://');
  });

  test('connections that are closed without an answer are no refused ones', async () => {
    const port = await listening(createServer(({ socket }) => void socket.destroy()));
    const closed = await lostAt(`http://127.0.0.1:${port}/`);
    expect(closed?.reason).toContain('takes connections and closes them without an answer');
    expect(closed?.advice).not.toContain('Start the receiver');
    const server = createServer();
    const free = await listening(server);
    server.close();
    expect(await lostAt(`http://127.0.0.1:${free}/`)).toMatchObject({
      reason: expect.stringContaining('nothing takes connections there (ECONNREFUSED)') as unknown,
      advice: 'Start the receiver, check the address and the port, and run again.',
    });
  });

  test('one that takes its time is told how to be in time', async () => {
    const silent = await listening(createServer(() => undefined));
    expect(await lostAt(`http://127.0.0.1:${silent}/`, { timeout: 50 })).toMatchObject({
      reason: expect.stringContaining('cannot be tested: no answer within ') as unknown,
      advice:
        'See what it waits for (it has to acknowledge first, and work afterwards), check the address, or give it longer with --timeout, and run again.',
    });
  });

  test('an answer that cannot be read is one all the same', async () => {
    const answered = async (text: string) => {
      const server = await startRawServer((socket) => void socket.once('data', () => socket.end(text)));
      return lostAt(server.url.href).finally(() => server.close());
    };
    const [garbage, half, overflow] = await Promise.all([
      answered('SSH-2.0-server\r\n'),
      answered('HTTP/1.1 401 Unauthorized\r\nContent-Length: 9\r\n\r\nhalf'),
      answered(`HTTP/1.1 200 OK\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`),
    ]);
    expect(garbage?.reason).toContain('answers with what is no HTTP/1.1 (NOT_HTTP)');
    expect(half?.reason).toContain(
      'the status 401 came, and the connection was closed within the body after it (TRUNCATED)',
    );
    expect(half?.advice).toContain('End the answer');
    expect(overflow?.reason).toContain('answers with headers of more than 16 KiB, which are not read');
  });
});

test('what only a code says', () => {
  expect(unreached('CERT_HAS_EXPIRED')).toBe('its certificate has expired');
  expect(unreachedKind('CERT_NOT_YET_VALID')).toBe('outdated');
  expect(unreachedKind('ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION')).toBe('tls');
  expect(unreachedKind('ENOTFOUND')).toBe('unknown');
  expect(unreached('ECONNRESET')).toBeUndefined();
  expect(describeAnswer({ kind: 'broken', code: 'NOT_HTTP', ms: 1 })).toBe(
    'no answer but what is no HTTP/1.1 (NOT_HTTP)',
  );
  expect(describeAnswer({ kind: 'broken', code: 'NOT_HTTP', ms: 1, status: 200 })).toBe(
    'no whole answer: the status 200 came, and the body after it is no HTTP/1.1 (NOT_HTTP)',
  );
});
