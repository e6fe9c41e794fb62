import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

import type { RestartableTarget } from '../restartableTarget.ts';
import { isAccepting, notification } from '../target.ts';

/** What is done by hand to a receiver that runs, and whether it shows the fault. The conforming receiver must not show it. */
export type ProcessDemonstration = (living: RestartableTarget) => Promise<boolean>;

/** Shown where something that was accepted before the signal took no effect after the restart. */
function losing(signal: 'SIGKILL' | 'SIGTERM'): ProcessDemonstration {
  return async (living) => {
    const sent = await living.stream(signal);
    await living.start();
    return (await living.effects(sent)).includes(0);
  };
}

/** The same of one that is killed as soon as it has accepted this body. */
function losingOne(body: () => string): ProcessDemonstration {
  return async (living) => {
    const sent = body();
    const { id } = (JSON.parse(sent) as { readonly data: { readonly id: string } }).data;
    const seen = await living.target.send({ body: sent });
    await living.signal('SIGKILL');
    await living.start();
    return (await living.effects([{ id, seen }])).includes(0);
  };
}

/** The same where a second kill follows at once. */
const losingTwice: ProcessDemonstration = async (living) => {
  const sent = await living.stream('SIGKILL');
  await living.start();
  await living.signal('SIGKILL');
  await living.start();
  return (await living.effects(sent)).includes(0);
};

/** Shown where what a kill interrupted is accepted when it is delivered again, and has no effect or several. */
function mistaking(isWrong: (effects: number) => boolean): ProcessDemonstration {
  return async (living) => {
    const sent = await living.stream('SIGKILL');
    await living.start();
    return (await living.effects(await living.again(sent))).some(isWrong);
  };
}

/** Shown where a body whose rest came after the signal is acknowledged, and took no effect after the restart. */
const droppingTheRest: ProcessDemonstration = async (living) => {
  const id = randomUUID();
  const body = notification(id);
  const socket = await living.target.begin(body, 0.5);
  await delay(100);
  const ended = living.signal('SIGTERM');
  await delay(50);
  const answered = once(socket, 'data') as Promise<[Buffer]>;
  socket.write(body.slice(Math.floor(body.length * 0.5)));
  const [head] = await answered;
  await ended;
  await living.start();
  const seen = { status: Number(head.toString().split(' ')[1]), headers: '', body: '' };
  return (await living.effects([{ id, seen }])).includes(0);
};

/** Shown where one of two copies that came at the same time is accepted, and a kill takes both. */
const losingBoth: ProcessDemonstration = async (living) => {
  const id = randomUUID();
  const copies = Array.from({ length: 2 }, () => living.target.send({ body: notification(id) }));
  const first = await Promise.race(copies);
  await living.signal('SIGKILL');
  await Promise.all(copies);
  await living.start();
  return (await living.effects([{ id, seen: first }])).includes(0);
};

/** The same where it stood still for a while, and its sender gave up. */
function pausing(isWrong: (effects: number) => boolean): ProcessDemonstration {
  return async (living) => {
    const sent = await living.stream('SIGSTOP', { timeout: 300 });
    const again = living.again(sent);
    await living.signal('SIGCONT');
    return (await living.effects(await again)).some(isWrong);
  };
}

const refusing: ProcessDemonstration = async (living) => {
  const sent = await living.stream('SIGKILL');
  await living.start();
  return (await living.again(sent)).some(({ seen }) => seen.status === 423);
};

/** Shown where what took effect before the signal takes effect once more when it is delivered again. */
function forgetting(signal: 'SIGKILL' | 'SIGTERM'): ProcessDemonstration {
  return async (living) => {
    const id = randomUUID();
    await living.target.send({ body: notification(id) });
    await living.target.effective(id);
    await living.signal(signal);
    await living.start();
    await living.target.send({ body: notification(id) });
    return (await living.target.settledEffects(id)) > 1;
  };
}

const staying: ProcessDemonstration = async (living) => {
  await living.signal('SIGKILL');
  return !(await living.start());
};

/** Shown where what is accepted right after a kill takes no effect. */
const idling: ProcessDemonstration = async (living) => {
  await living.signal('SIGKILL');
  await living.start();
  const id = randomUUID();
  await living.target.send({ body: notification(id) });
  await delay(1200);
  return (await living.target.effects(id)) === 0;
};

/** Shown where what waited at a kill took no effect, after so many other notifications came at the next start. */
const displacing: ProcessDemonstration = async (living) => {
  const deliver = () =>
    Promise.all(
      Array.from({ length: 12 }, async () => {
        const id = randomUUID();
        return { id, seen: await living.target.send({ body: notification(id) }) };
      }),
    );
  const waiting = await deliver();
  await living.signal('SIGKILL');
  await living.start();
  await deliver();
  return (await living.effects(waiting)).includes(0);
};

/** Shown where what waited at a kill, and was done at the next start, takes effect again when it is delivered again. */
const retaking: ProcessDemonstration = async (living) => {
  const id = randomUUID();
  const seen = await living.target.send({ body: notification(id) });
  await living.signal('SIGKILL');
  await living.start();
  await living.target.send({ body: notification(id) });
  return (await living.effects([{ id, seen }])).some((effects) => effects > 1);
};

