import {
  createPrivateKey,
  createPublicKey,
  generateKeyPair,
  type KeyObject,
  randomBytes,
  type webcrypto,
} from 'node:crypto';
import { isIP } from 'node:net';
import { promisify } from 'node:util';

import type * as X509 from '@peculiar/x509';

import { isInstalled, requirePackage } from '../options/optionalPackage.ts';

/** A certificate and its private key, both PEM. */
export interface Identity {
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
