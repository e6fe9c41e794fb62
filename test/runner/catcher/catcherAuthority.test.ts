import { execFile } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type TLSSocket } from 'node:tls';
import { promisify } from 'node:util';

import { Agent, request } from 'undici';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { type Authority, openAuthority, issueRoot } from '../../../runner/catcher/authority.ts';
import type { Endpoint } from '../../../runner/catcher/endpoint.ts';
import { ended, until, untilClosed, useCatchers, written } from '../catchers.ts';

const start = useCatchers();
const ok = { do: 'respond', status: 200 } as const;
let directory: string;

beforeEach(async () => {
  directory = join(await mkdtemp(join(tmpdir(), 'seaworthy-authority-')), 'made', 'here');
});

afterEach(() => rm(join(directory, '..', '..'), { recursive: true }));

/** A TLS connection to an endpoint, verified against the authority's file. */
async function trusting(endpoint: Endpoint, { path }: Authority): Promise<TLSSocket> {
  const { hostname: host, port } = new URL(endpoint.url);
  const bare = host.replace(/^\[(.*)\]$/, '$1');
  const socket = connect({ host: bare, port: Number(port), ca: await readFile(path, 'utf8') });
  await once(
    socket.on('error', () => {}),
    'secureConnect',
  );
  return socket;
}

const rootOf = async ({ path }: Authority): Promise<string> => readFile(path, 'utf8');

test('makes an authority once, and keeps its key to itself', async () => {
  const first = await openAuthority(directory);
  const made = await rootOf(first);
  const second = await openAuthority(directory);
  expect(first).toMatchObject({ path: join(directory, 'authority.pem'), note: undefined });
  expect(second).toMatchObject({ path: first.path, note: undefined });
  expect(await rootOf(second)).toBe(made);
  expect((await readdir(directory)).toSorted()).toEqual(['.gitignore', 'authority.1.key.pem', 'authority.pem']);
  expect((await stat(join(directory, 'authority.1.key.pem'))).mode & 0o777).toBe(0o600);
  expect(made).not.toContain('PRIVATE');
  expect(new X509Certificate(made).ca).toBe(true);
});

test('makes certificates that its own verifies, for names and addresses', async () => {
  const authority = await openAuthority(directory);
  const root = new X509Certificate(await rootOf(authority));
  const { key, cert } = await authority.certificateFor(['hooks.example', '127.0.0.1', 'fe80::1']);
  const certificate = new X509Certificate(cert);
  expect(certificate.checkIssued(root) && certificate.verify(root.publicKey)).toBe(true);
  expect(certificate.checkHost('hooks.example')).toBe('hooks.example');
  expect(certificate.checkHost('other.example')).toBe(undefined);
  expect(certificate.checkIP('127.0.0.1')).toBe('127.0.0.1');
  expect(certificate.checkIP('fe80::1')).toBe('fe80::1');
  expect(certificate.ca).toBe(false);
  expect(key).toContain('PRIVATE KEY');
});

test('runs that open it at the same time get the same authority', async () => {
  const authorities = await Promise.all(Array.from({ length: 10 }, () => openAuthority(directory)));
  const root = new X509Certificate(await readFile(join(directory, 'authority.pem')));
  const leaves = await Promise.all(authorities.map((authority) => authority.certificateFor(['localhost'])));
  expect(leaves.map(({ cert }) => new X509Certificate(cert).verify(root.publicKey))).toEqual(leaves.map(() => true));
  expect(await readdir(directory)).toHaveLength(3);
});

const damages: readonly (readonly [what: string, damage: (path: string) => Promise<void>, note: RegExp])[] = [
  ['is garbage', (path) => writeFile(path, 'garbage'), /cannot be read/],
  ['is empty', (path) => writeFile(path, ''), /cannot be read/],
  [
    'expires soon',
    async (path) => {
      const { key, cert } = await issueRoot(29);
      await writeFile(path, key + cert);
    },
    /expires on \w+ /,
  ],
  [
    'has expired',
    async (path) => {
      const { key, cert } = await issueRoot(-10);
      await writeFile(path, key + cert);
    },
    /expires on \w+ /,
  ],
  [
    'has another key',
    async (path) => writeFile(path, (await issueRoot()).key + (await issueRoot()).cert),
    /a key that is not of its certificate/,
  ],
  [
    'is the certificate of a server',
    async (path) => {
      const { key, cert } = await (await openAuthority(directory)).certificateFor(['localhost']);
      await writeFile(path, key + cert);
    },
    /none of an authority/,
  ],
  ['can be read by others', (path) => chmod(path, 0o644), /other users/],
];

test.each(damages)('makes another authority, and says so, where the one kept %s', async (_, damage, note) => {
  const before = await rootOf(await openAuthority(directory));
  await damage(join(directory, 'authority.1.key.pem'));
  const authority = await openAuthority(directory);
  expect(authority.note).toMatch(note);
  expect(authority.note).toContain(authority.path);
  const after = await rootOf(authority);
  expect(after).not.toBe(before);
  const leaf = new X509Certificate((await authority.certificateFor(['localhost'])).cert);
  expect(leaf.verify(new X509Certificate(after).publicKey)).toBe(true);
  expect((await openAuthority(directory)).note).toBe(undefined);
});

