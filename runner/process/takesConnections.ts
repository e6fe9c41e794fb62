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
