import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { JsonReport } from '../../../reports/formats/json/jsonReport.ts';
import type { SavedCase } from '../../../runner/engine/savedCase.ts';
import type { Ended } from '../runCli.ts';
import { runHere } from '../runHere.ts';

const key = 'key-that-nobody-else-has';
const password = 'hush-nobody-else-has-it';
const authorization = `Basic ${Buffer.from(`me:${password}`).toString('base64')}`;
/** Values that are parts of an address, of a path and of the kit's own words. */
const plain = ['X-Host: 127.0.0.1', 'X-Project: seaworthy', 'X-Role: receiver', 'Accept: application/json'];
const here = process.cwd();
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
    const repeated = [given, sent, Buffer.from(given?.slice('Basic '.length) ?? '', 'base64')].join(' ');
    response.setHeader('x-you-sent', repeated);
    request.resume().on('end', () => response.writeHead(known ? 200 : 401).end(repeated));
  });
  guard.listen(0, '127.0.0.1');
  await once(guard, 'listening');
  address = `127.0.0.1:${(guard.address() as AddressInfo).port}/hooks`;
}

function cli(words: readonly string[], environment: Readonly<Record<string, string>> = {}): Promise<Ended> {
  return runHere(words, cwd, { SEAWORTHY_SECRET: 'the secret', ...environment });
}

beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'seaworthy-cli-confidence-'));
  // Failed cases are saved below the directory that the process is in.
  process.chdir(cwd);
  await startGuard();
  const formats = ['terminal', 'json=a.json', 'html=a.html', 'junit=a.xml', 'markdown=a.md', 'sarif=a.sarif'];
  const words = `receiver http://me:${password}@${address} --seed 1 --only receiver/signature/forged --intensity quick`;
  const reports = formats.flatMap((format) => ['--report', format]);
  const headers = [`X-Api-Key: ${key}`, ...plain].flatMap((header) => ['--header', header]);
  held = await cli([...words.split(' '), ...headers, ...reports]);
  file = /\S+forged\.json/.exec(held.stdout)?.[0] ?? '';
});

