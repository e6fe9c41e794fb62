import { performance } from 'node:perf_hooks';

import type { Intensity } from '../runner/engine/plan.ts';
import { receiverPlan } from '../runner/receiver/receiverPlan.ts';
import { runReceiver } from '../runner/receiver/runReceiver.ts';
import type { Group, OpenGroup } from './group.ts';
import { serviceRun } from './serviceRun.ts';
import { startReference } from './startReference.ts';

/** Whole runs against the reference receiver, one group an intensity: `thorough` takes long. */
export const receiverRuns: readonly Group[] = (['quick', 'standard', 'thorough'] as const).map((intensity) => ({
  name: `receiver-${intensity}`,
  how: `A whole run at ${intensity} on the reference receiver, in a process of its own, beside the sum of its waits: the time
in which its event loop had nothing to do. Starting the program is not part of it. Fewer waits raise the ratio: look at the
milliseconds too.`,
  unit: 'ms',
  moreIsBetter: false,
  rounds: intensity === 'thorough' ? 1 : 3,
  open: () => openReceiver(intensity),
}));

async function openReceiver(intensity: Intensity): Promise<OpenGroup> {
  const reference = await startReference();
  const [url = '', , secret = '', , probe = ''] = reference.words;
  const run = `receiver run, ${intensity}`;
  return {
    async round() {
      const plan = await receiverPlan(url, { secret: [secret], probe, intensity, seed: 1 });
      const before = performance.eventLoopUtilization();
      const begun = performance.now();
      for await (const event of runReceiver(plan)) {
        if (event.type === 'check.finished' && event.outcome !== 'passed' && event.outcome !== 'not-observable')
          throw new Error(`${event.check} ${event.outcome}: ${event.reason}`);
      }
      const wall = performance.now() - begun;
      return { [run]: wall, 'its waits': performance.eventLoopUtilization(before).idle };
    },
    pairs: [[run, 'its waits']],
    close: () => reference.close(),
  };
}

/** A whole run of the service suite. */
export const serviceRuns: Group = {
  name: 'service',
  how: `A whole run at standard on the reference service, in a process of its own, with pauses of some 1.7 s between its
attempts, beside the longest series of attempts in it. The start of the program is part of it.`,
  unit: 'ms',
  moreIsBetter: false,
  rounds: 1,
  open: async () => ({
    async round() {
      const { wall, series, exit } = await serviceRun('1700ms');
      if (exit !== 0) throw new Error(`the run of the service ended with ${exit}`);
      return { 'service run': wall, 'its longest series': series };
    },
    pairs: [['service run', 'its longest series']],
  }),
};
