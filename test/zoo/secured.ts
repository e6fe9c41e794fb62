import { once } from 'node:events';
import { createServer } from 'node:https';
import { writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

import { issueForHosts, issueRoot } from '../../runner/catcher/authority.ts';
import { startRawServer } from '../runner/rawServer.ts';
import { receiverWords, serviceWords } from './enclosures.ts';
import { saying } from './sockets.ts';
import type { Enclosure } from './zooTarget.ts';

interface Certificate {
  readonly host?: string;
  /** From now until it expires. */
  readonly days?: number;
  /** Whether the kit is given the authority that signed it. */
  readonly trusted?: boolean;
  /** Whether it speaks HTTP without TLS. */
  readonly plain?: boolean;
}

/** A target behind TLS that accepts everything. */
export function secured(
  kind: 'receiver' | 'service',
  { host = '127.0.0.1', days = 1, trusted = true, plain = false }: Certificate,
): (folder: string) => Promise<Enclosure> {
  return async (folder) => {
    const root = await issueRoot();
    const ca = join(folder, 'ca.pem');
    await writeFile(ca, root.cert);
    const { port, close } = plain ? await unsecured() : await listening(await issueForHosts(root, [host], days));
    const origin = `https://127.0.0.1:${port}`;
    const words = kind === 'receiver' ? receiverWords(`${origin}/hooks`) : serviceWords(origin);
    return { words: [...words, ...(trusted ? ['--ca', ca] : [])], close };
  };
}

async function unsecured() {
  const server = await startRawServer(saying('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'));
  return { port: Number(server.url.port), close: () => server.close() };
}

async function listening(identity: { readonly key: string; readonly cert: string }) {
  const server = createServer(identity, (_, response) => void response.end()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
