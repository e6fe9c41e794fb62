import { expect, test } from 'vitest';

import type { Deliverer } from '../../../runner/http/deliverer.ts';
import { body, byHand, head, outcome } from '../deliveries.ts';
import { ok, type RawServer, received } from '../rawServer.ts';
import { useTargets } from '../targets.ts';

const targets = useTargets();
let server: RawServer;
let deliverer: Deliverer;

async function start(
  script: Parameters<typeof targets.raw>[0],
  { timeout = 5000, allowHalfOpen = false } = {},
): Promise<void> {
  server = await targets.raw(script, { allowHalfOpen });
  deliverer = targets.deliverer(server.url, { timeout });
}

test('writes the request line, the headers with their casing, and the framing', async () => {
  let text = '';
  await start((socket) => {
    void received(socket, (all) => all.endsWith('{"a":1}')).then((all) => {
      text = all;
      socket.end(ok);
    });
  });
  const answer = await deliverer.deliver(
    byHand([head, body], {
      headers: [
        ['x-ODD-casing', 'caf\u00e9'],
        ['CONTENT-type', 'a/b'],
      ],
    }),
  );
  expect(outcome(answer)).toBe(200);
  expect(text).toBe(
    [
      'POST /hooks?tenant=a%20b HTTP/1.1',
      `Host: ${server.url.host}`,
      'x-ODD-casing: caf\u00e9',
      'CONTENT-type: a/b',
      'Content-Length: 7',
      'Connection: close',
      '',
      '{"a":1}',
    ].join('\r\n'),
  );
});

test('sends header values beyond ISO 8859-1 as UTF-8', async () => {
  const heads: string[] = [];
  await start((socket) => {
    void received(socket, (all) => all.includes('\r\n\r\n')).then((all) => {
      heads.push(all);
      socket.end(ok);
    });
  });
  await deliverer.deliver(byHand([head], { framing: 'none', headers: [['X-Sig', '\u2713']] }));
  expect(Buffer.from(heads[0] ?? '', 'latin1').toString('utf8')).toContain('X-Sig: \u2713\r\n');
});

test('leaves Host and Connection to the headers that hold them, and takes another request line', async () => {
  let text = '';
  await start((socket) => {
    void received(socket, (all) => all.includes('\r\n\r\n')).then((all) => {
      text = all;
      socket.end(ok);
    });
  });
  const headers = [
    ['host', 'other'],
    ['connection', 'keep-alive'],
  ] as const;
  await deliverer.deliver(byHand([head], { framing: 'none', requestLine: 'BREW /x HTTP/9.9', headers }));
  expect(text).toBe('BREW /x HTTP/9.9\r\nhost: other\r\nconnection: keep-alive\r\n\r\n');
});

test('sends one chunk for each body step, and the last chunk after the end of the body', async () => {
  let text = '';
  await start((socket) => {
    void received(socket, (all) => all.endsWith('\r\n0\r\n\r\n')).then((all) => {
      text = all;
      socket.end(ok);
    });
  });
  const steps = [head, { send: 'body', from: 0, to: 0.5 }, { send: 'body', from: 0.5, to: 1 }] as const;
  expect(outcome(await deliverer.deliver(byHand(steps, { framing: 'chunked' })))).toBe(200);
  expect(text.slice(text.indexOf('\r\n\r\n'))).toBe('\r\n\r\n4\r\n{"a"\r\n3\r\n:1}\r\n0\r\n\r\n');
  expect(text).toContain('\r\nTransfer-Encoding: chunked\r\n');
});

