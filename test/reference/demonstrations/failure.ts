import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

import { isAccepting, notification, type Sending, type Target } from '../target.ts';
import { type Demonstration, type Demonstrations, pause } from './demonstration.ts';

/** Shown where what a failed delivery leaves behind makes the redelivery take no effect, or two. */
function redelivered(fail: (target: Target, body: string) => Promise<unknown>, effects: number): Demonstration {
  return async (target) => {
    const id = randomUUID();
    await fail(target, notification(id));
    await target.send({ body: notification(id) });
    return (await target.settledEffects(id)) === effects;
  };
}

export const redeliveryDemonstrations: Demonstrations = {
  'marks-before-it-verifies': redelivered((target, body) => target.send({ body, signature: '0'.repeat(64) }), 0),
  'marks-before-the-body-has-arrived': redelivered((target, body) => target.breakOff(body, 0.5), 0),
  'drops-the-work-of-a-broken-connection': redelivered((target, body) => target.breakOff(body, 1), 0),
  'keeps-the-lock-of-a-broken-delivery': async (target) => {
    const body = notification();
    await target.breakOff(body, 0.5);
    return (await target.send({ body })).status === 423;
  },
  'forgets-an-id-that-a-forgery-names': async (target) => {
    const id = randomUUID();
    const body = notification(id);
    await target.send({ body });
    await target.send({ body, signature: '0'.repeat(64) });
    await target.send({ body });
    return (await target.settledEffects(id)) === 2;
  },
  'works-twice-on-a-slow-body': async (target) => {
    const id = randomUUID();
    const body = notification(id);
    const socket = await target.begin(body, 0.5);
    const until = performance.now() + 40;
    while (performance.now() < until) await target.send();
    socket.write(body.slice(Math.floor(body.length / 2)));
    await once(socket, 'data');
    socket.destroy();
    return (await target.settledEffects(id)) === 2;
  },
  'never-answers-the-fifth-copy': async (target) => {
    const body = notification();
    for (let copy = 1; copy < 5; copy++) await target.send({ body });
    return (await target.send({ body, timeout: 400 })).status === -1;
  },
  'takes-effect-twice-after-a-lost-answer': async (target) => {
    const id = randomUUID();
    await target.breakOff(notification(id), 1);
    await target.settledEffects(id);
    await target.send({ body: notification(id) });
    return (await target.settledEffects(id)) === 2;
  },
  'refuses-an-id-that-came-forged': async (target) => {
    const body = notification();
    await target.send({ body, signature: '0'.repeat(64) });
    return !isAccepting(await target.send({ body }));
  },
};

/** Shown where a plain delivery is not accepted any more after something. */
function stopping(hostility: (target: Target) => Promise<unknown>): Demonstration {
  return async (target) => {
    await hostility(target);
    return !isAccepting(await target.send());
  };
}

/** The same within one and a half seconds after this was sent. */
function stoppingLater(sending: Sending): Demonstration {
  return async (target) => {
    await target.send(sending);
    const end = performance.now() + 1500;
    for (; performance.now() < end; await pause()) if (!isAccepting(await target.send())) return true;
    return false;
  };
}

/** Shown where a plain delivery is not accepted while these connections are held open. */
function besides(open: (target: Target) => Promise<readonly Socket[]>): Demonstration {
  return async (target) => {
    const sockets = await open(target);
    for (const socket of sockets) socket.on('error', () => {});
    try {
      return !isAccepting(await target.send({ timeout: 400 }));
    } finally {
      for (const socket of sockets) socket.destroy();
    }
  };
}

/** Shown by a 500 for this. */
function failing(sending: () => Sending): Demonstration {
  return async (target) => (await target.send(sending())).status === 500;
}

/** Shown where more of a body than a receiver may have to take (16 MiB, and four times as much thrown away) is read. */
const goingOn: Demonstration = async (target) => {
  const socket = connect({ host: target.url.hostname, port: Number(target.url.port) });
  const answered = new Promise<boolean>((resolve) => {
    socket.once('data', () => resolve(true)).once('close', () => resolve(true));
  });
  socket.on('error', () => {});
  socket.write(`POST ${target.url.pathname} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n`);
  const chunk = `100000\r\n${' '.repeat(2 ** 20)}\r\n`;
  const sent = (async () => {
    for (let count = 0; count < 96; count += 1)
      if (!socket.write(chunk)) await Promise.race([once(socket, 'drain'), answered]);
    return false;
  })();
  const isCutOff = await Promise.race([answered, sent]);
  socket.destroy();
  return !isCutOff;
};

