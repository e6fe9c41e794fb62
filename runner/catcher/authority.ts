import { join } from 'node:path';
import {
  createPrivateKey,
  randomUUID,
  X509Certificate,
  createPublicKey,
  generateKeyPair,
  type KeyObject,
  randomBytes,
  type webcrypto,
} from 'node:crypto';
import { link, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { promisify } from 'node:util';

import type * as X509 from '@peculiar/x509';

import { makeDirectory } from '../output/writtenFile.ts';
import { messageOf } from '../../spec/messageOf.ts';
import { isInstalled, requirePackage } from '../options/packages.ts';

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

/** A certificate and its private key, both PEM. */
interface Identity {
  readonly key: string;
  readonly cert: string;
}

const day = 24 * 60 * 60 * 1000;
const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;

/**
 * Makes the certificate of an authority, which signs itself and may sign those of servers.
 *
 * @param days - from now until it expires. Default 3650
 */
export async function issueRoot(days = 3650): Promise<Identity> {
  const x509 = await library();
  const key = await newKey();
  const name = `CN=seaworthy authority ${randomBytes(4).toString('hex')}, O=seaworthy`;
  const usages = x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign;
  const extensions = [new x509.BasicConstraintsExtension(true, 0, true), new x509.KeyUsagesExtension(usages, true)];
  return issue({ key, name, extensions, until: Date.now() + days * day }, { key, name });
}

/** The certificate of a server by an authority that nobody knows; nothing where what makes certificates is not installed. */
export async function issueUntrusted(hosts: readonly string[]): Promise<Identity | undefined> {
  return isInstalled('@peculiar/x509') ? issueForHosts(await issueRoot(), hosts) : undefined;
}

/**
 * Makes the certificate of a server.
 *
 * @param hosts - names and IP addresses, these without brackets
 * @param days - from now until it expires, unless the authority does earlier. Default 90
 */
export async function issueForHosts(root: Identity, hosts: readonly string[], days = 90): Promise<Identity> {
  const x509 = await library();
  const authority = new x509.X509Certificate(root.cert);
  const extensions = [
    new x509.BasicConstraintsExtension(false, undefined, true),
    new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
    new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
    new x509.SubjectAlternativeNameExtension(
      hosts.map((value) => ({ type: isIP(value) === 0 ? ('dns' as const) : ('ip' as const), value })),
    ),
  ];
  const until = Math.min(Date.now() + days * day, authority.notAfter.getTime());
  return issue(
    { key: await newKey(), name: 'CN=seaworthy catcher, O=seaworthy', extensions, until },
    { key: createPrivateKey(root.key), name: authority.subject },
  );
}

interface Subject {
  readonly key: KeyObject;
  readonly name: string;
  readonly extensions: readonly X509.Extension[];
  /** Milliseconds since the epoch. */
  readonly until: number;
}

/** It begins a day (or, for one that has expired, a day before its end) ago: the clocks of services differ. */
async function issue(subject: Subject, issuer: Pick<Subject, 'key' | 'name'>): Promise<Identity> {
  const x509 = await library();
  const publicKey = publicPart(subject.key);
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: serialNumber(),
    subject: subject.name,
    issuer: issuer.name,
    notBefore: new Date(Math.min(Date.now(), subject.until) - day),
    notAfter: new Date(subject.until),
    publicKey,
    signingKey: issuer.key.toCryptoKey(algorithm, false, ['sign']),
    signingAlgorithm: algorithm,
    extensions: [
      ...subject.extensions,
      await x509.SubjectKeyIdentifierExtension.create(publicKey),
      await x509.AuthorityKeyIdentifierExtension.create(publicPart(issuer.key)),
    ],
  });
  return {
    key: subject.key.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `${certificate.toString('pem').trim()}\n`,
  };
}

/** Positive and of full length (RFC 5280, section 4.1.2.2). */
function serialNumber(): string {
  return `4${randomBytes(16).toString('hex').slice(1)}`;
}

async function newKey(): Promise<KeyObject> {
  const { privateKey } = await promisify(generateKeyPair)('ec', { namedCurve: 'P-256' });
  return privateKey;
}

function publicPart(key: KeyObject): webcrypto.CryptoKey {
  return createPublicKey(key).toCryptoKey(algorithm, true, ['verify']);
}

/** Loaded late: few runs need it. It injects its parts by their types, which takes the polyfill that comes first. */
async function library(): Promise<typeof X509> {
  requirePackage('@peculiar/x509', 'an endpoint of the kit that speaks https');
  await import('reflect-metadata');
  return import('@peculiar/x509');
}
