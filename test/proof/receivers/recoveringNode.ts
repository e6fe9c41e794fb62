import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * A receiver as a process: nothing but `node:http` and a file. It recovers at its start, on request, or in the background
 * after a request; reads containers first, then shipments, then what failed, in pages of a hundred, one after the other.
 */
const [port, api, folder = '.', way] = process.argv.slice(2);
const file = join(folder, 'effects.txt');
const effects = new Set(existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []);

interface Page {
  readonly data: readonly unknown[];
  readonly links?: { readonly next?: string };
}

async function readAll(list: string): Promise<void> {
  for (let page = 1, more = true; more; page += 1) {
    const url = `${api}/${list}?page[size]=100&page[number]=${page}`;
    const answer = (await (await fetch(url, { headers: { authorization: 'Token whatever' } })).json()) as Page;
    more = answer.data.length === 100;
  }
}

async function recover(delay = 0): Promise<void> {
  for (const list of ['containers', 'shipments', 'webhook_notifications']) {
    await readAll(list);
    await pause(delay);
  }
}

const server = createServer(async (request, response) => {
  const counted = /^\/effects\/(.+)$/.exec(request.url ?? '')?.[1];
  if (counted !== undefined) return response.end(JSON.stringify({ count: effects.has(counted) ? 1 : 0 }));
  if (request.url === '/recover') {
    if (way === 'in the background') void recover(200);
    else await recover();
    return response.writeHead(202).end();
  }
  const { id } = (JSON.parse(await text(request)) as { data: { id: string } }).data;
  if (!effects.has(id)) appendFileSync(file, `${id}\n`);
  effects.add(id);
  return response.writeHead(200).end();
});
server.listen(Number(port), '127.0.0.1', () => {
  process.stdout.write(`listens on ${(server.address() as AddressInfo).port}\n`);
  if (way === 'at its start') void recover();
});