/** Shown where what was refused right after a start is a duplicate when it is delivered again. */
const warming: ProcessDemonstration = async (living) => {
  await living.signal('SIGKILL');
  await living.start();
  const id = randomUUID();
  const { status } = await living.target.send({ body: notification(id) });
  if (status !== 503) return false;
  while (!isAccepting(await living.target.send({ body: notification(id) })));
  return (await living.target.settledEffects(id)) === 0;
};

/** Shown where a forged delivery is accepted right after a start. */
const unverifying: ProcessDemonstration = async (living) => {
  await living.signal('SIGKILL');
  await living.start();
  return isAccepting(await living.target.send({ signature: 'forged' }));
};

/** Shown where something that was accepted before it stood still for longer than a second took no effect. */
const expiring: ProcessDemonstration = async (living) => {
  const sent = await living.stream('SIGSTOP', { timeout: 300 });
  await delay(1200);
  await living.signal('SIGCONT');
  return (await living.effects(sent)).includes(0);
};

/** Shown where one of many that were accepted at the same time took no effect. */
const overflowing: ProcessDemonstration = async (living) => {
  const ids = Array.from({ length: 120 }, () => randomUUID());
  const sent = await Promise.all(
    ids.map(async (id) => ({ id, seen: await living.target.send({ body: notification(id) }) })),
  );
  return (await living.effects(sent)).includes(0);
};

/** Shown where one of those that many others made it refuse takes no effect when it is delivered again, and accepted. */
const overfilled: ProcessDemonstration = async (living) => {
  const ids = Array.from({ length: 120 }, () => randomUUID());
  const first = await Promise.all(ids.map((id) => living.target.send({ body: notification(id) })));
  const refused = ids.filter((_, place) => !isAccepting(first[place]!)).slice(0, 5);
  const again = [];
  for (const id of refused) again.push({ id, seen: await living.target.send({ body: notification(id) }) });
  return (await living.effects(again)).includes(0);
};

/** Shown where a delivery after many takes long. */
const growing: ProcessDemonstration = async ({ target }) => {
  for (let sent = 0; sent < 60; sent++) await target.send();
  const began = performance.now();
  await target.send();
  return performance.now() - began > 150;
};

/** Shown where one of many deliveries, or one of those after them, has no answer in time. */
const waiting: ProcessDemonstration = async ({ target }) => {
  const many = await Promise.all(Array.from({ length: 100 }, () => target.send({ timeout: 2000 })));
  const later = [];
  for (let sent = 0; sent < 10; sent++) later.push(await target.send({ timeout: 2000 }));
  return [...many, ...later].some(({ status }) => status === -1);
};

const [losingByKill, losingByStop] = [losing('SIGKILL'), losing('SIGTERM')];
const repeating = mistaking((effects) => effects > 1);

export const processDemonstrations: Readonly<Record<string, ProcessDemonstration>> = {
  'acknowledges-before-it-stores': losingByKill,
  'buffers-and-flushes-later': losingByKill,
  'works-off-a-queue-in-memory': losingByKill,
  'forgets-pending-work-at-start': losingByKill,
  'takes-its-queue-into-memory-at-start': losingTwice,
  'clears-its-queue-on-sigterm': losingByStop,
  'acknowledges-what-it-drops-on-sigterm': losingByStop,
  'marks-before-it-processes': mistaking((effects) => effects === 0),
  'repeats-the-effect-after-a-kill': repeating,
  'resumes-what-is-redelivered-as-well': repeating,
  'keeps-the-lock-of-a-killed-process': refusing,
  'works-on-after-its-lease-ran-out': pausing((effects) => effects > 1),
  'drops-what-took-too-long': pausing((effects) => effects === 0),
  'drops-work-that-waited-for-a-second': expiring,
  'acknowledges-a-copy-while-the-first-is-stored': losingBoth,
  'acknowledges-what-it-reads-to-its-end-while-it-ends': droppingTheRest,
  'deduplicates-in-memory': forgetting('SIGKILL'),
  'remembers-what-it-refuses-while-it-warms-up': warming,
  'does-not-start-after-a-kill': staying,
  'drops-its-ids-when-it-ends-in-order': forgetting('SIGTERM'),
  'reads-its-ids-a-moment-after-the-start': forgetting('SIGKILL'),
  'reads-its-secret-a-moment-after-the-start': unverifying,
  'keeps-the-lock-of-a-killed-worker': idling,
  'acknowledges-what-it-drops-while-it-starts': idling,
  'forgets-the-ids-of-what-it-takes-up': retaking,
  'numbers-its-queue-anew-after-a-start': displacing,
  'reads-its-queue-line-by-line': losingOne(() => JSON.stringify(JSON.parse(notification()), null, 2)),
  'reads-no-long-line-of-its-queue': losingOne(() => notification(undefined, { x_text: 'a'.repeat(64 * 1024) })),
  'computes-where-it-answers': waiting,
  'waits-for-its-backlog': waiting,
  'drops-the-oldest-of-a-long-queue': overflowing,
  'remembers-what-a-full-queue-refuses': overfilled,
  'takes-longer-with-each-notification': growing,
};
