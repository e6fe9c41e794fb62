import type { Socket } from 'node:net';

import { answers } from './answers.ts';
import {
  after,
  asItIs,
  changedService,
  dying,
  fuzzed,
  rawService,
  sendPassed,
  type Change,
  slowly,
} from './enclosures.ts';
import { floods } from './floods.ts';
import { secured } from './secured.ts';
import { forEver } from './sockets.ts';
import type { ZooTarget } from './zooTarget.ts';

export const json = { 'content-type': 'application/vnd.api+json' };
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

/** Answers so wherever it lists something. */
export function listed(text: string | Buffer, headers: Readonly<Record<string, string>> = json): Change {
  return async (seen, response, pass) => {
    const all = await pass();
    if (isList(seen)) response.writeHead(200, headers).end(text);
    else sendPassed(response, all);
  };
}

/** Answers creations so. */
export function created(text: string): Change {
  return async (seen, response, pass) => {
    const all = await pass();
    if (isCreation(seen)) response.writeHead(201, json).end(text);
    else sendPassed(response, all);
  };
}

/** Says that it is another year, in headers and in what it answers. */
const jumping: Change = async (seen, response, pass) => {
  const all = await pass();
  const year = String(1970 + ((seen.count * 37) % 130));
  const body = Buffer.from(all.body.toString().replaceAll(/"20\d\d-/g, `"${year}-`));
  sendPassed(response, { ...all, body, headers: { ...all.headers, date: `Thu, 01 Jan ${year} 00:00:00 GMT` } });
};

/** Services that no run may break on. */
export const services: readonly ZooTarget[] = [
  {
    name: 'conforms',
    start: changedService(asItIs),
    exits: [0],
    broken: [],
    time: '30s',
    seconds: 45,
  },
  {
    name: 'lists a million entries',
    time: '12s',
    seconds: 35,
    start: changedService(listing(1_000_000)),
    exits: [0, 1, 3],
    says: /cut off/,
  },
  {
    name: 'lists 50,000 entries',
    start: changedService(listing(50_000)),
    exits: [0, 1, 3],
  },
  {
    name: 'lists pages without end',
    time: '12s',
    seconds: 35,
    start: changedService(async (seen, response, pass) => {
      const all = await pass();
      if (!isList(seen)) return sendPassed(response, all);
      const list = listOf(50)().toString().replaceAll('item-', `item-${seen.count}-`);
      const links = { next: `${seen.path.split('?')[0]}?page=${seen.count}` };
      return response.writeHead(200, json).end(`${list.slice(0, -1)},"links":${JSON.stringify(links)}}`);
    }),
    exits: [0, 1, 3],
  },
  {
    name: 'answers every call with 15 MB',
    time: '12s',
    seconds: 35,
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
    time: '12s',
    seconds: 35,
    start: changedService(async (seen, response, pass) => {
      const all = await pass();
      if (!isCreation(seen)) return sendPassed(response, all);
      response.writeHead(201, json);
      if (response.socket) forEver(response as unknown as Socket, Buffer.alloc(64 * 1024, ' '));
    }),
    exits: [1, 3],
  },
  ...[200, 100_000, 5_000_000].map((levels): ZooTarget => ({
    name: `answers a creation with ${levels} levels of lists`,
    time: '12s',
    seconds: 35,
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
    exits: [0, 1, 3],
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
  { name: 'dies after 60 calls', start: changedService(after(60, dying)), exits: [1, 3] },
  { name: 'lists null', start: changedService(listed('{"data":null}')), exits: [0, 1, 3] },
  { name: 'lists numbers and texts', start: changedService(listed('{"data":[1,"a",null,[],{}]}')), exits: [0, 1, 3] },
  {
    name: 'lists an id of a megabyte',
    start: changedService(listed(`{"data":[{"id":"${'a'.repeat(1e6)}","type":"webhook"}]}`)),
    exits: [0, 1, 3],
  },
  {
    name: 'lists __proto__',
    start: changedService(
      listed(
        '{"__proto__":{"data":[]},"data":[{"id":"__proto__","type":"constructor","attributes":{"__proto__":{"a":1}}}]}',
      ),
    ),
    exits: [0, 1, 3],
  },
  {
    name: 'links to its first page again',
    start: changedService(listed('{"data":[{"id":"a","type":"webhook"}],"links":{"next":"?page=1"}}')),
    exits: [0, 1, 3],
  },
  {
    name: 'links to the metadata of a cloud',
    start: changedService(
      listed('{"data":[{"id":"a","type":"webhook"}],"links":{"next":"http://169.254.169.254/latest?page=2"}}'),
    ),
    exits: [0, 1, 3],
  },
  { name: 'answers lists with HTML', start: changedService(listed('<html>')), exits: [0, 1, 3] },
  { name: 'answers lists with half a JSON', start: changedService(listed('{"data":[{"id":"a"')), exits: [0, 1, 3] },
  {
    name: 'answers lists in UTF-16',
    start: changedService(listed(Buffer.from('{"data":[]}', 'utf16le'))),
    exits: [0, 1, 3],
  },
  {
    name: 'answers creations with 1e400 and keys twice',
    start: changedService(created('{"data":{"id":1e400,"id":{"id":[]},"type":null}}')),
    exits: [0, 1, 3],
  },
  {
    name: 'answers creations with an object for an id',
    start: changedService(created('{"data":{"id":{"a":"b"},"type":"webhook","attributes":[]}}')),
    exits: [0, 1, 3],
  },
  {
    name: 'asks for patience for ever after 60 calls',
    start: changedService(after(60, (_, to) => to.writeHead(429, { 'retry-after': '99999999' }).end())),
    exits: [0, 1, 3],
  },
  {
    name: 'answers 500 after 60 calls',
    start: changedService(after(60, (_, to) => to.writeHead(500).end())),
    exits: [0, 1, 3],
  },
  {
    name: 'conforms, a twentieth of a second for each answer',
    start: changedService(slowly(50)),
    exits: [0],
    broken: [],
    time: '20s',
    seconds: 35,
  },
  { name: 'conforms, with a clock that jumps', start: changedService(jumping), exits: [0, 1, 3], time: '8s' },
  { name: 'conforms, and is searched', start: fuzzed(changedService(asItIs)), exits: [0], broken: [], seconds: 70 },
  {
    name: 'shows a certificate that has expired',
    start: secured('service', { days: -1 }),
    exits: [3],
    says: /certificate/,
    time: '20s',
  },
  {
    name: 'shows a certificate that nobody signed',
    start: secured('service', { trusted: false }),
    exits: [3],
    says: /certificate/,
    time: '20s',
  },
  {
    name: 'shows a certificate of another host',
    start: secured('service', { host: 'other.example' }),
    exits: [3],
    says: /certificate/,
    time: '20s',
  },
  ...answers.flatMap(([name, script, , exits]): readonly ZooTarget[] => {
    const isDaily = /^(?:takes connections|greets)/.test(name);
    return exits === undefined ? [] : [{ name, start: rawService(script), exits, ...(isDaily && { daily: true }) }];
  }),
  ...floods,
];
