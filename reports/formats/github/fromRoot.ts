import { posix } from 'node:path';

import type { ReporterOptions } from '../../reporter.ts';

/** A path of the working directory as one from the root of the repository, with slashes. */
export function fromRoot(path: string, { fromRoot: base = '' }: Pick<ReporterOptions, 'fromRoot'>): string {
  const slashed = path.replaceAll('\\', '/');
  return slashed.startsWith('/') || /^[a-z]:\//i.test(slashed) ? slashed : posix.normalize(`${base}${slashed}`);
}
