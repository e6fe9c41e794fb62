import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { UsageError } from '../../../runner/errors.ts';
import { readCertificates } from '../../../runner/options/readCertificates.ts';
import { makeCertificate, type Certificate } from '../certificate.ts';
import { runHere } from '../runHere.ts';

let folder: string;
let certificate: Certificate;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'seaworthy-ca-'));
  certificate = await makeCertificate();
});

afterAll(async () => {
  await certificate.remove();
  await rm(folder, { recursive: true });
});

async function file(name: string, content: string | Buffer): Promise<string> {
  await writeFile(join(folder, name), content);
  return join(folder, name);
}

async function problem(path: string): Promise<UsageError> {
  const thrown: unknown = await readCertificates(path).catch((error: unknown) => error);
  expect(thrown).toBeInstanceOf(UsageError);
  return thrown as UsageError;
}

test('takes one certificate or several, and nothing else of the file', async () => {
  const { cert, key, path } = certificate;
  expect(await readCertificates(path)).toBe(cert);
  const mixed = await file('mixed.pem', `\uFEFF# ours\r\n${cert}${key}# theirs\n${cert.replaceAll('\n', '\r\n')}`);
  const read = await readCertificates(mixed);
  expect(read.match(/BEGIN CERTIFICATE/g)).toHaveLength(2);
  expect(read).not.toMatch(/PRIVATE KEY|ours/);
});

const canary = 'canary-s3cret';

const contents: Readonly<Record<string, () => string | Buffer>> = {
  'an empty file': () => '',
  words: () => `password=${canary}\n`,
  'a private key': () => certificate.key,
  'a certificate in DER form': () => Buffer.from(certificate.cert.split('-----')[2]!, 'base64'),
  'a certificate that is cut off': () => certificate.cert.slice(0, 200),
  'a certificate of something else': () => `-----BEGIN CERTIFICATE-----\n${btoa(canary)}\n-----END CERTIFICATE-----\n`,
  'one good certificate and a bad one': () => `${certificate.cert}-----BEGIN CERTIFICATE-----\n${canary}`,
  'a public key': () => '-----BEGIN PUBLIC KEY-----\nMFkw\n-----END PUBLIC KEY-----\n',
};

test.each(Object.entries(contents))('refuses %s, and shows nothing of it', async (name, content) => {
  const text = content();
  const path = await file(`${name}.pem`, text);
  const { code, exitCode, message, cause } = await problem(path);
  expect({ code, exitCode }).toEqual({ code: 'SW_CERTIFICATES_INVALID', exitCode: 2 });
  expect(message).toContain(`--ca ${path} holds`);
  const lines = [canary, btoa(canary), ...String(text).split('\n')].filter((line) => /^[^-]{4,}$/.test(line));
  expect(lines.filter((line) => (message + String(cause)).includes(line))).toEqual([]);
});

test('refuses what is no file of a reasonable size, without waiting', async () => {
  const directory = join(folder, 'directory');
  await mkdir(directory);
  const pipe = join(folder, 'pipe');
  await promisify(execFile)('mkfifo', [pipe]);
  const huge = await file('huge.pem', certificate.cert);
  await truncate(huge, 64 * 1024 * 1024 * 1024);
  expect((await problem(directory)).message).toContain('is no regular file');
  expect((await problem(pipe)).message).toContain('is no regular file');
  expect((await problem('/dev/zero')).message).toContain('is no regular file');
  expect((await problem(huge)).message).toContain('has more than 4 MiB');
  expect(await problem(join(folder, 'none.pem'))).toMatchObject({ code: 'SW_FILE_UNREADABLE' });
});

test.each([
  ['receiver', 'http://127.0.0.1:1/hooks'],
  ['service', 'http://127.0.0.1:1/v2'],
  ['fuzz', 'http://127.0.0.1:1/hooks'],
  ['proxy', 'http://127.0.0.1:1/v2'],
])('seaworthy %s ends with 2, and prints nothing of the file', async (command, url) => {
  const path = await file('words.txt', `${canary}\n`);
  const { code, stdout, stderr } = await runHere([command, url, '--ca', path], folder);
  expect(code).toBe(2);
  expect(stderr).toContain(`--ca ${path} holds no certificate`);
  expect(stdout + stderr).not.toContain(canary);
});
