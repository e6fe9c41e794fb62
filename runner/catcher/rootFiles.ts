import { createPrivateKey, randomUUID, X509Certificate } from 'node:crypto';
import { link, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Identity } from './issueCertificate.ts';

/** Milliseconds that an authority has to be good for. */
const remaining = 30 * 24 * 60 * 60 * 1000;

/** The file of an authority: its key and its certificate, one after the other. */
export interface RootFile {
  readonly number: number;
  /** Of the file's access; 0 where the platform knows none. */
  readonly mode: number;
  readonly root: Identity;
}

/** The authority with the highest number in a directory; nothing where there is none. */
export async function latestRoot(directory: string): Promise<RootFile | undefined> {
  const numbers = (await readdir(directory)).map((name) => Number(/^authority\.(\d+)\.key\.pem$/.exec(name)?.[1] ?? 0));
  const number = Math.max(0, ...numbers);
  return number === 0 ? undefined : readRoot(directory, number);
}

/**
 * Writes an authority, unless another run has written the one with this number.
 *
 * @returns the one that is there now
 */
export async function addRoot(directory: string, number: number, { key, cert }: Identity): Promise<RootFile> {
  const temporary = join(directory, `.${randomUUID()}`);
  await writeFile(temporary, key + cert, { mode: 0o600, flag: 'wx' });
  try {
    await link(temporary, fileOf(directory, number));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(temporary);
  }
  return readRoot(directory, number);
}

/** Why an authority cannot be used, as the rest of a sentence about it; nothing where it can. */
export function unfitness({ root, mode }: RootFile): string | undefined {
  if ((mode & 0o077) !== 0) return 'has a private key that other users of this machine can read';
  try {
    const certificate = new X509Certificate(root.cert);
    const { publicKey, ca, validTo } = certificate;
    if (!ca || !certificate.verify(publicKey)) return 'has a certificate that is none of an authority';
    if (!certificate.checkPrivateKey(createPrivateKey(root.key))) return 'has a key that is not of its certificate';
    return Date.parse(validTo) - Date.now() < remaining ? `expires on ${validTo}` : undefined;
  } catch (error) {
    return `cannot be read (${error instanceof Error ? error.message : String(error)})`;
  }
}

/** Writes a file so that nobody ever sees half of it. One that has this content is left as it is. */
export async function writeWhole(path: string, content: string): Promise<void> {
  if ((await readFile(path, 'utf8').catch(() => undefined)) === content) return;
  const temporary = `${path}.${randomUUID()}`;
  await writeFile(temporary, content, { flag: 'wx' });
  await rename(temporary, path);
}

async function readRoot(directory: string, number: number): Promise<RootFile> {
  const path = fileOf(directory, number);
  const [text, { mode }] = await Promise.all([readFile(path, 'utf8').catch(() => ''), stat(path)]);
  const start = text.indexOf('-----BEGIN CERTIFICATE-----');
  const root = start < 0 ? { key: text, cert: '' } : { key: text.slice(0, start), cert: text.slice(start) };
  return { number, mode: process.platform === 'win32' ? 0 : mode, root };
}

function fileOf(directory: string, number: number): string {
  return join(directory, `authority.${number}.key.pem`);
}
