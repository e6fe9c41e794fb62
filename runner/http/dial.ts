import { connect, isIP, Socket } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import { callbackify } from 'node:util';

import { buildConnector } from 'undici';

import { patiently } from './ownWant.ts';
import { decidingLookup, refusal, type Access, bareHost } from './access.ts';

/** Where a connection leads and where it comes from. */
export interface Route {
  readonly url: URL;
  /** The address of this machine that it comes from. Default: the system chooses. */
  readonly localAddress?: string | undefined;
}

/** Those options of `tls.connect` that stand for whom an access trusts. */
export function tlsOptions({ ca, insecure = false }: Access): Pick<ConnectionOptions, 'rejectUnauthorized' | 'ca'> {
  return { rejectUnauthorized: !insecure, ...(ca !== undefined && { ca }) };
}

/** The port that a URL points to, also where it is the usual one and left out. */
export function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port);
  return url.protocol === 'https:' ? 443 : 80;
}

/**
 * Begins a TCP connection, as far as the access lets it lead there; else the socket fails with RefusedAddress.
 *
 * This and {@link poolConnector} are the only places in the kit where connections are made.
 */
export function dial({ url, localAddress }: Route, access: Access): Socket {
  const host = bareHost(url.hostname);
  const refused = refusal(host, host, access);
  if (refused !== undefined) return new Socket().destroy(refused);
  const lookup = decidingLookup(access);
  return connect({ host, port: portOf(url), noDelay: true, lookup, ...sourceOptions(localAddress) });
}

interface PoolConnectorOptions extends Pick<Route, 'localAddress'> {
  /** Milliseconds that a connection may take to be made; 0 for no limit. */
  readonly timeout: number;
}

/** How a pool or an agent of undici makes connections, TLS included, as far as the access lets them lead there. */
export function poolConnector(access: Access, options: PoolConnectorOptions): buildConnector.connector {
  const { timeout, localAddress } = options;
  const lookup = decidingLookup(access);
  const source = sourceOptions(localAddress);
  const connector = buildConnector({ timeout, allowH2: false, lookup, ...source, ...tlsOptions(access) });
  return (target, callback) => {
    const host = bareHost(target.hostname);
    const refused = refusal(host, host, access);
    if (refused !== undefined) return queueMicrotask(() => callback(refused, null));
    const connected = (): Promise<Socket> =>
      new Promise((resolve, reject) =>
        connector(target, (error, socket) => (error ? reject(error) : resolve(socket!))),
      );
    const attempt = (): Promise<Socket> => access.spacing?.take(connected) ?? connected();
    const codeOf = (error: unknown): string => String((error as NodeJS.ErrnoException).code);
    callbackify(() => patiently(attempt, codeOf, { timeout }))((error, socket) =>
      error ? callback(error, null) : callback(null, socket),
    );
  };
}

/** Those options of `net.connect` that let a connection come from this address. */
function sourceOptions(address: string | undefined): { readonly localAddress?: string; readonly family?: number } {
  return address === undefined ? {} : { localAddress: address, family: isIP(address) };
}
