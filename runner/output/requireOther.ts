import { existsSync, realpathSync } from 'node:fs';
import { resolve } from 'node:path';

import { UsageError } from '../errors.ts';
import type { ReportTarget } from '../options/optionKinds.ts';

/**
 * A report must not take the place of what it is made from.
 *
 * @param journals - relative to the directory, or absolute
 * @throws UsageError where it would
 */
export function requireOther({ format, path }: ReportTarget, journals: readonly string[], directory: string): void {
  if (path === undefined || !journals.some((journal) => sameFile(journal, path, directory))) return;
  throw new UsageError('SW_REPORT_WRITE', {
    received: `--report ${format}=${path} would replace the journal that it is made from`,
    valid: 'the path of another file',
    next: `choose another path: --report ${format}=<path>`,
  });
}

/** Whether two paths name one file, also where one of them is a link to it. */
function sameFile(one: string, other: string, directory: string): boolean {
  const [first, second] = [one, other].map((path) => {
    const whole = resolve(directory, path);
    return existsSync(whole) ? realpathSync(whole) : whole;
  });
  return first === second;
}
