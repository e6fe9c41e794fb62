import { setTimeout as sleep } from 'node:timers/promises';

import type { Access } from '../http/access.ts';
import { dial } from '../http/dial.ts';
import type { Answer } from '../../suites/delivery.ts';
import type { Deadline } from '../engine/ending.ts';
import { isFailure } from '../http/retryAfter.ts';
import { isOwnWant } from '../http/ownWant.ts';

/** Milliseconds after which a connection that is neither made nor refused counts as not made. */
const timeLimit = 1_000;

/** Whether anything takes connections where the URL points; each of its addresses is tried. */
export function takesConnections(url: URL, access: Access = {}): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = dial({ url }, access);
    const settle = (taken: boolean): void => {
      socket.destroy();
      resolve(taken);
    };
    socket.setTimeout(timeLimit, () => settle(false));
    socket.once('connect', () => settle(true));
    socket.once('error', () => settle(false));
  });
}

/**
 * Milliseconds after which a connection that stays open counts, although nothing came over it: a busy target answers late,
 * while a port that leads nowhere yet is closed at once.
 */
const silence = 1_000;

/**
 * Whether a program answers where the URL points. That a connection is made says nothing about a container: its engine
 * takes connections at once, and closes them as long as nothing listens inside. So a byte must come back, or the end of a
 * TLS handshake.
 */
export function answers(url: URL, access: Access = {}): Promise<boolean> {
  return new Promise((resolve) => {
    const plain = dial({ url }, access);
    const secure = url.protocol === 'https:';
    const socket = secure
      ? process.getBuiltinModule('node:tls').connect({ socket: plain, rejectUnauthorized: false })
      : plain;
    const settle = (answered: boolean): void => {
      socket.destroy();
      plain.destroy();
      resolve(answered);
    };
    let connected = false;
    plain.once('connect', () => {
      connected = true;
      if (!secure) plain.write(`HEAD / HTTP/1.1\r\nHost: ${url.host}\r\nConnection: close\r\n\r\n`);
    });
    socket.once(secure ? 'secureConnect' : 'data', () => settle(true));
    socket.once('close', () => settle(false));
    for (const end of new Set([socket, plain])) end.on('error', () => settle(false));
    plain.setTimeout(silence, () => settle(connected));
  });
}

/**
 * Milliseconds in which what a target needs may come up behind that which takes its connections: a proxy, or a server
 * whose database is not there yet. It is never more than this part of the time that is left.
 */
const patience = { ms: 30_000, share: 0.2 } as const;

/** Milliseconds between two requests. */
const pause = 200;

/** What has to be known of a target that was started. */
interface Started {
  /** Whether it still runs. */
  readonly running: boolean;
  /** Aborted when the run ends. */
  readonly signal: AbortSignal;
  /** When the run has to be at its end. */
  readonly deadline: Deadline;
}

/** Whether a target that has just been started may only not be ready yet: it says that it fails, or breaks a connection off. */
export function mayBeStarting(answer: Answer): boolean {
  return answer.kind === 'broken' || isFailure(answer);
}

/**
 * Asks a target that was started, and takes connections, until it answers as one that is ready.
 *
 * @param ask - sends a plain request
 * @returns false where it never did
 */
export async function untilReady(ask: () => Promise<Answer>, target: Started): Promise<boolean> {
  const until = performance.now() + Math.min(patience.ms, target.deadline.part(patience.share).left);
  while (target.running && !target.signal.aborted) {
    if (!mayBeStarting(await ask())) return true;
    if (performance.now() >= until) return false;
    await sleep(pause, undefined, { signal: target.signal }).catch(() => undefined);
  }
  return false;
}

/** How a run sees whether its target is there. */
export interface Presence extends Connecting {
  /** Whether the target takes a connection at this moment. */
  reachable(): Promise<boolean>;
  /** Whether the target still takes connections, some of which may be lost on the way. */
  stillThere(): Promise<boolean>;
}

/** What connections to a target are made with. */
interface Connecting {
  /** Why no connection can be made at this moment: the system's code, or `TIMED_OUT`; nothing where one can. */
  absence(): Promise<string | undefined>;
}

/**
 * How a run sees whether its target is there. `stillThere` asks a few times, for the target may be restarting or
 * overloaded; all who ask at the same time share one asking.
 */
export function presenceOf(target: Connecting): Presence {
  let asking: Promise<boolean> | undefined;
  const absence = async (): Promise<string | undefined> => {
    const code = await target.absence();
    // Where this machine has no connection to give, the target may well be there.
    return code !== undefined && isOwnWant(code) ? undefined : code;
  };
  const reachable = async (): Promise<boolean> => (await absence()) === undefined;
  return { absence, reachable, stillThere: () => (asking ??= isThere(reachable).finally(() => (asking = undefined))) };
}

async function isThere(reachable: () => Promise<boolean>): Promise<boolean> {
  for (let asked = 0; asked < 4; asked++) {
    if (await reachable()) return true;
    await new Promise((resolve) => setTimeout(resolve, 150));
  }
  return false;
}
