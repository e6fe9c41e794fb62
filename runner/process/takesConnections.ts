import type { Access } from '../http/access.ts';
import { dial } from '../http/dial.ts';

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
