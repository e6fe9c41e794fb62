import { X509Certificate } from 'node:crypto';
import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';

import { UsageError } from '../errors.ts';

/** Bytes of the largest file: all authorities that an operating system trusts are a quarter of a megabyte. */
const largest = 4 * 1024 * 1024;

const begin = /-----BEGIN (?:TRUSTED |X509 )?CERTIFICATE-----/g;
const whole = /-----BEGIN ((?:TRUSTED |X509 )?CERTIFICATE)-----[^-]*-----END \1-----/g;

/**
 * The certificates in a file, in PEM form, without what else is there.
 *
 * @throws UsageError where it cannot be read, or holds none, or one that cannot be read
 */
export async function readCertificates(path: string): Promise<string> {
  const text = await contentOf(path);
  const certificates = [...text.matchAll(whole)].map(([certificate]) => certificate);
  const begun = [...text.matchAll(begin)].length;
  if (begun === 0) throw invalid(path, 'holds no certificate in PEM form');
  const unreadable = certificates.findIndex((certificate) => !isCertificate(certificate));
  if (unreadable >= 0 || certificates.length < begun)
    throw invalid(path, `holds a certificate that cannot be read (number ${whichOf(unreadable, certificates)})`);
  return certificates.map((certificate) => `${certificate}\n`).join('');
}

function whichOf(unreadable: number, certificates: readonly string[]): number {
  return unreadable >= 0 ? unreadable + 1 : certificates.length + 1;
}

/** Whatever goes wrong with it is not shown: messages may quote what is in the file. */
function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).raw.length > 0;
  } catch {
    return false;
  }
}

async function contentOf(path: string): Promise<string> {
  let file: FileHandle | undefined;
  try {
    // To open a pipe would otherwise wait for somebody who writes into it.
    file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    if (!(await file.stat()).isFile()) throw invalid(path, 'is no regular file');
    const { bytesRead, buffer } = await file.read(Buffer.alloc(largest + 1), 0, largest + 1, 0);
    if (bytesRead > largest) throw invalid(path, `has more than ${largest / 1024 / 1024} MiB`);
    return buffer.toString('latin1', 0, bytesRead);
  } catch (cause) {
    if (cause instanceof UsageError) throw cause;
    const { code = 'no code' } = cause as NodeJS.ErrnoException;
    throw new UsageError('SW_FILE_UNREADABLE', explained(path, `cannot be read (${code})`), { cause });
  } finally {
    await file?.close();
  }
}

function invalid(path: string, what: string): UsageError {
  return new UsageError('SW_CERTIFICATES_INVALID', explained(path, what));
}

function explained(path: string, what: string) {
  return {
    received: `--ca ${path} ${what}`,
    valid: 'the path of a file with one or more certificates in PEM form (-----BEGIN CERTIFICATE-----)',
    next: 'correct the path; openssl x509 -inform der -in <file> makes PEM of a certificate in DER form',
  };
}
