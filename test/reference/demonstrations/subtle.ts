import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

import { header, isAccepting, notification, type Target } from '../target.ts';
import type { Demonstration } from './demonstration.ts';

/** The shortest sequence that shows a subtle fault, found by hand. */
export interface SubtleDemonstration {
  /** How many deliveries it takes. */
  readonly deliveries: number;
  readonly show: Demonstration;
}

const forged = '0'.repeat(64);

function deliver(target: Target, id: string, parts: Parameters<typeof notification>[1] = {}) {
  return target.send({ body: notification(id, parts) });
}

/** Shown where a notification takes effect another number of times than once. */
function effectsOf(play: (target: Target, id: string) => Promise<unknown>, effects: number): Demonstration {
  return async (target) => {
    const id = randomUUID();
    await play(target, id);
    return (await target.settledEffects(id)) === effects;
  };
}

/** Shown where a notification is acknowledged, and takes no effect because of another one. */
function lostBeside(play: (target: Target, id: string) => Promise<unknown>, near: (id: string) => string) {
  return async (target: Target): Promise<boolean> => {
    const id = randomUUID();
    await play(target, id);
    const answer = await deliver(target, near(id));
    return isAccepting(answer) && (await target.settledEffects(near(id))) === 0;
  };
}

/** The id with another digit at a place. */
function otherAt(id: string, place: number): string {
  return id.slice(0, place) + (id[place] === '0' ? '1' : '0') + id.slice(place + 1);
}

/** Resources of about so many bytes that say nothing. */
function resources(bytes: number, text: string) {
  const one = { id: 'c1', type: 'container', attributes: { note: text.repeat(100) } };
  return Array.from({ length: Math.ceil(bytes / JSON.stringify(one).length) }, () => one);
}

/** The same for a body in which `included` stands first. */
function includedFirst(id: string, bytes: number): string {
  const { data } = JSON.parse(notification(id)) as { data: unknown };
  return JSON.stringify({ included: resources(bytes, 'x'), data });
}

/** The bytes of a delivery. */
function request(target: Target, id: string): string {
  const body = notification(id);
  const { pathname, host } = target.url;
  const lengthLine = `Content-Length: ${body.length}`;
  return `POST ${pathname} HTTP/1.1\r\nHost: ${host}\r\n${lengthLine}\r\n${header}: ${target.sign(body)}\r\n\r\n${body}`;
}

/** Two notifications in one packet: nothing else brings them so close together on a busy machine. */
async function twoAtOnce(target: Target): Promise<boolean> {
  const ids = [randomUUID(), randomUUID()];
  await target.sendBytes(ids.map((id) => request(target, id)).join(''));
  const counts = [await target.settledEffects(ids[0]!), await target.effects(ids[1]!)];
  return counts.includes(0);
}

/** In the order of the registry. */
export const subtleDemonstrations: Readonly<Record<string, SubtleDemonstration>> = {
  'drops-the-acknowledgement-of-a-third-redelivery': {
    deliveries: 4,
    show: async (target) => {
      const id = randomUUID();
      for (let delivery = 0; delivery < 3; delivery++) await deliver(target, id);
      const third = await deliver(target, id);
      return third.status === 0 && isAccepting(await deliver(target, id));
    },
  },
  'forgets-an-id-whose-redelivery-broke-off': {
    deliveries: 3,
    show: effectsOf(async (target, id) => {
      await deliver(target, id);
      await target.breakOff(notification(id), 0.5);
      await deliver(target, id);
    }, 2),
  },
  'knows-what-came-again-by-its-bytes': {
    deliveries: 3,
    show: effectsOf(async (target, id) => {
      await deliver(target, id);
      await deliver(target, id);
      await target.send({ body: `${notification(id)} ` });
    }, 2),
  },
  'forgets-an-id-that-is-looked-up-twice-at-once': {
    deliveries: 3,
    show: effectsOf(async (target, id) => {
      await deliver(target, id);
      await delay(40);
      await Promise.all([deliver(target, id), deliver(target, id)]);
    }, 2),
  },
  'loses-one-of-two-within-a-millisecond': {
    deliveries: 2,
    show: twoAtOnce,
  },
  'compares-the-ends-of-an-id': {
    deliveries: 2,
    show: lostBeside(
      (target, id) => deliver(target, id),
      (id) => otherAt(id, 10),
    ),
  },
  'knows-what-came-twice-by-its-beginning': {
    deliveries: 3,
    show: lostBeside(
      async (target, id) => {
        await deliver(target, id);
        await deliver(target, id);
      },
      (id) => otherAt(id, 35),
    ),
  },
  'forgets-an-id-that-came-forged-first': {
    deliveries: 3,
    show: effectsOf(async (target, id) => {
      await target.send({ body: notification(id), signature: forged });
      await deliver(target, id);
      await deliver(target, id);
    }, 2),
  },
  'forgets-an-id-30-ms-after-a-forged-copy': {
    deliveries: 3,
    show: effectsOf(async (target, id) => {
      await deliver(target, id);
      await target.send({ body: notification(id), signature: forged });
      await delay(40);
      await deliver(target, id);
    }, 2),
  },
  'bans-an-id-that-came-forged-twice': {
    deliveries: 3,
    show: effectsOf(async (target, id) => {
      await target.send({ body: notification(id), signature: forged });
      await target.send({ body: notification(id), signature: forged });
      await deliver(target, id);
    }, 0),
  },
  'fails-on-a-large-body-with-text-outside-the-bmp': {
    deliveries: 1,
    show: async (target) =>
      (await deliver(target, randomUUID(), { included: resources(65 * 1024, '\u{1f6a2}') })).status === 500,
  },
  'looks-for-the-id-in-the-first-16-kib': {
    deliveries: 1,
    show: async (target) => (await target.send({ body: includedFirst(randomUUID(), 17 * 1024) })).status === 400,
  },
  'forgets-an-id-of-which-a-malformed-copy-came': {
    deliveries: 3,
    show: effectsOf(async (target, id) => {
      await deliver(target, id);
      await target.send({ body: notification(id).slice(0, -1) });
      await deliver(target, id);
    }, 2),
  },
};