test('a certificate that was exchanged beside the key is put right', async () => {
  const before = await rootOf(await openAuthority(directory));
  await writeFile(join(directory, 'authority.pem'), (await issueRoot()).cert);
  expect(await rootOf(await openAuthority(directory))).toBe(before);
});

test('a catcher that speaks https needs an authority', async () => {
  await expect(start({ protocol: 'https' })).rejects.toThrow('authority');
});

test.each(['127.0.0.1', 'localhost', '::1', '0.0.0.0'])('a client verifies the catcher on %s', async (host) => {
  const authority = await openAuthority(directory);
  const catcher = await start({ protocol: 'https', authority, listen: { host, port: 0 } });
  const endpoint = catcher.endpoint([ok]);
  const dispatcher = new Agent({ connect: { ca: await rootOf(authority) } });
  const answer = await request(endpoint.url, { method: 'POST', body: '{"id":"1"}', dispatcher });
  await answer.body.dump();
  await dispatcher.close();
  expect(endpoint.url).toMatch(/^https:/);
  expect(answer.statusCode).toBe(200);
  expect((await ended(endpoint))[0]).toMatchObject({ key: '1', peer: expect.stringMatching(/^(127\.0\.0\.1|::1)$/) });
});

test('clients that do not trust it are counted, and nothing of them is caught', async () => {
  const catcher = await start({ protocol: 'https', authority: await openAuthority(directory) });
  const endpoint = catcher.endpoint([ok]);
  const { path } = await openAuthority(join(directory, 'another'));
  const { host } = new URL(endpoint.url);
  const strict = ['s_client', '-connect', host, '-CAfile', path, '-verify_return_error'];
  await expect(promisify(execFile)('openssl', strict)).rejects.toThrow('verify error');
  expect([...catcher.unreadable]).toEqual([['ERR_SSL_TLSV1_ALERT_UNKNOWN_CA', 1]]);
  await expect(request(endpoint.url)).rejects.toThrow(/certificate/);
  await expect.poll(() => catcher.unreadable.get('CLOSED_WITHOUT_REQUEST')).toBe(1);
  expect(endpoint.caught).toEqual([]);
});

test('one that speaks http to it is counted', async () => {
  const catcher = await start({ protocol: 'https', authority: await openAuthority(directory) });
  await expect(request(catcher.origin.replace('https', 'http'))).rejects.toThrow(/other side closed|ECONNRESET/);
  expect([...catcher.unreadable]).toEqual([['ERR_SSL_HTTP_REQUEST', 1]]);
});

test.each(['before', 'during', 'after'] as const)('resets %s the answer, below TLS', async (when) => {
  const authority = await openAuthority(directory);
  const endpoint = (await start({ protocol: 'https', authority })).endpoint([{ do: 'reset', when }]);
  const socket = await trusting(endpoint, authority);
  const closed = untilClosed(socket);
  socket.write(written(endpoint.url, '{"id":"1"}'));
  const [text, error] = await closed;
  expect(error).toBe('ECONNRESET');
  expect(text === '').toBe(when === 'before');
  expect((await ended(endpoint))[0]?.end?.kind).toBe('reset');
});

test.each(['before', 'during'] as const)('closes the connection %s the answer, above TLS', async (when) => {
  const authority = await openAuthority(directory);
  const endpoint = (await start({ protocol: 'https', authority })).endpoint([{ do: 'close', when }]);
  const socket = await trusting(endpoint, authority);
  const closed = untilClosed(socket);
  socket.write(written(endpoint.url, '{"id":"1"}'));
  const [text, error] = await closed;
  expect(error).toBe('');
  expect(text === '').toBe(when === 'before');
  expect((await ended(endpoint))[0]?.end?.kind).toBe('closed');
});

test.each(['end', 'destroy'] as const)('sees a TLS client leave by %s', async (leave) => {
  const authority = await openAuthority(directory);
  const catcher = await start({ protocol: 'https', authority });
  const endpoint = catcher.endpoint([{ do: 'hang' }]);
  const socket = await trusting(endpoint, authority);
  socket.write(written(endpoint.url, '{"id":"1"}'));
  await until(endpoint, ({ length }) => length === 1);
  const before = performance.now();
  socket[leave]();
  const [caught] = await ended(endpoint);
  expect(caught?.end?.kind).toBe('abandoned');
  expect(caught?.end?.at).toBeGreaterThanOrEqual(before);
  expect(catcher.unreadable.size).toBe(0);
});

test('connections to https are refused, then opened', async () => {
  const authority = await openAuthority(directory);
  const refusing = await (await start({ protocol: 'https', authority })).refusing([ok]);
  await expect(request(refusing.url)).rejects.toThrow('ECONNREFUSED');
  const endpoint = await refusing.open();
  const socket = await trusting(endpoint, authority);
  const closed = untilClosed(socket);
  socket.write(written(endpoint.url, '{"id":"1"}', ['Connection: close']));
  expect((await closed)[0]).toMatch(/^HTTP\/1.1 200 /);
});
