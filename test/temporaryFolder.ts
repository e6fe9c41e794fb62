import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Gives tests, and the programs that they start, one folder for temporary files, and removes it after the last test. */
export default async function temporaryFolder(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'seaworthy-tests-'));
  // PostgreSQL runs as another user.
  await chmod(folder, 0o1777);
  process.env['TMPDIR'] = folder;
  return () => rm(folder, { recursive: true, force: true });
}