afterAll(async () => {
  guard.close();
  guard.closeAllConnections();
  process.chdir(here);
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

  it('are variables of the shell in the commands, which ask for them', () => {
    const names = ['X-Api-Key', 'X-Host', 'X-Project', 'X-Role', 'Accept', 'Authorization'];
    const headers = names.map((name) => {
      const variable = `$SEAWORTHY_HEADER_${name.toUpperCase().replaceAll('-', '_')}`;
      return name === 'Accept' ? `--header 'Accept: application/json'` : `--header "${name}: ${variable}"`;
    });
    const given = headers.join(' ');
    expect(held.stdout).toContain(` receiver http://${address} ${given} --intensity quick --seed 1 --only`);
    expect(held.stdout).toContain(`replay ${file} --url http://${address} ${given}\n`);
    expect(held.stdout).toContain(`'http://${address}'`);
    expect(held.stdout).toContain(': "${SEAWORTHY_HEADER_X_API_KEY:?set it to the value of the header X-Api-Key}"\n');
    expect(held.stdout).toContain('  -H "X-Api-Key: $SEAWORTHY_HEADER_X_API_KEY" \\\n');
  });

  it('are asked for where a case is replayed, and taken from the options or the environment', async () => {
    const without = await cli(['replay', file, '--trust']);
    expect(without.code).toBe(3);
    expect(without.stdout.replaceAll(/\s+/g, ' ')).toContain(
      "hold $SEAWORTHY_HEADER_X_API_KEY: give --header 'X-Api-Key: ...' --header 'X-Host: ...'",
    );
    expect(without.stdout.replaceAll(/\s+/g, ' ')).toContain('(or SEAWORTHY_HEADER_X_API_KEY in the environment)');
    const others = { X_HOST: 'here', X_PROJECT: 'this', X_ROLE: 'none', X_API_KEY: key };
    const entries = Object.entries(others).map(([name, value]) => [`SEAWORTHY_HEADER_${name}`, value] as const);
    const keyed = Object.fromEntries(entries);
    const environment = { ...keyed, SEAWORTHY_HEADER_AUTHORIZATION: authorization };
    expect(await cli(['replay', file, '--trust'], environment)).toMatchObject({ code: 1 });
    const headers = [`X-Api-Key: ${key}`, ...plain, `Authorization: ${authorization}`];
    const given = headers.flatMap((header) => ['--header', header]);
    const again = ['replay', file, '--url', `http://${address}`];
    expect(await cli([...again, ...given])).toMatchObject({ code: 1, stderr: '' });
    const url = ['--url', `http://me:${password}@${address}`];
    expect(await cli(['replay', file, ...url], keyed)).toMatchObject({ code: 2 });
    expect(await cli(['replay', file, '--trust', ...url], keyed)).toMatchObject({ code: 1 });
  });

  it('are hidden in their headers alone where they are no credentials: all else stays as it is', async () => {
    const saved = JSON.parse(await readFile(join(cwd, file), 'utf8')) as SavedCase;
    expect(saved).toMatchObject({ seaworthy: 'case', subject: 'receiver', url: `http://${address}` });
    expect(saved.options['header']).toContain('X-Role: $SEAWORTHY_HEADER_X_ROLE');
    const { checks } = JSON.parse(await readFile(join(cwd, 'a.json'), 'utf8')) as JsonReport;
    const [found] = checks.flatMap(({ counterexample }) => counterexample ?? []);
    expect(found?.file).toBe(file);
    const [attempt] = found?.exchange.attempts ?? [];
    expect(attempt?.request.url).toBe(`http://${address}`);
    expect(attempt?.request.headers).toContainEqual(['X-Project', '$SEAWORTHY_HEADER_X_PROJECT']);
    expect(JSON.stringify(attempt)).toContain('me:$SEAWORTHY_HEADER_AUTHORIZATION_PASSWORD');
  });

  it('are hidden in the address of a probe, and of a service', async () => {
    const places = [`http://me:${password}@${address}`, '--probe', `http://you:${password}@127.0.0.1:9/{id}`];
    const asked = await cli(['receiver', ...places, '--header', `X-Api-Key: ${key}`, '--only', 'IDM-1', '--bail']);
    expect(asked.stderr).toContain('SW_PROBE_UNUSABLE');
    expect(asked.stdout + asked.stderr).not.toContain(password);
    const service = await cli(['service', `http://me:${password}@127.0.0.1:9/v2`, '--token', 'a-long-token']);
    expect(service.code).toBe(3);
    expect(service.stdout + service.stderr).not.toContain(password);
  });

  it('are hidden in the address of a catcher', async () => {
    const places = ['service', 'http://127.0.0.1:9/v2', '--catcher', `https://me:${password}@tunnel.example/`];
    const caught = await cli([...places, '--token', 'a-long-token', '--report', 'journal=caught.ndjson']);
    expect(caught.code).toBe(3);
    const journal = await readFile(join(cwd, 'caught.ndjson'), 'utf8');
    expect(journal).toContain('--catcher \\"https://me:$SEAWORTHY_PASSWORD@tunnel.example/\\"');
    expect(caught.stdout + caught.stderr + journal).not.toContain(password);
  });

  it('are hidden in errors that show an address', async () => {
    const wrong = [
      ['receiver', `ftp://me:${password}@127.0.0.1/`],
      ['receiver', `me:${password}@127.0.0.1/hooks`],
      ['receiver', `http://${address}`, '--probe', `http://me:${password}@127.0.0.1:9/effects`],
      ['service', 'http://127.0.0.1:9/v2', '--catcher', `ftp://me:${password}@tunnel.example/`],
    ];
    for (const words of wrong) {
      const { code, stderr } = await cli(words);
      expect({ words, code }).toEqual({ words, code: 2 });
      expect(stderr).toContain('…@');
      expect(stderr).not.toContain(password);
    }
  });
});
