import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { formatNames } from '../../../reports/formats/index.ts';
import { freePort } from '../../../runner/catcher/freePort.ts';
import { commands } from '../../../runner/cli/commands.ts';
import type { Ended } from '../runCli.ts';
import { runHere } from '../runHere.ts';
import { post } from '../catchers.ts';
import { type EchoServer, startEchoServer } from './echoServer.ts';
import { leaksIn, markOf } from './marks.ts';

/** Everything that a command can be given in confidence. */
const names = [
  'secret',
  'token',
  'header',
  'variable',
  'target',
  'probe',
  'recover',
  'emit',
  'catcher',
  'forward',
] as const;
const marks = Object.fromEntries([...names, 'any'].map((name) => [name, markOf(name)]));
const mark = (name: (typeof names)[number]): string => markOf(name);
/** An address with a password in it. */
const at = (name: (typeof names)[number], path: string, port = echo.port): string =>
  `http://me:${mark(name)}@127.0.0.1:${port}${path}`;

const kept = formatNames.filter((format) => format !== 'terminal');
const reports = ['terminal', ...kept.map((format) => `${format}=r.${format}`)].flatMap((each) => ['--report', each]);
/** For all formats of a search; not every one shows it. */
const few = ['--intensity', 'quick', '--settle', '20ms', ...reports];

/** A target that the kit starts: it prints what stands in its environment, and passes on what comes. */
const relay = `
import { connect, createServer } from 'node:net';
const [from, to] = process.argv.slice(2);
const { SALT } = process.env;
for (const text of [SALT, Buffer.from(SALT).toString('hex'), SALT.slice(3, 11)]) console.log('salted with', text);
createServer((socket) => {
  const other = connect(Number(to), '127.0.0.1');
  for (const each of [socket, other]) each.on('error', () => {});
  socket.pipe(other).pipe(socket);
}).listen(Number(from), '127.0.0.1');
`;

let here: string;
let folder: string;
let echo: EchoServer;
let catcherPort: number;
let relayPort: number;
/** What stood in the arguments of all processes when something was delivered. */
let processes = '';

beforeAll(async () => {
  here = process.cwd();
  folder = await mkdtemp(join(tmpdir(), 'seaworthy-every-command-'));
  echo = await startEchoServer(() => (processes ||= commandLines()));
  catcherPort = await freePort('127.0.0.1', new Set());
  relayPort = await freePort('127.0.0.1', new Set([catcherPort]));
  await writeFile(join(folder, 'relay.mjs'), relay);
  // Failed cases are saved below the directory that the process is in.
  process.chdir(folder);
});

afterAll(async () => {
  process.chdir(here);
  await echo.close();
  await rm(folder, { recursive: true });
});

function commandLines(): string {
  const ids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return ids.map((id) => commandLineOf(id)).join('\n');
}

function commandLineOf(id: string): string {
  try {
    return readFileSync(`/proc/${id}/cmdline`, 'latin1').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}

async function written(): Promise<ReadonlyMap<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((each) => each.isFile()).map((each) => join(each.parentPath, each.name));
  return new Map(await Promise.all(files.map(async (path) => [path, await readFile(path, 'latin1')] as const)));
}

const known = new Map<string, string>();

async function expectHidden(ended: Ended): Promise<void> {
  const files = [...(await written())].filter(([path, text]) => known.get(path) !== text);
  for (const [path, text] of files) known.set(path, text);
  const texts = new Map([...files, ['stdout', ended.stdout], ['stderr', ended.stderr]]);
  expect(leaksIn(texts, marks)).toEqual([]);
}

/** A call of a command, and what ends it where it would go on for ever. */
interface Row {
  readonly lines: () => Promise<readonly (readonly string[])[]> | readonly (readonly string[])[];
  readonly code: number;
  /** What its output shows of what it was given: that it took it, and understood it. */
  readonly shows?: RegExp;
  /** Once it has said that it listens. */
  readonly meanwhile?: (stdout: string) => Promise<unknown>;
}

