import { join } from 'node:path';
import { createPrivateKey, randomUUID, X509Certificate } from 'node:crypto';
import { link, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';

import { makeDirectory } from '../output/makeDirectory.ts';
import { issueForHosts, issueRoot, type Identity } from './issueCertificate.ts';
import { messageOf } from '../../spec/messageOf.ts';

/** Makes certificates for the catcher, which a service trusts once it trusts the authority's own certificate. */
export interface Authority {
  /** Of the authority's certificate (PEM), for the service's trust store. */
  readonly path: string;
  /** Why an earlier authority was given up, so that services have to trust the new one; nothing where none was. */
  readonly note: string | undefined;
  /**
   * A certificate and its private key, both PEM.
   *
   * @param hosts - names and IP addresses, these without brackets
   * @param days - from now until it expires; one that has expired has a negative number. Default 90
   */
  certificateFor(hosts: readonly string[], days?: number): Promise<Identity>;
}

/**
 * Opens the authority that is kept in a directory; makes it where there is none, and makes another where it has expired
 * (or will within 30 days), cannot be read, or its key can be read by other users.
 *
 * `authority.pem` is its certificate. `authority.<n>.key.pem` holds the private key with mode 0600. Such a file is never
 * changed, only succeeded by the one with the next number: runs that open it at the same time get the same authority.
 *
 * @throws the system's error where the directory cannot be read or written
 */
export async function openAuthority(directory: string): Promise<Authority> {
  makeDirectory(directory);
  const found = await latestRoot(directory);
  const unfit = found && unfitness(found);
  const isFit = found !== undefined && unfit === undefined;
  const { root } = isFit ? found : await addRoot(directory, (found?.number ?? 0) + 1, await issueRoot());
  const path = join(directory, 'authority.pem');
  await writeWhole(join(directory, '.gitignore'), '*\n');
  await writeWhole(path, root.cert);
  return {
    path,
    note: unfit && `The certificate authority in ${directory} ${unfit}: a new one was made. Let services trust ${path}`,
    certificateFor: (hosts, days) => issueForHosts(root, hosts, days),
  };
}

/** Milliseconds that an authority has to be good for. */
const remaining = 30 * 24 * 60 * 60 * 1000;

/** The file of an authority: its key and its certificate, one after the other. */
interface RootFile {
  readonly number: number;
  /** Of the file's access; 0 where the platform knows none. */
  readonly mode: number;
  readonly root: Identity;
}

/** The authority with the highest number in a directory; nothing where there is none. */
async function latestRoot(directory: string): Promise<RootFile | undefined> {
  const numbers = (await readdir(directory)).map((name) => Number(/^authority\.(\d+)\.key\.pem$/.exec(name)?.[1] ?? 0));
  const number = Math.max(0, ...numbers);
  return number === 0 ? undefined : readRoot(directory, number);
}

/**
 * Writes an authority, unless another run has written the one with this number.
 *
 * @returns the one that is there now
 */
async function addRoot(directory: string, number: number, { key, cert }: Identity): Promise<RootFile> {
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
function unfitness({ root, mode }: RootFile): string | undefined {
  if ((mode & 0o077) !== 0) return 'has a private key that other users of this machine can read';
  try {
    const certificate = new X509Certificate(root.cert);
    const { publicKey, ca, validTo } = certificate;
    if (!ca || !certificate.verify(publicKey)) return 'has a certificate that is none of an authority';
    if (!certificate.checkPrivateKey(createPrivateKey(root.key))) return 'has a key that is not of its certificate';
    return Date.parse(validTo) - Date.now() < remaining ? `expires on ${validTo}` : undefined;
  } catch (error) {
    return `cannot be read (${messageOf(error)})`;
  }
}

/** Writes a file so that nobody ever sees half of it. One that has this content is left as it is. */
async function writeWhole(path: string, content: string): Promise<void> {
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