test('leaves a chunked body that breaks off without its last chunk', async () => {
  const ended = Promise.withResolvers<string>();
  await start((socket) => {
    let all = '';
    socket.on('data', (chunk: Buffer) => (all += chunk.toString('latin1'))).on('end', () => ended.resolve(all));
  });
  const steps = [head, { send: 'body', from: 0, to: 0.5 }, { end: 'fin' }] as const;
  const answer = await deliverer.deliver(byHand(steps, { framing: 'chunked' }));
  expect(outcome(answer)).toBe('ENDED_BY_KIT');
  expect(await ended.promise).toMatch(/\r\n\r\n4\r\n\{"a"\r\n$/);
});

test('sends other bytes as they are, and takes the first of two pipelined answers', async () => {
  let text = '';
  await start((socket) => {
    void received(socket, (all) => all.endsWith('SECOND')).then((all) => {
      text = all;
      socket.end(`${ok}HTTP/1.1 500 Oops\r\nContent-Length: 0\r\n\r\n`);
    });
  });
  const answer = await deliverer.deliver(byHand([head, body, { send: 'bytes', base64: btoa('SECOND') }]));
  expect(answer).toMatchObject({ kind: 'answered', status: 200, body: 'ok' });
  expect(text).toMatch(/\{"a":1\}SECOND$/);
});

test('a pipelined request is still read after the first answer', async () => {
  const second = Promise.withResolvers<string>();
  await start((socket) => {
    void received(socket, (all) => all.endsWith('SECOND')).then((all) => {
      socket.write(ok, () => second.resolve(all));
    });
  });
  const headers = [['Connection', 'keep-alive']] as const;
  const answer = await deliverer.deliver(byHand([head, body, { send: 'bytes', base64: btoa('SECOND') }], { headers }));
  expect(outcome(answer)).toBe(200);
  await second.promise;
  await server.drained();
});

test('waits for 100 (Continue), then sends the body', async () => {
  const events: string[] = [];
  await start((socket) => {
    socket.once('data', () => {
      events.push('head');
      socket.once('data', (chunk: Buffer) => {
        events.push(chunk.toString());
        socket.end(ok);
      });
      socket.write('HTTP/1.1 100 Continue\r\n\r\n');
    });
  });
  const headers = [['Expect', '100-continue']] as const;
  const answer = await deliverer.deliver(byHand([head, { awaitContinue: 60_000 }, body], { headers }));
  expect(outcome(answer)).toBe(200);
  expect(events).toEqual(['head', '{"a":1}']);
});

test('goes on without 100 (Continue) after the time given', async () => {
  await start((socket) => {
    void received(socket, (all) => all.endsWith('{"a":1}')).then(() => socket.end(ok));
  });
  expect(outcome(await deliverer.deliver(byHand([head, { awaitContinue: 20 }, body])))).toBe(200);
});

test('a final answer instead of 100 (Continue) ends the sending', async () => {
  await start((socket) => {
    socket.once('data', () => socket.end('HTTP/1.1 417 No\r\nContent-Length: 0\r\n\r\n'));
  });
  expect(outcome(await deliverer.deliver(byHand([head, { awaitContinue: 60_000 }, body])))).toBe(417);
});

test.each([
  ['before the head', [{ end: 'rst' }], ''],
  ['after the head', [head, { end: 'rst' }], '\r\n\r\n'],
  ['within the body', [head, { send: 'body', from: 0, to: 0.5 }, { end: 'rst' }], '{"a"'],
  ['after the body', [head, body, { end: 'rst' }], '{"a":1}'],
] as const)('resets the connection %s, after what was written', async (_, steps, last) => {
  const reset = Promise.withResolvers<readonly [text: string, code: unknown]>();
  await start((socket) => {
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
    socket.on('error', (error: NodeJS.ErrnoException) => reset.resolve([text, error.code]));
  });
  const answer = await deliverer.deliver(byHand(steps));
  expect(outcome(answer)).toBe('RESET_BY_KIT');
  const [text, code] = await reset.promise;
  expect(code).toBe('ECONNRESET');
  expect(text.endsWith(last)).toBe(true);
});

test('ends the sending side and still reads the answer', async () => {
  await start(
    (socket) => {
      socket.resume().on('end', () => socket.end('HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n'));
    },
    { allowHalfOpen: true },
  );
  const steps = [head, { send: 'body', from: 0, to: 0.5 }, { end: 'fin' }] as const;
  expect(outcome(await deliverer.deliver(byHand(steps)))).toBe(400);
});

test('an early answer ends the sending of a body that nobody reads', async () => {
  await start((socket) => {
    socket.once('data', () => {
      socket.pause();
      socket.write('HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n');
    });
  });
  const part = { send: 'bytes', base64: Buffer.alloc(1024 * 1024, 'x').toString('base64') } as const;
  const answer = await deliverer.deliver(byHand([head, ...Array.from({ length: 64 }, () => part)]));
  expect(outcome(answer)).toBe(413);
});

test('a body of 20 MB arrives whole', async () => {
  const size = 20 * 1024 * 1024;
  await start((socket) => {
    let bytes = 0;
    let end = Number.POSITIVE_INFINITY;
    socket.on('data', (chunk: Buffer) => {
      if (bytes === 0) end = chunk.indexOf('\r\n\r\n') + 4 + size;
      bytes += chunk.length;
      if (bytes === end) socket.end(ok);
    });
  });
  expect(outcome(await deliverer.deliver(byHand([head, body], { body: Buffer.alloc(size, 'x') })))).toBe(200);
});

test('a body that is never read times out', async () => {
  await start((socket) => socket.pause(), { timeout: 50 });
  const answer = await deliverer.deliver(byHand([head, body], { body: Buffer.alloc(20 * 1024 * 1024, 'x') }));
  expect(outcome(answer)).toBe('timed-out');
});

test('does not count its own pauses as the target being slow', async () => {
  await start(
    (socket) => {
      void received(socket, (all) => all.endsWith('{"a":1}')).then(() => socket.end(ok));
    },
    { timeout: 60 },
  );
  const pause = { pause: 40 } as const;
  const steps = [head, pause, { send: 'body', from: 0, to: 0.5 }, pause, { send: 'body', from: 0.5, to: 1 }] as const;
  const answer = await deliverer.deliver(byHand(steps));
  expect(outcome(answer)).toBe(200);
  expect(answer.ms).toBeGreaterThan(75);
});

test('deliveries with a barrier send their last bytes after all heads have arrived', async () => {
  const arrivals: string[] = [];
  await start((socket, index) => {
    socket.on('data', (chunk: Buffer) => {
      arrivals.push(chunk.toString('latin1').startsWith('POST') ? 'head' : 'rest');
      if (arrivals.at(-1) === 'rest')
        socket.end(index === 0 ? ok : 'HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n');
    });
  });
  const steps = [head, { pause: 1 }, { barrier: true }, body] as const;
  const slow = [head, { pause: 50 }, { barrier: true }, body] as const;
  const answers = await deliverer.together([byHand(steps), byHand(steps), byHand(slow)]);
  expect(answers.map(outcome).map(String).toSorted()).toEqual(['200', '202', '202']);
  expect(arrivals).toEqual(['head', 'head', 'head', 'rest', 'rest', 'rest']);
});

test('a delivery that ends early is not waited for at the barrier', async () => {
  let begun = 0;
  await start((socket) => {
    begun += 1;
    const refuses = begun === 1;
    socket.once('data', () => {
      if (refuses) socket.end('HTTP/1.1 400 No\r\nContent-Length: 0\r\n\r\n');
      else socket.once('data', () => socket.end(ok));
    });
  });
  const steps = [head, { pause: 20 }, { barrier: true }, body] as const;
  const answers = await deliverer.together([byHand(steps), byHand(steps)]);
  expect(answers.map(outcome).map(String).toSorted()).toEqual(['200', '400']);
});
