import { duration } from './amount.ts';
import type { RunSummary } from '../model/runSummary.ts';

/** That a run did not come to its end, and how; nothing where it did. @example 'This run was killed after 4.2 s' */
export function earlyEnd({ run, ended, interrupted }: RunSummary): string | undefined {
  const when = `after ${duration(run.durationMs)}`;
  if (!ended) return `This run was killed ${when}`;
  if (interrupted) return `This run was interrupted ${when}`;
  return run.complete ? undefined : `This run ended early, ${when}`;
}
