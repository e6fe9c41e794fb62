import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer as createTlsServer } from 'node:https';
import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { fileURLToPath } from 'node:url';

import { buildConnector } from 'undici';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { startReceiver } from '../../../reference/receiver/receiver.ts';
import { startService, type RunningService } from '../../../reference/service/service.ts';
import type { JsonReport } from '../../../reports/formats/json/jsonReport.ts';
import { openAuthority } from '../../../runner/catcher/authority.ts';
import { freePort } from '../../../runner/catcher/freePort.ts';
import { start as startOther } from '../../proof/services/otherSignature.ts';
import { makeCertificate } from '../certificate.ts';
import { runCli, type Ended } from '../runCli.ts';
import { runHere } from '../runHere.ts';

const backoff = [15, 20, 25];
const here = process.cwd();
let cwd: string;
const closing: (() => Promise<unknown>)[] = [];

beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'seaworthy-service-cli-'));
  process.chdir(cwd);
});

afterEach(async () => {
  for (const close of closing.splice(0)) await close();
  process.chdir(here);
  await rm(cwd, { recursive: true });
});

async function start(options: Parameters<typeof startService>[0] = {}): Promise<RunningService> {
  const service = await startService({ backoff, ...options });
  closing.push(() => service.close());
  return service;
}

function cli(...words: readonly string[]): Promise<Ended> {
  return runHere(['service', ...words], cwd, { PATH: process.env['PATH'] ?? '' });
}

async function readReport(name: string): Promise<JsonReport> {
  return JSON.parse(await readFile(join(cwd, name), 'utf8')) as JsonReport;
}

describe('a command that cannot be run', () => {
  it('exits with 2 without a base address', async () => {
    const { code, stderr } = await cli();
    expect(code).toBe(2);
    expect(stderr).toContain('service was given no base address');
  });

  it('exits with 2 where the target is remote', async () => {
    const { code, stderr } = await cli('http://203.0.113.7/v2');
    expect(code).toBe(2);
    expect(stderr).toContain('--allow-remote');
  });

  it('exits with 3 where nobody answers', async () => {
    const { code, stdout } = await cli('http://127.0.0.1:1/v2', '--token', 'x');
    expect(code).toBe(3);
    expect(stdout).toContain('cannot be reached');
  });

  it('exits with 3 where the key is wrong, and says which option to look at', async () => {
    const { url } = await start();
    const { code, stdout } = await cli(url, '--token', 'another-key');
    expect(code).toBe(3);
    expect(stdout).toMatch(/--token takes the key alone[^]*Check\s--token\sand\sthe\sbase\saddress/);
  });

  it('exits with 2 where the port of --catcher-listen is taken', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => taken.once('listening', resolve));
    closing.push(() => new Promise((resolve) => taken.close(resolve)));
    const { port } = taken.address() as AddressInfo;
    const { url, token } = await start();
    const { code, stderr } = await cli(url, '--token', token, '--catcher-listen', `127.0.0.1:${port}`);
    expect(stderr).toContain('--catcher-listen');
    expect(code).toBe(2);
  });
});

