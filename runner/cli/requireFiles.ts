import { readFileSync } from 'node:fs';

import { UsageError } from '../errors.ts';

/** Files and connections that a command needs at least: with fewer Node itself may crash in the middle of a run. */
const fewest = 32;

/** @throws UsageError where this process may open too few files and connections; where that is not known, none */
export function requireFiles(): void {
  const most = mostFiles();
  if (most === undefined || most >= fewest) return;
  throw new UsageError('SW_FILES_FEW', {
    received: `this process may open ${most} files and connections`,
    valid: `at least ${fewest}; 256 for a run at its usual speed`,
    next: 'raise the limit with ulimit -n',
  });
}

/** What the system says of this process. Only Linux does without a long report. */
function mostFiles(): number | undefined {
  try {
    const soft = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    return soft === undefined ? undefined : Number(soft);
  } catch {
    return undefined;
  }
}
