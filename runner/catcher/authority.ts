import { join } from 'node:path';

import { makeDirectory } from '../output/makeDirectory.ts';
import { issueForHosts, issueRoot } from './issueCertificate.ts';
import { addRoot, latestRoot, unfitness, writeWhole } from './rootFiles.ts';

/** Makes certificates for the catcher, which a service trusts once it trusts the authority's own certificate. */
export interface Authority {
  /** Of the authority's certificate (PEM), for the service's trust store. */
  readonly path: string;
  /** Why an earlier authority was given up, so that services have to be told of the new one; nothing where none was. */
  readonly note: string | undefined;
  /**
   * A certificate and its private key, both PEM.
   *
   * @param hosts - names and IP addresses, these without brackets
   */
  certificateFor(hosts: readonly string[]): Promise<{ readonly key: string; readonly cert: string }>;
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
    certificateFor: (hosts) => issueForHosts(root, hosts),
  };
}
