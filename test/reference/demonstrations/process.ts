import { randomUUID } from 'node:crypto';

import type { RestartableTarget } from '../restartableTarget.ts';
import { notification } from '../target.ts';

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

const forgetting: ProcessDemonstration = async (living) => {
  const id = randomUUID();
  await living.target.send({ body: notification(id) });
  await living.target.effective(id);
  await living.signal('SIGKILL');
  await living.start();
  await living.target.send({ body: notification(id) });
  return (await living.target.settledEffects(id)) > 1;
};

const staying: ProcessDemonstration = async (living) => {
  await living.signal('SIGKILL');
  return !(await living.start());
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
  'deduplicates-in-memory': forgetting,
  'does-not-start-after-a-kill': staying,
  'computes-where-it-answers': waiting,
  'waits-for-its-backlog': waiting,
};
