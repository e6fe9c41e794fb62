import fc, { type Arbitrary } from 'fast-check';

import { itemOf } from '../../items.ts';
import { Unproven } from '../../check.ts';
import { expectKept, revived } from '../aftermath.ts';
import { describeInterruption, interrupted, interruptingCheck } from '../interruption.ts';
import { afterAcknowledgement, type InterruptionSchedule } from '../interruptionSchedule.ts';

interface LongPause {
  readonly schedule: InterruptionSchedule;
  /** Milliseconds for which it stands still. */
  readonly ms: number;
}

/** Section 4.4: what was acknowledged is not repeated by the service, however late it is worked off. */
export const longPause = interruptingCheck<LongPause>({
  id: 'receiver/outage/long-pause',
  title: 'lets what it acknowledged take effect, even if it stands still for seconds right after the answer',
  requirements: ['RTY-1', 'RCV-3'],
  restarts: false,
  // One case of each kind: each takes as long as its pause, a little more than the round times after which work is given up.
  weight: 0,
  cases: (draw) => {
    const [[alone] = [], [loaded] = [], [several] = []] = afterAcknowledgement(draw);
    return [pausing(alone, 1500), pausing(loaded, 1500), pausing(several, 5500)].flat();
  },
  run: async (kit, { schedule, ms }) => {
    const difference = describeInterruption(schedule, `stood still for ${ms} ms from`);
    const { attempts } = await interrupted(kit, schedule, async () => {
      await kit.processControl.pause();
      await kit.pause(ms);
      await kit.processControl.resume();
    });
    const kept = attempts.filter(({ answer }) => kit.accepts(answer));
    if (kept.length === 0) throw new Unproven('nothing was acknowledged before the pause');
    const { twin, useless } = await revived(kit, itemOf(attempts, 0), difference);
    if (useless) return useless;
    return expectKept(kit, kept, { requirement: 'RTY-1', twin, difference, concurrent: attempts.length > 1 });
  },
  hint:
    'Let work that you have acknowledged expire never: no time to live on a job, no deadline that was set when the request ' +
    'arrived, no lock whose end drops the job. A paused container, a suspended machine or a long backlog outlast them all.',
});

function pausing(schedule: Arbitrary<InterruptionSchedule> | undefined, ms: number): readonly Arbitrary<LongPause>[] {
  return schedule === undefined ? [] : [fc.record({ schedule, ms: fc.constant(ms) })];
}