describe('a command', () => {
  it('lists the checks without sending anything', async () => {
    const { code, stdout } = await cli('--list', '--only', 'SIG-1');
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /service\/signature\/[\s\S]*SIG-1.*; needs --emit or --trackable[\s\S]*nothing was sent\.\n$/,
    );
    expect(await readdir(cwd)).toEqual([]);
  });

  it('takes its address and its options from the config file', async () => {
    const { url, token } = await start();
    const service = { url, token, only: 'CRW-1', report: 'json=from-config.json' };
    await writeFile(join(cwd, 'seaworthy.config.json'), JSON.stringify({ seed: 5, service }));
    const { code } = await cli();
    expect(code).toBe(0);
    expect(await readReport('from-config.json')).toMatchObject({
      target: { kind: 'service', address: url },
      run: { seed: 5 },
      verdict: 'inconclusive',
    });
  });

  it('writes what it learned to a file, from which the command for receivers takes its assumptions', async () => {
    const service = await startOther({ backoff });
    closing.push(() => service.close());
    const { url, token, emit } = service;
    const given = ['--token', token, '--emit', emit, '--assume', 'signature.header=X-Tracking-Signature'];
    const only = ['--only', 'service/signature/first-attempt', '--intensity', 'quick'];
    const learning = await cli(url, ...given, ...only, '--learn', 'out/learned.yaml');
    expect(learning.code).toBe(0);
    expect(learning.stderr).toContain('out/learned.yaml');
    const receiver = await startReceiver({ secrets: ['s'] });
    closing.push(() => receiver.close());
    const words = ['--secret', 's', '--assume', '@out/learned.yaml', '--report', 'json=r.json', '--intensity', 'quick'];
    await runHere(['receiver', receiver.url, '--only', 'receiver/signature/header-case', ...words], cwd);
    const { assumptions } = await readReport('r.json');
    expect(assumptions.filter(({ key }) => key.startsWith('signature.'))).toMatchObject([
      { key: 'signature.header', value: 'X-Tracking-Signature', source: 'learned' },
      { key: 'signature.scheme', value: 'sha256=hmac-sha256-base64', source: 'learned' },
    ]);
  });

  it('shows the key in none of its files', async () => {
    const { url, token } = await start();
    const only = ['--only', 'API-*', '--intensity', 'quick'];
    const given = ['--token', token, ...only, '--report', 'terminal', '--report', 'json=a.json'];
    const { stdout, stderr } = await cli(url, ...given, '--assume', 'refusal.unauthorized=418');
    const runs = await readdir(join(cwd, '.seaworthy', 'runs'));
    const journal = join(
      '.seaworthy',
      'runs',
      runs.find((name) => name.endsWith('.ndjson'))!,
    );
    const files = await Promise.all(['a.json', journal].map((file) => readFile(join(cwd, file), 'utf8')));
    expect(files.join('')).toContain('$SEAWORTHY_TOKEN');
    for (const text of [stdout, stderr, ...files]) {
      expect(text).not.toContain(token);
      expect(text).not.toContain(token.slice(0, -1));
    }
    expect((await readReport('a.json')).summary.failed).toBeGreaterThan(0);
  });
});

describe('a service that the command starts', () => {
  const program = fileURLToPath(new URL('mortalService.ts', import.meta.url));

  it('ends with the command, also where that is interrupted', async () => {
    const port = await freePort('127.0.0.1', new Set());
    const start = ['--start', `exec '${process.execPath}' '${program}' ${port}`];
    const origin = `http://127.0.0.1:${port}`;
    const key = ['--token', 'the-key-of-the-hand-written-service', '--emit', `${origin}/emit`];
    let interrupted = false;
    const { code, stdout } = await runCli(['service', `${origin}/v2`, ...key, ...start], {
      cwd,
      onOutput: (text, child) => {
        if (!interrupted && text.includes('creating a plain webhook')) interrupted = child.kill('SIGINT');
      },
    });
    expect(code).toBe(130);
    expect(stdout).not.toContain('the-key-of');
    await expect(fetch(origin)).rejects.toThrow('fetch failed');
  });

  it('exits with 3 where it does not start, and shows what it said', async () => {
    const { code, stdout } = await cli('http://127.0.0.1:1/v2', '--token', 'x', '--start', 'echo out of order; exit 4');
    expect(code).toBe(3);
    expect(stdout).toContain('out of order');
  });

  it('is not wanted where the checks are only listed', async () => {
    const { code, stdout } = await cli('--list', '--only', 'DLV-7', '--image', 'none/such:1', '--port', '1');
    expect(code).toBe(0);
    expect(stdout).toContain('needs --start or --image');
  });
});

