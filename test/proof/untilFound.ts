import type { RunSummary } from '../../reports/model/runSummary.ts';

/** Runs of a fault at most. */
const tries = 3;

/** What has to be seen of a fault. */
export interface Wanted {
  /** The fault's main point, which has to be reported broken. */
  readonly point: string;
  /** The checks that are proven by it, which have to fail. */
  readonly proven: readonly string[];
}

/**
 * Runs again where a fault was not found: a busy machine may keep the kit, or the fault itself, from being in time. What else
 * was found broken stands at once.
 */
export async function untilFound({ point, proven }: Wanted, hold: () => Promise<RunSummary>): Promise<RunSummary> {
  for (let tried = 1; ; tried += 1) {
    const summary = await hold();
    const broken = summary.requirements.filter(({ outcome }) => outcome === 'broken').map(({ id }) => id);
    const failed = summary.checks.filter(({ outcome }) => outcome === 'failed' || outcome === 'warned');
    const isFound = broken.includes(point) && proven.every((id) => failed.some((check) => check.id === id));
    if (isFound || (broken.length > 0 && !broken.includes(point)) || tried === tries) return summary;
  }
}
