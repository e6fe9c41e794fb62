import type { ReceiverCheck } from '../../check.ts';
import { expectKept, expectKeptAgain, expectOnceAgain, revived } from '../aftermath.ts';
import { describeInterruption, interrupted, interruptingCheck } from '../interruption.ts';
import {
  afterAcknowledgement,
  afterSending,
  type InterruptionSchedule,
  withinTheBody,
} from '../interruptionSchedule.ts';
import { itemOf } from '../../items.ts';

/** Section 4.4: a receiver may refuse while it ends, but what it acknowledges then counts as much as ever. */
const inFlight = interruptingCheck<InterruptionSchedule>({
  id: 'receiver/shutdown/in-flight',
  title: 'loses nothing when it is asked to end while deliveries are in flight',
  requirements: ['RCV-3', 'RTY-1', 'IDM-5', 'IDM-2'],
  weight: 0.4,
  cases: (draw) => [
    afterAcknowledgement(draw).slice(0, 2).flat(),
    ...afterSending(draw).slice(1),
    ...withinTheBody(draw),
  ],
  run: async (kit, schedule) => {
    const difference = describeInterruption(schedule, 'asked to end');
    const { attempts } = await interrupted(kit, schedule, async () => {
      const byItself = await kit.processControl.stop();
      if (!byItself) kit.observe('RTY-1', 'it does not end when it is asked to (SIGTERM), and is killed', difference);
    });
    const { twin, useless } = await revived(kit, itemOf(attempts, 0), difference);
    if (useless) return useless;
    const kept = attempts.filter(({ answer }) => kit.accepts(answer));
    const lost = await expectKept(kit, kept, { requirement: 'RCV-3', twin, difference, concurrent: true });
    if (lost) return lost;
    const open = attempts.filter(({ answer }) => !kit.accepts(answer));
    if (open.length === 0) return undefined;
    const beside = { twin, difference: `${difference}; started, delivered again` };
    return (
      (await expectOnceAgain(kit, { attempts: open, bystanders: [...kept, twin] }, beside)) ??
      expectKeptAgain(kit, open, beside)
    );
  },
  hint:
    'On SIGTERM stop listening, finish what is in flight or refuse it with 503, and leave what is acknowledged and not yet ' +
    'done where the next start finds it. Never answer 2xx for what you will not do. If it waits for a lease then, give --settle more ' +
    'than the time of that.',
});

/** The checks of this topic, in the order in which they run and are listed. */
export const shutdownChecks: readonly ReceiverCheck[] = [inFlight];
