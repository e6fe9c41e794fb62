import { answers } from './answers.ts';
import {
  after,
  asItIs,
  changedReceiver,
  dying,
  fuzzed,
  rawReceiver,
  sendPassed,
  slowly,
  startedReceiver,
  type Change,
} from './enclosures.ts';
import { secured } from './secured.ts';
import { flooding, forEver } from './sockets.ts';
import type { ZooTarget } from './zooTarget.ts';

/** Any tenth answer, drawn by chance, is never sent. */
const droppingTenth = changedReceiver(async (_, response, pass) => {
  const all = await pass();
  if (Math.random() < 0.1) response.socket?.destroy();
  else sendPassed(response, all);
});

/** Closes each connection after an answer that says nothing of it. */
const closing: Change = async (_, response, pass) => {
  sendPassed(response, await pass());
  response.once('finish', () => response.socket?.end());
};

/** Answers the first request of a connection, and none of the others. */
const oncePerConnection: Change = async (_, response, pass) => {
  const { socket } = response;
  if (socket === null || answered.has(socket)) return;
  answered.add(socket);
  sendPassed(response, await pass());
};
const answered = new WeakSet<object>();

/** A conforming receiver whose probe says this. */
function probed(text: string, { status = 200, type = 'application/json', since = 0 } = {}) {
  let asked = 0;
  const change: Change = async ({ path }, response, pass) => {
    if (!path.startsWith('/effects/') || (asked += 1) <= since) return sendPassed(response, await pass());
    return response.writeHead(status, { 'content-type': type, location: '/effects/there' }).end(text);
  };
  return changedReceiver(change, ['--probe', 'ORIGIN/effects/{id}']);
}

/** A probe that counts 0, 1 or 2. */
const chanceProbe = changedReceiver(
  async ({ path }, response, pass) => {
    if (!path.startsWith('/effects/')) return sendPassed(response, await pass());
    return response.end(String(Math.floor(Math.random() * 3)));
  },
  ['--probe', 'ORIGIN/effects/{id}'],
);

const reset: Change = (_, response) => response.socket?.resetAndDestroy();

const endlessProbe: Change = async ({ path }, response, pass) => {
  if (!path.startsWith('/effects/')) return sendPassed(response, await pass());
  response.writeHead(200);
  if (response.socket) forEver(response.socket, Buffer.alloc(64 * 1024, ' '));
};

const noCertificate = { exits: [3], says: /certificate/, time: '20s' };
const conforming = { start: changedReceiver(asItIs), exits: [0], broken: [], time: '20s', seconds: 35 };

/** The kit and a receiver that it starts, in a network of their own with so many local ports. */
function withPorts(count: number): ZooTarget {
  const range = `ip link set lo up && echo 32768 ${32767 + count} > /proc/sys/net/ipv4/ip_local_port_range`;
  return {
    name: `conforms, and the machine has ${count} local ports`,
    start: startedReceiver,
    before: `set -- unshare -rn sh -c '${range} && exec "$@"' zoo "$@"`,
    exits: [0, 3],
    broken: [],
    time: '12s',
  };
}

