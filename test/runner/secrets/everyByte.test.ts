import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';

import { formatNames } from '../../../reports/formats/index.ts';
import { freePort } from '../../../runner/catcher/freePort.ts';
import type { Ended } from '../runCli.ts';
import { runHere } from '../runHere.ts';
import { anySecret, everySpelling } from './spelled.ts';

const formats = formatNames.filter((format) => format !== 'terminal');
const reports = ['terminal', ...formats.map((format) => `${format}=r.${format}`)].flatMap((each) => ['--report', each]);

let cwd: string;
const servers: Server[] = [];

beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'seaworthy-every-byte-'));
});

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

afterAll(async () => rm(cwd, { recursive: true }));

/** A target that takes everything, and repeats what it knows in each spelling: in headers, bodies and reasons. */
async function startEcho(secret: string): Promise<string> {
  let [answered, received] = [0, ''];
  const server = createServer((request, response) => {
    const [, probed] = /^\/effects\/(.*)$/.exec(request.url ?? '') ?? [];
    request.on('data', (bytes: Buffer) => (received += bytes.toString('latin1')));
    request.on('end', () => {
      if (probed === undefined || received.includes(probed))
        repeat(response, secret, (answered += 1), probed !== undefined);
      else response.end('{"count": 0}');
    });
  });
  servers.push(server.listen(0, '127.0.0.1'));
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function repeat(response: ServerResponse, secret: string, number: number, probed = false): void {
  const spellings = Object.values(everySpelling(secret));
  const spelled = spellings[number % spellings.length]!;
  response.setHeader('x-you-said', Buffer.from(spelled).toString('latin1'));
  response.statusCode = probed && number > 120 ? 500 : 200;
  response.statusMessage = encodeURIComponent(secret);
  response.end(
    probed && response.statusCode === 200 ? '{"count": 1}' : `{"said": "${spelled}"} ${spellings.join(' ')}`,
  );
}

/** A program that says what it knows piece by piece, and then takes everything. */
const program = `
import { createServer } from 'node:http';
import { readFileSync } from 'node:fs';
const [port, file] = process.argv.slice(2);
const known = Object.values(JSON.parse(readFileSync(file, 'utf8')));
const write = (stream, text) => new Promise((resolve) => stream.write(text, resolve));
for (const [at, text] of known.entries()) {
  const stream = at % 2 === 0 ? process.stdout : process.stderr;
  for (let from = 0; from < text.length; from += 5) {
    await write(stream, text.slice(from, from + 5));
    await new Promise(setImmediate);
  }
  await write(stream, at % 5 === 0 ? ' ' : '\\n');
}
createServer((request, response) => {
  request.resume().on('end', () => {
    console.log('delivered', process.env.SALT, process.env.DB_URL);
    response.end(known.join(' '));
  });
}).listen(Number(port), '127.0.0.1');
`;

async function writtenBelow(folder: string): Promise<ReadonlyMap<string, string>> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = names.filter((each) => each.isFile()).map((each) => join(each.parentPath, each.name));
  const texts = await Promise.all(files.map(async (path) => [path, await readFile(path, 'latin1')] as const));
  return new Map(texts);
}

/** Every spelling, as bytes that are read as Latin-1; of base64 what does not depend on what stands beside. */
function traces(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  const cores = [0, 1, 2].map((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64url');
    return encoded.slice(before === 0 ? 0 : before + 1, Math.floor(((before + bytes.length) * 8) / 6));
  });
  const spelled = Object.entries(everySpelling(secret)).filter(([name]) => !/base64/.test(name));
  return [...spelled.map(([, text]) => Buffer.from(text).toString('latin1')), ...cores];
}

async function expectHidden(secrets: readonly string[], { stdout, stderr }: Ended, folder: string): Promise<void> {
  const written = new Map([...(await writtenBelow(folder)), ['stdout', stdout], ['stderr', stderr]]);
  for (const [name, text] of written) {
    const plain = Buffer.from(text, 'latin1').toString();
    for (const trace of secrets.flatMap(traces)) {
      const found = [text.indexOf(trace), plain.indexOf(Buffer.from(trace, 'latin1').toString())].find((at) => at >= 0);
      expect(found === undefined ? '' : `${name}: ${text.slice(found - 80, found + 120)}`).toBe('');
    }
  }
}

