import { changedService, rawService, sendPassed, type Change } from './enclosures.ts';
import type { ZooTarget } from './zooTarget.ts';

const json = { 'content-type': 'application/vnd.api+json' };
const deep = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
const isList = ({ method, path }: { method: string; path: string }): boolean =>
  method === 'GET' && /\/(?:webhooks|webhook_notifications)(?:\?|$)/.test(path);
const isCreation = ({ method, path }: { method: string; path: string }): boolean =>
  method === 'POST' && path.endsWith('/webhooks');

/** A list of so many things. It is made once. */
function listOf(count: number): () => Buffer {
  let made: Buffer | undefined;
  return () => {
    const items = (): string[] => Array.from({ length: count }, (_, at) => `{"id":"item-${at}","type":"webhook"}`);
    return (made ??= Buffer.from(`{"data":[${items().join(',')}]}`));
  };
}

/** Lists so many entries wherever it lists something. */
function listing(count: number): Change {
  const list = listOf(count);
  return async (seen, response, pass) => {
    const all = await pass();
    if (isList(seen)) response.writeHead(200, json).end(list());
    else sendPassed(response, all);
  };
}

/** Services that no run may break on. */
export const services: readonly ZooTarget[] = [
  {
    name: 'conforms',
    start: changedService((_, response, pass) => pass().then((all) => sendPassed(response, all))),
    exits: [0],
    broken: [],
  },
  {
    name: 'lists a million entries',
    start: changedService(listing(1_000_000)),
    exits: [0, 1, 3],
    seconds: 25,
    says: /cut off/,
    time: '12s',
  },
  {
    name: 'lists 50,000 entries',
    start: changedService(listing(50_000)),
    exits: [0, 1],
  },
  {
    name: 'lists pages without end',
    start: changedService(async (seen, response, pass) => {
      const all = await pass();
      if (!isList(seen)) return sendPassed(response, all);
      const list = listOf(50)().toString().replaceAll('item-', `item-${seen.count}-`);
      const links = { next: `${seen.path.split('?')[0]}?page=${seen.count}` };
      return response.writeHead(200, json).end(`${list.slice(0, -1)},"links":${JSON.stringify(links)}}`);
    }),
    exits: [0, 1],
  },
  {
    name: 'answers every call with 15 MB',
    start: changedService(async (_, response, pass) => {
      const all = await pass();
      const { body } = all;
      const padded =
        body.length > 2 ? Buffer.concat([body.subarray(0, -1), Buffer.alloc(15e6, ' '), body.subarray(-1)]) : body;
      sendPassed(response, { ...all, body: padded });
    }),
    exits: [1, 3],
    says: /cut off/,
  },
  {
    name: 'answers a creation with a body that never ends',
    start: changedService(async (seen, response, pass) => {
      const all = await pass();
      if (!isCreation(seen)) return sendPassed(response, all);
      const chunk = Buffer.alloc(64 * 1024, ' ');
      const write = (): void => {
        while (!response.destroyed && response.write(chunk));
        if (!response.destroyed) response.once('drain', write);
      };
      response.writeHead(201, json);
      write();
    }),
    exits: [1, 3],
  },
  ...[200, 100_000, 5_000_000].map((levels): ZooTarget => ({
    name: `answers a creation with ${levels} levels of lists`,
    start: changedService(async (seen, response, pass) => {
      const all = await pass();
      if (isCreation(seen)) response.writeHead(201, json).end(deep(levels));
      else sendPassed(response, all);
    }),
    exits: [1, 3],
  })),
  {
    name: 'lists with 100,000 levels of lists',
    start: changedService(async (seen, response, pass) => {
      const all = await pass();
      if (isList(seen)) response.writeHead(200, json).end(`{"data":${deep(100_000)}}`);
      else sendPassed(response, all);
    }),
    exits: [0, 1],
  },
  {
    name: 'answers deeply after 60 calls',
    start: changedService(async (seen, response, pass) => {
      const all = await pass();
      if (seen.count > 60) response.writeHead(200, json).end('{"data":'.repeat(50_000) + '1' + '}'.repeat(50_000));
      else sendPassed(response, all);
    }),
    exits: [0, 1, 3],
  },
  {
    name: 'resets every connection after 60 calls',
    start: changedService(async (seen, response, pass) => {
      if (seen.count > 60) return response.socket?.resetAndDestroy();
      return sendPassed(response, await pass());
    }),
    exits: [1, 3],
  },
  {
    name: 'hangs after 60 calls',
    start: changedService(async (seen, response, pass) => {
      if (seen.count > 60) return;
      sendPassed(response, await pass());
    }),
    exits: [1, 3],
  },
  { name: 'takes connections and says nothing', daily: true, start: rawService(() => {}), exits: [3] },
  {
    name: 'greets like SSH',
    daily: true,
    start: rawService((socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n')),
    exits: [3],
  },
];