const given = (options: Readonly<Record<string, string>>): readonly string[] => Object.entries(options).flat();
const started = () =>
  given({
    '--start': `node ${join(folder, 'relay.mjs')} ${relayPort} ${echo.port}`,
    '--env': `SALT=${mark('variable')}`,
  });
const signed = () => given({ '--secret': mark('secret'), '--header': `X-Api-Key: ${mark('header')}` });
const ofReceiver = () => [
  ...signed(),
  ...given({
    '--probe': at('probe', '/effects/{id}'),
    '--recover': at('recover', '/recover'),
    '--api-listen': '127.0.0.1:0',
  }),
];
const ofService = () =>
  given({
    '--token': mark('token'),
    '--emit': at('emit', '/emit'),
    '--catcher': at('catcher', '/', catcherPort),
    '--catcher-listen': `127.0.0.1:${catcherPort}`,
  });
const exports = ['--export', 'curl', '--export', 'vitest'];
/** A case that a row before has saved. */
const savedCase = async (name: string): Promise<string> =>
  [...(await written()).keys()].find((path) => path.includes('.seaworthy') && path.includes(name)) ?? 'none';

/** In the order of the registry: a case that is replayed was saved by a command before. */
const rows: Readonly<Record<string, Row>> = {
  receiver: {
    lines: () => [
      [
        'receiver',
        at('target', '/hooks', relayPort),
        ...ofReceiver(),
        ...started(),
        ...few,
        '--only',
        'receiver/signature/forged',
      ],
      ['receiver', at('target', '/hooks'), ...ofReceiver(), ...few, '--only', 'receiver/retries/every-retry'],
    ],
    code: 1,
    shows: /SEAWORTHY_SECRET/,
  },
  service: {
    lines: () => [
      [
        'service',
        at('target', '/v2', relayPort),
        ...ofService(),
        ...started(),
        ...few,
        '--only',
        'service/authentication/no-key',
      ],
    ],
    code: 1,
    shows: /SEAWORTHY_TOKEN/,
  },
  fuzz: {
    lines: () => [
      [
        'fuzz',
        at('target', '/hooks'),
        ...signed(),
        '--runs',
        '20',
        '--bail',
        '--only',
        'VRF-2',
        ...reports,
        ...exports,
      ],
      ['fuzz', at('target', '/hooks', relayPort), ...ofReceiver(), ...started(), '--runs', '1', '--settle', '20ms'],
      ['fuzz', '--service', at('target', '/v2'), ...ofService(), '--runs', '1', '--time', '2s', ...reports],
    ],
    code: 1,
    shows: /SEAWORTHY_SECRET/,
  },
  replay: {
    lines: async () => [
      ['replay', await savedCase('forged'), '--url', at('target', '/hooks', relayPort), ...ofReceiver(), ...started()],
      ['replay', await savedCase('forged'), '--url', at('target', '/hooks'), ...ofReceiver(), ...exports],
      ['replay', await savedCase('service'), '--url', at('target', '/v2'), ...ofService()],
    ],
    code: 1,
    shows: /FAILS/,
  },
  report: {
    lines: () => kept.map((format) => ['report', 'r.journal', '--report', `${format}=again.${format}`]),
    code: 0,
  },
  'show-report': { lines: () => [['show-report', 'r.journal', '--no-open']], code: 0 },
  requirements: { lines: () => [['requirements', at('target', '/')]], code: 2 },
  explain: { lines: () => [['explain', at('target', '/')]], code: 2 },
  'contract check': { lines: () => [['contract', 'check', at('target', '/contract.yaml')]], code: 2 },
  'contract init': { lines: () => [['contract', 'init', at('target', '/openapi.yaml')]], code: 2 },
  'contract show': {
    lines: () => [['contract', 'show', 'stripe', '--secret', mark('secret')]],
    code: 0,
    shows: /Stripe-Signature: t=/,
  },
  trigger: {
    lines: () => [
      ['trigger', at('target', '/refused'), '--secret', mark('secret'), '--header', `X-Api-Key: ${mark('header')}`],
    ],
    code: 1,
    shows: /\$SEAWORTHY_/,
  },
  listen: {
    lines: () => [
      [
        'listen',
        ...given({ '--port': '0', '--secret': mark('secret'), '--forward': at('forward', '/hooks') }),
        ...given({ '--record': 'caught.journal', '--exec': 'cat; echo "$SEAWORTHY_HEADERS" >&2' }),
      ],
    ],
    code: 1,
    shows: /\$SEAWORTHY_SECRET/,
    meanwhile: async (stdout) => {
      const [, address = ''] = /address +(\S+)/.exec(stdout) ?? [];
      for (let times = 0; times < 3; times += 1) await post(address, JSON.stringify([mark('secret'), mark('forward')]));
    },
  },
  sandbox: {
    lines: () => [['sandbox', '--port', '0', '--token', 'its own, which it gives out']],
    code: 0,
    shows: /key +its own/,
    meanwhile: (stdout) => fetch(/address +(\S+)/.exec(stdout)![1]!, { headers: { authorization: 'Token none' } }),
  },
  mock: {
    lines: () => [['mock', '--port', '0']],
    code: 0,
    meanwhile: (stdout) => fetch(/API +(\S+)/.exec(stdout)![1]!, { headers: { authorization: 'Token none' } }),
  },
  proxy: {
    lines: () => [['proxy', at('target', '/v2'), '--port', '0']],
    code: 1,
    shows: /violation/,
    meanwhile: (stdout) =>
      fetch(`${/use +(\S+)/.exec(stdout)![1]!}/webhooks`, { headers: { authorization: `Token ${mark('target')}` } }),
  },
  demo: { lines: () => [['demo', at('target', '/')]], code: 2 },
  init: { lines: () => [['init', '--yes']], code: 0 },
};

