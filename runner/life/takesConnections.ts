import { connect } from 'node:net';
import type { Socket } from 'node:net';

/** Milliseconds after which a connection that is neither made nor refused counts as not made. */
const patience = 1_000;

/** Whether anything takes connections where the URL points; each of its addresses is tried. */
export function takesConnections(url: URL): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connectTo(url);
    const settle = (taken: boolean): void => {
      socket.destroy();
      resolve(taken);
    };
    socket.setTimeout(patience, () => settle(false));
    socket.once('connect', () => settle(true));
    socket.once('error', () => settle(false));
  });
}

/** A plain connection to where the URL points. */
export function connectTo(url: URL): Socket {
  // A URL writes an IPv6 address in brackets, a socket does not.
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  return connect({ host, port: portOf(url) });
}

/** The port that the URL points to, also where it is the usual one and left out. */
export function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port);
  return url.protocol === 'https:' ? 443 : 80;
}