/** Receivers that no run may break on. */
export const receivers: readonly ZooTarget[] = [
  ...answers.map(([name, script, exits]): ZooTarget => ({
    name,
    start: rawReceiver(script, ['--timeout', '300ms']),
    exits,
    // What accepts everything has to be found out.
    ...(exits.includes(1) && { time: '15s', seconds: 30 }),
    ...(/^(?:takes connections|writes headers without end)/.test(name) && { daily: true }),
  })),
  {
    name: 'answers with a status and a body that never comes',
    daily: true,
    start: rawReceiver(flooding(`HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n`, ''), ['--timeout', '200ms']),
    exits: [1],
    broken: ['RCV-1', 'RCV-4'],
    time: '20s',
    seconds: 35,
  },
  { name: 'conforms', ...conforming },
  { name: 'conforms, a fifth of a second for each answer', ...conforming, start: changedReceiver(slowly(200)) },
  { name: 'conforms, and closes each connection without a word', ...conforming, start: changedReceiver(closing) },
  { name: 'answers once a connection', start: changedReceiver(oncePerConnection), exits: [0, 1, 3] },
  { name: 'hangs after 60 requests', start: changedReceiver(after(60, () => {})), exits: [1, 3] },
  { name: 'resets after 60 requests', start: changedReceiver(after(60, reset)), exits: [1, 3] },
  { name: 'dies after 60 requests', start: changedReceiver(after(60, dying)), exits: [1, 3] },
  {
    name: 'answers 500 after 60 requests',
    start: changedReceiver(after(60, (_, to) => to.writeHead(500).end())),
    exits: [1, 3],
  },
  {
    name: 'resets every other connection',
    start: changedReceiver((seen, ...rest) => (seen.count % 2 ? asItIs : reset)(seen, ...rest)),
    exits: [0, 1, 3],
  },
  { name: 'shows a certificate that has expired', start: secured('receiver', { days: -1 }), ...noCertificate },
  { name: 'shows a certificate that nobody signed', start: secured('receiver', { trusted: false }), ...noCertificate },
  {
    name: 'shows a certificate of another host',
    start: secured('receiver', { host: 'other.example' }),
    ...noCertificate,
  },
  { name: 'speaks no TLS where it should', start: secured('receiver', { plain: true }), exits: [3] },
  {
    name: 'conforms, with a probe that answers a gigabyte',
    start: changedReceiver(endlessProbe, ['--probe', 'ORIGIN/effects/{id}']),
    exits: [2, 3],
  },
  {
    name: 'conforms, with a probe that nests deeply',
    start: probed(`{"count":${'['.repeat(400_000)}`),
    exits: [2],
    time: '15s',
  },
  {
    name: 'conforms, with a probe that answers HTML',
    start: probed('<html>', { type: 'text/html' }),
    exits: [2],
    time: '15s',
  },
  { name: 'conforms, with a probe that counts -1', start: probed('-1'), exits: [2], time: '15s' },
  { name: 'conforms, with a probe that counts 1e309', start: probed('1e309'), exits: [2], time: '15s' },
  {
    name: 'conforms, with a probe that answers __proto__',
    start: probed('{"__proto__":{"count":1}}'),
    exits: [2],
    time: '15s',
  },
  { name: 'conforms, with a probe that redirects', start: probed('1', { status: 302 }), exits: [2], time: '15s' },
  { name: 'conforms, with a probe that knows nothing', start: probed('', { status: 404 }), exits: [2], time: '15s' },
  {
    name: 'conforms, with a probe that breaks after 20 answers',
    start: probed('<html>', { since: 20 }),
    exits: [2, 3],
  },
  { name: 'conforms, with a probe that counts by chance', start: chanceProbe, exits: [0, 1, 2, 3] },
  { name: 'drops a tenth of all answers', start: droppingTenth, exits: [0, 3], broken: [] },
  {
    name: 'drops a tenth of all answers, and is searched',
    start: fuzzed(droppingTenth),
    exits: [0, 3],
    broken: [],
    time: '10s',
    seconds: 70,
  },
  { name: 'conforms, and is searched', ...conforming, start: fuzzed(changedReceiver(asItIs)), seconds: 70 },
  {
    name: 'resets after 60 requests, and is searched',
    start: fuzzed(changedReceiver(after(60, reset))),
    exits: [1, 3],
    seconds: 70,
  },
  ...[24, 32, 64, 128].map((files): ZooTarget => ({
    name: `conforms, and the kit may open ${files} files`,
    start: changedReceiver(asItIs),
    before: `ulimit -n ${files}`,
    exits: files < 32 ? [2] : [0, 3],
    ...(files < 32 ? { says: /at least \d+/, daily: true } : { broken: [] }),
    time: '12s',
    seconds: 30,
  })),
  withPorts(100),
];
