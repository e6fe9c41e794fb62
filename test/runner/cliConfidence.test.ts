import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { runCli, type Ended } from './runCli.ts';

const key = 'key-that-nobody-else-has';
const password = 'hush-nobody-else-has-it';
const authorization = `Basic ${Buffer.from(`me:${password}`).toString('base64')}`;
let cwd: string;
let guard: Server;
let address: string;
let held: Ended;
let file: string;

/** A receiver that accepts whatever is delivered to it with the right headers, and repeats them in its answers. */
async function startGuard(): Promise<void> {
  guard = createServer((request, response) => {
    const { authorization: given, 'x-api-key': sent } = request.headers;
    const known = given === authorization && sent === key;
    const repeated = [given, sent].join(' ');
    response.setHeader('x-you-sent', repeated);
    request.resume().on('end', () => response.writeHead(known ? 200 : 401).end(repeated));
  });
  guard.listen(0, '127.0.0.1');
  await once(guard, 'listening');
  address = `127.0.0.1:${(guard.address() as AddressInfo).port}/hooks`;
}

function cli(words: readonly string[], environment: Readonly<Record<string, string>> = {}): Promise<Ended> {
  return runCli(words, { cwd, environment: { SEAWORTHY_SECRET: 'the secret', ...environment } });
}

beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'seaworthy-cli-confidence-'));
  await startGuard();
  const formats = ['terminal', 'json=a.json', 'html=a.html', 'junit=a.xml', 'markdown=a.md', 'sarif=a.sarif'];
  const words = `receiver http://me:${password}@${address} --seed 1 --only receiver/signature/forged --intensity quick`;
  const reports = formats.flatMap((format) => ['--report', format]);
  held = await cli([...words.split(' '), '--header', `X-Api-Key: ${key}`, ...reports]);
  file = /\S+forged\.json/.exec(held.stdout)?.[0] ?? '';
});

afterAll(async () => {
  guard.close();
  guard.closeAllConnections();
  await rm(cwd, { recursive: true });
});

describe('the value of a header, and a password in the address', () => {
  it('reach the receiver, and stand in no report, no journal and no saved case', async () => {
    expect(held.code).toBe(1);
    const names = await readdir(cwd, { recursive: true, withFileTypes: true });
    const files = names.filter((each) => each.isFile()).map((each) => join(each.parentPath, each.name));
    expect(files.length).toBeGreaterThan(6);
    const texts = await Promise.all(files.map((path) => readFile(path, 'utf8')));
    for (const text of [held.stdout, held.stderr, ...texts]) {
      expect(text).not.toContain(key);
      expect(text).not.toContain(password);
      expect(text).not.toContain(authorization.slice('Basic '.length));
    }
  });

  it('stand in no report and no journal of a search either', async () => {
    const words = `fuzz http://me:${password}@${address} --runs 30 --bail --seed 1 --report journal=found.ndjson --only VRF-2`;
    const { stdout, stderr } = await cli([
      ...words.split(' '),
      '--header',
      `X-Api-Key: ${key}`,
      '--report',
      'terminal',
    ]);
    const journal = await readFile(join(cwd, 'found.ndjson'), 'utf8');
    expect(journal).toContain('"type":"fuzz.failed"');
    for (const text of [stdout, stderr, journal]) expect(text).not.toMatch(new RegExp(`${key}|${password}`));
    expect(journal).toContain('$SEAWORTHY_HEADER_X_API_KEY');
    expect(journal).not.toContain(authorization.slice('Basic '.length));
  });

  it('are variables of the shell in the commands, which ask for them', () => {
    const header = '--header "X-Api-Key: $SEAWORTHY_HEADER_X_API_KEY"';
    const both = `${header} --header "Authorization: $SEAWORTHY_HEADER_AUTHORIZATION"`;
    expect(held.stdout).toContain(`seaworthy receiver http://${address} ${both} --intensity quick --seed 1 --only`);
    expect(held.stdout).toContain(`replay ${file} ${both}\n`);
    expect(held.stdout).toContain(': "${SEAWORTHY_HEADER_X_API_KEY:?set it to the value of the header X-Api-Key}"\n');
    expect(held.stdout).toContain('  -H "X-Api-Key: $SEAWORTHY_HEADER_X_API_KEY" \\\n');
  });

  it('are asked for where a case is replayed, and taken from the options or the environment', async () => {
    const without = await cli(['replay', file]);
    expect(without.code).toBe(3);
    expect(without.stdout.replaceAll(/\s+/g, ' ')).toContain(
      "hold $SEAWORTHY_HEADER_X_API_KEY: give --header 'X-Api-Key: ...' --header 'Authorization: ...' (or SEAWORTHY_HEADER_X_API_KEY in the environment)",
    );
    const environment = { SEAWORTHY_HEADER_X_API_KEY: key, SEAWORTHY_HEADER_AUTHORIZATION: authorization };
    expect(await cli(['replay', file], environment)).toMatchObject({ code: 1, stderr: '' });
    const headers = ['--header', `X-Api-Key: ${key}`, '--header', `Authorization: ${authorization}`];
    expect(await cli(['replay', file, ...headers])).toMatchObject({ code: 1, stderr: '' });
    const url = ['--url', `http://me:${password}@${address}`];
    const placed = await cli(['replay', file, ...url], { SEAWORTHY_HEADER_X_API_KEY: key });
    expect(placed).toMatchObject({ code: 1, stderr: '' });
  });

  it('are hidden in the address of a probe, and of a service', async () => {
    const places = [`http://me:${password}@${address}`, '--probe', `http://you:${password}@127.0.0.1:9/{id}`];
    const asked = await cli(['receiver', ...places, '--header', `X-Api-Key: ${key}`, '--only', 'IDM-1', '--bail']);
    expect(asked.stdout).toContain('http://you:$SEAWORTHY_PASSWORD@127.0.0.1:9/');
    expect(asked.stdout + asked.stderr).not.toContain(password);
    const service = await cli(['service', `http://me:${password}@127.0.0.1:9/v2`, '--token', 'a-long-token']);
    expect(service.code).toBe(3);
    expect(service.stdout + service.stderr).not.toContain(password);
  });
});
