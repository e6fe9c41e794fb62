import fc from 'fast-check';

import { Unproven, type ReceiverCheck } from '../../check.ts';
import type { Attempt } from '../../delivery.ts';
import { countOf, effectsAlone, idsOf } from '../counting.ts';
import { expectKept, expectKeptAgain, expectOnceAgain, recoveredEffects, revived } from '../aftermath.ts';
import { composed, describeInterruption, ended, type End, inPace, killed, interruptingCheck } from '../interruption.ts';
import {
  afterAcknowledgement,
  afterSending,
  content,
  type Content,
  type InterruptionSchedule,
  withinTheBody,
} from '../interruptionSchedule.ts';
import { acceptedTwin } from '../expectation.ts';
import { itemOf } from '../../items.ts';

/** Section 4.4: an acknowledgement says that the notification is stored for good. */
const acknowledged = interruptingCheck<InterruptionSchedule>({
  id: 'receiver/crash/acknowledged',
  title: 'lets what it acknowledged take effect, even if it is killed right after the answer',
  requirements: ['RCV-3', 'RTY-1'],
  cases: afterAcknowledgement,
  run: async (kit, schedule) => {
    const difference = describeInterruption(schedule, 'killed');
    const { attempts } = await killed(kit, schedule);
    const kept = attempts.filter(({ answer }) => kit.accepts(answer));
    if (kept.length === 0) throw new Unproven('nothing was acknowledged before the kill');
    const { twin, useless } = await revived(kit, itemOf(attempts, 0), difference);
    if (useless) return useless;
    return expectKept(kit, kept, { requirement: 'RCV-3', twin, difference, concurrent: attempts.length > 1 });
  },
  hint:
    'Commit the notification to disk, in a transaction or a queue that survives a kill, and answer only then; at the ' +
    'start, take up what is stored and not yet done: all of it, whatever line ends a body has and however large it is. Let a copy that ' +
    'comes meanwhile wait for the first one. If interrupted work is taken up again only after a while (a lease, a visibility ' +
    'time-out), give --settle more than that. Some queues give work up that was interrupted more than once: let them try ' +
    'it again (maxStalledCount in BullMQ).',
});

interface Restart {
  readonly end: End;
  /** Whether it is delivered again as soon as the receiver takes connections. */
  readonly atOnce?: boolean;
  readonly contents: readonly Content[];
}

/** Section 6.3: ids are remembered for good, not by one process. */
const knownIds = interruptingCheck<Restart>({
  id: 'receiver/crash/known-ids',
  title: 'lets a notification take effect once when it is redelivered after a crash or a restart',
  requirements: ['IDM-2', 'IDM-1', 'RTY-1'],
  timed: false,
  weight: 0.15,
  cases: (draw) => {
    const lengths = [
      { minLength: 1, maxLength: 1 },
      { minLength: 2, maxLength: 5 },
    ];
    const restart = (end: End, atOnce: boolean) =>
      lengths.map((some) =>
        fc.record({
          end: fc.constant(end),
          atOnce: fc.constant(atOnce),
          contents: fc.array(content(draw), some),
        }),
      );
    return [restart('killed', false), restart('stopped', false), restart('killed', true)];
  },
  run: async (kit, { end, atOnce = false, contents }) => {
    const difference = `${end} after the effect; started, delivered again${atOnce ? ' as soon as it took connections' : ''}`;
    const attempts: Attempt[] = [];
    for (const one of contents) attempts.push(await acceptedTwin(kit, composed(kit, one)));
    const bystander = await acceptedTwin(kit, kit.again(itemOf(attempts, 0).delivery));
    const before = await (atOnce ? recoveredEffects : effectsAlone)(kit, [...attempts, bystander]);
    if (attempts.some((sent) => countOf(before, sent) === 0))
      throw new Unproven('no effect was seen before the kill, so that a second one could not be recognised');
    await ended(kit, end);
    if (atOnce) {
      await kit.processControl.start();
      return expectOnceAgain(kit, { attempts, bystanders: [bystander], before }, { twin: bystander, difference });
    }
    const { twin, useless } = await revived(kit, itemOf(attempts, 0), difference);
    if (useless) return useless;
    const left = await kit.effectsSoFar(idsOf(attempts));
    if (attempts.some((sent) => countOf(left, sent) === 0))
      throw new Unproven('an effect was gone after the restart, so that a second one could not be recognised');
    return expectOnceAgain(kit, { attempts, bystanders: [bystander, twin] }, { twin, difference });
  },
  hint:
    'Keep the ids of what has taken effect in the database, in the transaction of the effect. A set in memory, or a cache ' +
    'that starts empty, forgets them with every deployment, and so does one that is saved only when the process ends in order.',
});

/** Section 6.3: the same for work that the crash interrupted. */
const interruptedWork = interruptingCheck<InterruptionSchedule>({
  id: 'receiver/crash/interrupted-work',
  title: 'lets a notification take effect once when it is redelivered after a crash in the middle of its work',
  requirements: ['IDM-2', 'IDM-1', 'RTY-1'],
  weight: 0.8,
  cases: afterSending,
  run: async (kit, given) => {
    const schedule = await inPace(kit, given);
    const difference = `${describeInterruption(schedule, 'killed')}; started, delivered again`;
    const { attempts, twins } = await killed(kit, schedule, { twins: true });
    const { twin, useless } = await revived(kit, itemOf(attempts, 0), difference);
    return useless ?? expectOnceAgain(kit, { attempts, bystanders: [...twins, twin] }, { twin, difference });
  },
  hint:
    'Commit the effect and the mark of its id in one transaction. Where the effect is elsewhere (a mail, a call), give it ' +
    'a key made of the id, so that the second time is known there.',
});

/** Section 6.3: a delivery that was never acknowledged has not happened, whatever was stored of it. */
const unacknowledged = interruptingCheck<InterruptionSchedule>({
  id: 'receiver/crash/unacknowledged',
  title: 'takes the redelivery of what a crash interrupted, and lets it take effect',
  requirements: ['IDM-5', 'RTY-1', 'IDM-1'],
  weight: 0.6,
  cases: (draw) => [...afterSending(draw), ...withinTheBody(draw)],
  run: async (kit, given) => {
    const schedule = await inPace(kit, given);
    const difference = `${describeInterruption(schedule, 'killed')}; started, delivered again`;
    const { attempts } = await killed(kit, schedule);
    const { twin, useless } = await revived(kit, itemOf(attempts, 0), difference);
    return useless ?? expectKeptAgain(kit, attempts, { twin, difference });
  },
  hint:
    'Accept the redelivery of what was not finished: mark an id as done in the transaction that does the work, ' +
    'and let locks end with their process (advisory locks, or leases that run out). If interrupted work waits for that longer ' +
    'than the kit does, give --settle more than the time of a lease.',
});

/** The checks of this topic, in the order in which they run and are listed. */
export const crashChecks: readonly ReceiverCheck[] = [acknowledged, knownIds, interruptedWork, unacknowledged];
