import type { RunSummary } from './summary.ts';

/** What the process of a run exits with. 2 (used wrongly) is not among them: then there is no run. */
export type ExitCode = 0 | 1 | 3 | 70 | 130;

/**
 * The exit code of a run: 130 interrupted; 70 a fault of the kit itself; 1 a MUST is broken (or a SHOULD, under
 * `--strict`); 3 it could not be tested: the target was lost, nothing was observable, or the run has no end; else 0.
 * Where several hold, the first of them in this order.
 */
export function exitCode(summary: RunSummary): ExitCode {
  if (summary.interrupted) return 130;
  if (summary.errors.length > 0 || summary.summary.errored > 0) return 70;
  if (summary.verdict === 'does-not-conform') return 1;
  const { passed, failed, warned } = summary.summary;
  const tested = passed + failed + warned > 0;
  return tested && summary.lost === undefined && summary.run.complete ? 0 : 3;
}