const depth = 5000;

export const safetyDemonstrations: Demonstrations = {
  'dies-of-malformed-json': stopping((target) => target.send({ body: '{"data":' })),
  'dies-of-a-non-ascii-header': stopping((target) => target.send({ signature: '\u00e9' })),
  'dies-of-a-signature-of-one-digit': stopping((target) => target.send({ signature: '0' })),
  'dies-of-a-long-signature': stopping((target) => target.send({ signature: '0'.repeat(10_000) })),
  'dies-of-deep-nesting': stopping((target) =>
    target.send({ body: notification().replace(/\}$/, `,"x":${'['.repeat(depth)}${']'.repeat(depth)}}`) }),
  ),
  'dies-of-an-oversized-body': stopping((target) =>
    target.send({ body: notification(undefined, { note: 'x'.repeat(17 * 1024 * 1024) }) }),
  ),
  'bounds-bodies-by-their-content-length': goingOn,
  'answers-500-to-bytes-that-are-no-utf-8': failing(() => ({ body: Buffer.from([0xff]) })),
  'fails-to-log-a-refused-body-that-is-no-utf-8': failing(() => ({
    body: Buffer.from([0xff]),
    signature: '0'.repeat(64),
  })),
  'answers-500-to-a-content-encoding': failing(() => ({ headers: ['Content-Encoding', 'x-unknown'] })),
  'answers-500-to-a-broken-gzip-body': failing(() => ({ headers: ['Content-Encoding', 'gzip'] })),
  'dies-of-a-broken-gzip-body': stopping((target) => target.send({ headers: ['Content-Encoding', 'gzip'] })),
  'dies-of-a-broken-connection': stopping((target) => target.breakOff(notification(), 0.5)),
  'dies-of-bytes-that-are-no-http': stopping((target) => target.sendBytes('this is no HTTP\r\n\r\n')),
  'hangs-on-other-methods': async (target) => (await target.send({ method: 'PUT', timeout: 400 })).status === -1,
  'never-answers-what-is-no-json': async (target) =>
    (await target.send({ body: '{"data":', timeout: 400 })).status === -1,
  'answers-500-to-malformed-json': async (target) => (await target.send({ body: '{"data":' })).status === 500,
  'lets-a-slow-body-block-the-rest': besides(async (target) => [await target.begin(notification(), 0.5)]),
  'lets-a-slow-body-block-the-rest-until-it-gives-up': besides(async (target) => [
    await target.begin(notification(), 0.5),
  ]),
  'takes-defaults-from-the-body': stopping((target) =>
    target.send({ body: notification().replace('{', '{"__proto__":{"data":1},') }),
  ),
  'lets-a-slow-head-block-the-rest': besides(async ({ url }) => {
    const socket = connect({ host: url.hostname, port: Number(url.port) });
    await new Promise((written) => socket.write('POST ', written));
    return [socket];
  }),
  'takes-one-connection-at-a-time': besides(async (target) => [await target.begin(notification(), 0)]),
  'takes-no-more-than-eight-connections': besides((target) =>
    Promise.all(Array.from({ length: 60 }, () => target.begin(notification(), 0))),
  ),
  'leaks-a-slot-at-each-refusal': stopping((target) =>
    Promise.all(Array.from({ length: 30 }, () => target.send({ signature: '0'.repeat(64) }))),
  ),
  'dies-of-a-forgery-that-it-took': stoppingLater({ signature: '0'.repeat(64) }),
  'dies-later-of-a-truncated-signature': stoppingLater({ signature: 'short' }),
  'dies-later-of-malformed-json': stoppingLater({ body: '{"data":' }),
  'needs-a-space-behind-the-colon': async (target) => {
    const written = target.written({ body: notification() });
    return (await target.sendBytes(written.replaceAll(/^([\w-]+): /gm, '$1:'))).startsWith('HTTP/1.1 401');
  },
  'counts-what-broke-off-as-under-way': stopping((target) =>
    Promise.all(Array.from({ length: 110 }, () => target.breakOff(notification(), 0.5))),
  ),
  'reads-what-is-missing-from-other-bodies': async (target) => {
    const nameless = notification().replace(/"id":"[^"]*",?/, '');
    const before = await target.send({ body: nameless });
    await target.send({ body: notification().replace('{', '{"__proto__":{"id":"polluted"},') });
    return before.status === 400 && isAccepting(await target.send({ body: nameless }));
  },
};