describe('a base address with https', () => {
  const authority = () => openAuthority(join(cwd, '.seaworthy', 'authority'));

  it('is called over TLS, and deliveries come to endpoints with a certificate of the authority that is named', async () => {
    const { path } = await authority();
    const service = await start({ ca: await readFile(path, 'utf8') });
    const only = ['--only', 'service/signature/*', '--report', 'json=a.json'];
    const { code, stderr } = await cli(...(await overTls(service)), ...only);
    const { checks } = await readReport('a.json');
    expect(stderr).toContain(`trust their authority: ${join('.seaworthy', 'authority', 'authority.pem')}`);
    expect(checks.map(({ outcome }) => outcome)).toContain('passed');
    // With the reasons, for a busy machine may leave one undecided.
    const open = checks.filter(({ outcome }) => outcome === 'failed' || outcome === 'inconclusive');
    expect(open.map(({ id, outcome, reason }) => [id, outcome, reason])).toEqual([]);
    expect(code).toBe(0);
  });

  it('says what to look at where the service does not trust that authority', async () => {
    const service = await start();
    const only = ['--only', 'service/signature/first-attempt', '--retry-window', '2s', '--report', 'json=a.json'];
    const { code } = await cli(...(await overTls(service)), ...only);
    const { checks } = await readReport('a.json');
    expect(checks.map(({ reason }) => reason)).toEqual([
      expect.stringMatching(/: does the service trust the authority of the kit's endpoints\?$/),
    ]);
    expect(code).toBe(3);
  });

  const flaws = ['nobody trusts', 'has expired', 'is for another host'];
  it.each<readonly [what: string, verify: (ca: string) => buildConnector.connector, taken: readonly string[]]>([
    ['all of it', (ca) => buildConnector({ ca }), []],
    ['all but the host', (ca) => buildConnector({ ca, checkServerIdentity: () => undefined }), ['is for another host']],
    ['all but the time', takingExpired, ['has expired']],
    ['nothing', () => buildConnector({ rejectUnauthorized: false }), flaws],
  ])('has deliveries to flawed certificates observed, of which the service verifies %s', async (_, verify, taken) => {
    const ca = await readFile((await authority()).path, 'utf8');
    const service = await start({ connect: verify(ca) });
    const only = ['--only', 'service/connections/refused', '--report', 'json=a.json'];
    const { code } = await cli(...(await overTls(service)), ...only);
    const { observations } = await readReport('a.json');
    const seen = observations.flatMap(({ value }) => /^(.*) to an https .* certificate that (.*)$/.exec(value) ?? []);
    expect(new Map(flaws.map((flaw) => [flaw, seen[seen.indexOf(flaw) - 1]]))).toEqual(
      new Map(flaws.map((flaw) => [flaw, taken.includes(flaw) ? 'a delivery goes' : 'no delivery goes'])),
    );
    expect(code).toBe(0);
  });
});

/** Puts TLS before the API of a service. @returns the words that a command needs to test it */
async function overTls(service: RunningService): Promise<readonly string[]> {
  const certificate = await makeCertificate();
  closing.push(() => certificate.remove());
  const front = createTlsServer(certificate, (incoming, response) => {
    const { url = '', method, headers } = incoming;
    const onward = httpRequest(new URL(url, service.url), { method, headers }, (answer) => {
      answer.pipe(response.writeHead(answer.statusCode ?? 500, answer.headers));
    });
    incoming.pipe(onward.once('error', () => response.destroy()));
  });
  front.listen(0, '127.0.0.1');
  await once(front, 'listening');
  closing.push(async () => {
    front.close();
    front.closeAllConnections();
  });
  const base = `https://localhost:${(front.address() as AddressInfo).port}/v2`;
  return [base, '--ca', certificate.path, '--token', service.token, '--emit', service.emit, '--intensity', 'quick'];
}

/** Connects to an endpoint with a certificate that has expired, as long as nothing else is wrong with it. */
function takingExpired(ca: string): buildConnector.connector {
  const connect = buildConnector({ ca, rejectUnauthorized: false });
  return (target, callback) => {
    connect(target, (...[error, socket]) => {
      if (error !== null) return callback(error, null);
      const { authorizationError } = socket as TLSSocket;
      if (!authorizationError || String(authorizationError) === 'CERT_HAS_EXPIRED') return callback(null, socket);
      socket.destroy();
      callback(new Error(String(authorizationError)), null);
    });
  };
}