/** What these options are given is confidential, or may hold a password. */
const confidential = new Set(['<secret>', '<key>', '<url>', '<url or command>', '<name: value>', '<NAME=value>']);

describe.each(commands)('$name', ({ name, options }) => {
  it('shows nothing that it was given in confidence', async () => {
    const row = rows[name] ?? { lines: () => [], code: -1 };
    const lines = await row.lines();
    const flags = Object.values(options).filter(({ kind }) => confidential.has(kind.placeholder ?? ''));
    const missing = flags.filter(({ flag }) => !lines.some((words) => words.includes(flag)));
    expect({ lines: lines.length > 0, missing: missing.map(({ flag }) => flag) }).toEqual({ lines: true, missing: [] });
    const codes: number[] = [];
    let shown = '';
    for (const words of lines) {
      echo.know(Object.values(marks).filter((each) => words.some((word) => word.includes(each))));
      let acted: Promise<unknown> | undefined;
      const ended = await runHere(words, folder, { PATH: process.env['PATH'] ?? '' }, (stdout, end) => {
        if (row.meanwhile === undefined || !/Ctrl-C ends it/.test(stdout)) return;
        acted ??= row.meanwhile(stdout).finally(() => setImmediate(end));
      });
      await acted;
      codes.push(ended.code ?? -1);
      shown += ended.stdout + ended.stderr;
      await expectHidden(ended);
    }
    expect({ codes, shown, right: codes.includes(row.code) }).toMatchObject({ right: true });
    expect(codes).not.toContain(70);
    expect(shown).toMatch(row.shows ?? /./);
  });

  it('shows no password of an address that stands where it does not belong', async () => {
    const wrong = `http://me:${marks['any']}@127.0.0.1:9/x`;
    const flags = Object.values(options).flatMap(({ flag, kind }) => (kind.placeholder === undefined ? [] : [flag]));
    for (const words of [[wrong], ['x', wrong], ...flags.map((flag) => [flag, wrong])]) {
      const ended = await runHere([...name.split(' '), ...words], folder, {}, (_, end) => end());
      expect({ words, leaks: leaksIn(new Map([['it', ended.stdout + ended.stderr]]), marks) }).toEqual({
        words,
        leaks: [],
      });
    }
  });
});

it('no process was started with a secret in its arguments', () => {
  expect(processes).toContain('relay.mjs');
  expect(leaksIn(new Map([['a process', processes]]), marks)).toEqual([]);
});
