import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** A self-signed certificate for 127.0.0.1 and localhost, in a temporary folder. */
export interface Certificate {
  readonly key: string;
  readonly cert: string;
  /** Path of the certificate's file. */
  readonly path: string;
  remove(): Promise<void>;
}

export async function makeCertificate(): Promise<Certificate> {
  const folder = await mkdtemp(join(tmpdir(), 'seaworthy-certificate-'));
  const path = join(folder, 'cert.pem');
  const keyPath = join(folder, 'key.pem');
  const request = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=localhost';
  const names = ['-addext', 'subjectAltName=IP:127.0.0.1,DNS:localhost'];
  await promisify(execFile)('openssl', [...request.split(' '), ...names, '-keyout', keyPath, '-out', path]);
  return {
    key: await readFile(keyPath, 'utf8'),
    cert: await readFile(path, 'utf8'),
    path,
    remove: () => rm(folder, { recursive: true }),
  };
}
