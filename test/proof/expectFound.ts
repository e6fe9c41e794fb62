import { expect } from 'vitest';

import type { RunSummary } from '../../reports/model/runSummary.ts';
import { complaints } from './testReceiver.ts';
import { brokenIn } from '../brokenIn.ts';

/** Runs of a fault at most. */
const tries = 3;

/** What has to be seen of a fault. */
export interface Wanted {
  /** The requirements that it breaks: the first has to be reported broken, and nothing else than these may be. */
  readonly breaks: readonly [string, ...string[]];
  /** The checks that are proven by it, which have to fail. */
  readonly proven: readonly string[];
}

/**
 * Expects that a fault is found, and nothing that it does not break. It is run again where it was not found: a busy machine
 * may keep the kit, or the fault itself, from being in time. What else was found broken stands at once.
 *
 * @param hold - one run of a target with the fault
 * @returns the summary of the run that found it
 */
export async function expectFound({ breaks, proven }: Wanted, hold: () => Promise<RunSummary>): Promise<RunSummary> {
  for (let tried = 1; ; tried += 1) {
    const summary = await hold();
    const broken = brokenIn(summary);
    const failures = summary.checks.filter(({ outcome }) => outcome === 'failed' || outcome === 'warned');
    const failed = failures.map(({ id }) => id);
    const isFound = broken.includes(breaks[0]) && proven.every((id) => failed.includes(id));
    if (!isFound && (broken.length === 0 || broken.includes(breaks[0])) && tried < tries) continue;
    const unexpected = broken.filter((id) => !breaks.includes(id));
    // What is compared is shown where it differs: what the run says, too, where it did not find what it should.
    const said = isFound && unexpected.length === 0 ? [] : complaints(summary);
    expect({ broken, failed, unexpected, said }).toMatchObject({
      broken: expect.arrayContaining([breaks[0]]),
      failed: expect.arrayContaining([...proven]),
      unexpected: [],
      said: [],
    });
    expect(summary.errors).toEqual([]);
    return summary;
  }
}
