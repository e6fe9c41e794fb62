import { hash } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

import { createCatcher } from '../runner/catcher/catcher.ts';
import type { Serving } from './startServer.ts';

/** Attempts after which the catcher lets go of what it has kept. */
const kept = 1000;

/** Receivers that answer 202 once the whole body is there. The process runs as long as its parent. */
const listeners: Readonly<Record<Exclude<Serving, 'catches'>, RequestListener>> = {
  forgets: (request, response) => {
    request.resume();
    request.on('end', () => response.writeHead(202).end());
  },
  reads: (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      Buffer.concat(chunks);
      response.writeHead(202).end();
    });
  },
};

async function catching(): Promise<string> {
  const keyOf = (body: Buffer): string => hash('sha256', body).slice(0, 32);
  const catcher = await createCatcher({ protocol: 'http', keyOf, elapsed: () => performance.now() });
  const endpoint = catcher.endpoint([{ do: 'respond', status: 202 }]);
  let ended = 0;
  endpoint.on(({ end }) => {
    if (end !== undefined && ++ended % kept === 0) catcher.forget(endpoint.name);
  });
  return endpoint.url;
}

function serving(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`));
  });
}

const [what = 'forgets'] = process.argv.slice(2) as Serving[];
process.once('disconnect', () => process.exit());
process.send?.(await (what === 'catches' ? catching() : serving(listeners[what])));