async function inFolder(use: (folder: string) => Promise<void>): Promise<void> {
  const here = process.cwd();
  const folder = await mkdtemp(join(cwd, 'run-'));
  // Failed cases are saved below the directory that the process is in.
  process.chdir(folder);
  await use(folder).finally(() => process.chdir(here));
}

const oneOf = { numRuns: 1, endOnFailure: true } as const;

it('a receiver that repeats its secret: run, report, replay, export', async () => {
  await fc.assert(
    fc.asyncProperty(anySecret, anySecret, async (secret, other) => {
      await inFolder(async (folder) => {
        const base = await startEcho(secret);
        const words = [`${base}/hooks`, '--secret', secret, '--header', `X-Api-Key: ${encodeURIComponent(other)}`];
        const only = [
          '--only',
          'receiver/signature/forged',
          '--only',
          'IDM-1',
          '--intensity',
          'quick',
          '--settle',
          '50ms',
        ];
        const probe = ['--probe', `${base}/effects/{id}`];
        const run = await runHere(['receiver', ...words, ...probe, ...only, ...reports], folder);
        expect(run).toMatchObject({ code: 1 });
        expect(run.stdout).toContain('$SEAWORTHY_SECRET');
        await expectHidden([secret, encodeURIComponent(other)], run, folder);
        const file = /\S+forged\.json/.exec(run.stdout)?.[0] ?? '';
        const given = ['--secret', secret, '--header', `X-Api-Key: ${encodeURIComponent(other)}`];
        const saved = JSON.parse(await readFile(join(folder, file), 'utf8')) as object;
        const ofService = { ...saved, subject: 'service', check: 'service/acceptance/accepted-status', options: {} };
        await writeFile(join(folder, 'service.json'), JSON.stringify(ofService));
        const again = [
          ['replay', file, ...given],
          ['replay', file, ...given, '--export', 'curl', '--export', 'vitest'],
          ['replay', 'service.json', '--url', `${base}/v2`, '--token', encodeURIComponent(other), '--trackable', 'A:B'],
          ['report', 'r.journal', '--report', 'html=again.html', '--report', 'terminal'],
        ];
        for (const ended of await Promise.all(again.map((line) => runHere(line, folder))))
          await expectHidden([secret, encodeURIComponent(other)], ended, folder);
      });
    }),
    oneOf,
  );
});

it('a program that prints its secrets in pieces', async () => {
  await fc.assert(
    fc.asyncProperty(anySecret, anySecret, async (secret, salt) => {
      await inFolder(async (folder) => {
        const port = await freePort('127.0.0.1', new Set());
        const beside = await mkdtemp(join(tmpdir(), 'seaworthy-printer-'));
        await writeFile(join(beside, 'printer.mjs'), program);
        const spelled = { ...everySpelling(secret), ...everySpelling(salt) };
        await writeFile(join(beside, 'spelled.json'), JSON.stringify([...Object.values(spelled), secret, salt]));
        const database = `postgres://me:${encodeURIComponent(salt)}@localhost/db`;
        const start = `node ${join(beside, 'printer.mjs')} ${port} ${join(beside, 'spelled.json')}`;
        const words = [`http://127.0.0.1:${port}/hooks`, '--start', start, '--env', `SALT=${salt}`];
        const more = ['--env', `DB_URL=${database}`, '--secret', secret, '--only', 'receiver/signature/forged'];
        const line = ['receiver', ...words, ...more, '--intensity', 'quick', ...reports];
        const run = await runHere(line, folder);
        await rm(beside, { recursive: true });
        const log = [...(await writtenBelow(folder))].find(([name]) => name.endsWith('target.log'))?.[1] ?? '';
        expect(run.code).toBe(1);
        // What stands before a quotation mark in the salt is a beginning of the password in the address, too.
        expect(log).toMatch(/delivered (?:\$DB_URL)?\$SALT \$DB_URL/);
        await expectHidden([secret, salt], run, folder);
      });
    }),
    oneOf,
  );
});
