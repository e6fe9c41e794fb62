import fc from 'fast-check';

import type { Notification } from '../../../generators/notification/notification.ts';
import { type Finding, receiverCheck, Unobservable, Unproven } from '../../check.ts';
import type { Attempt, Delivery } from '../../delivery.ts';
import type { Effects, ReceiverKit } from '../../kit.ts';
import { countOf, effectsAlone, idsOf, oneOfEach } from '../counting.ts';
import { finding } from '../../finding.ts';
import { itemOf } from '../../items.ts';
import { createdAt, laterThanAll } from '../creationTime.ts';
import { acceptedTwin } from '../expectation.ts';

/** Notifications that are delivered last, of which one may well be dropped for what it holds. */
const last = 3;

/** Milliseconds at least in which something that waits would take effect. */
const leastWait = 5000;

/** Section 4.4: what was accepted is worked on for as long as the receiver answers, whatever came before. */
export const stillAtWork = receiverCheck<{ notifications: readonly Notification[] }>({
  id: 'receiver/load/still-at-work',
  title: 'works at the end of the run on what it accepts, as it did at the beginning',
  requirements: ['RTY-1', 'IDM-4'],
  needs: ['probe'],
  schedule: { kind: 'last' },
  // One case, at any intensity: the end of a run comes once.
  weight: 0,
  cases: (draw) => [
    fc.record({ notifications: fc.noShrink(fc.array(draw.notification(), { minLength: last, maxLength: last })) }),
  ],
  run: async (kit, { notifications }) => {
    const [twin] = kit.beginning.attempts;
    if (twin === undefined) throw new Unobservable('no notification of the beginning of the run took effect once');
    const sent: Attempt[] = [];
    const began = kit.elapsed();
    for (const drawn of notifications) {
      const delivery = kit.isEffective(drawn.event) ? kit.compose(drawn) : kit.again(twin.delivery);
      sent.push(await acceptedTwin(kit, delivery));
    }
    const effects = await effectsAlone(kit, sent);
    const missing = sent.filter((one) => countOf(effects, one) === 0);
    if (missing.length === 0) return undefined;
    const open = openOf(await kit.effectsSoFar());
    const isLongSo = hasLongBeenIdle(kit);
    const waited = isLongSo ? [] : await waitingForMore(kit, missing, open);
    if (waited.length > 0) return gathered(kit, waited);
    if (missing.length < sent.length) return undefined;
    const older = await olderDropped(kit, itemOf(notifications, 0));
    if (older !== undefined) return older;
    const plain = await acceptedTwin(kit, kit.again(twin.delivery));
    await kit.pause(isLongSo ? kit.settle : Math.max(leastWait, 2 * kit.settle));
    await demandNoneOf(kit, open);
    if (countOf(await effectsAlone(kit, [plain]), plain) > 0) throw droppedForContent();
    return stopped(kit, sent, { ms: kit.elapsed() - began, open });
  },
  hint:
    'What works on notifications has ended or hangs, or tries one that fails again and again while all others wait, and what ' +
    'answers does not notice: often an error in a thread, a task or a timer that nothing catches. Catch it for each notification, ' +
    'put that one aside, and go on with the next.',
});

/** Effects that were awaited in vain, and milliseconds from the end of the first of these waits to that of the last. */
const longIdle = { waits: 20, ms: 10_000 } as const;

/** Whether so much was awaited in vain before, since an effect came, that what waits for more to come had enough of it. */
function hasLongBeenIdle(kit: ReceiverKit): boolean {
  const awaited = [...kit.settledEffects.values()].filter(({ expected }) => expected > 0);
  const inOrder = awaited.toSorted((one, other) => one.at - other.at);
  const inVain = inOrder.slice(inOrder.findLastIndex(({ count }) => count > 0) + 1);
  if (inVain.length < longIdle.waits) return false;
  return itemOf(inVain, inVain.length - 1).at - itemOf(inVain, 0).at >= longIdle.ms;
}

/** Milliseconds in which a plain delivery has to take effect by itself, as at the beginning of the run. */
const inTime = 10_000;

/** Notifications that are delivered so that those before them take effect. */
const more = 100;

/** Those that took no effect, and do once others have come: they waited for them. None where they do not, for what they hold. */
async function waitingForMore(
  kit: ReceiverKit,
  missing: readonly Attempt[],
  open: readonly string[],
): Promise<readonly Attempt[]> {
  await kit.untilEffect(idsOf(missing), inTime);
  await demandNoneOf(kit, open);
  const others = Array.from({ length: more }, () => kit.compose(kit.control));
  await Promise.all(others.map((delivery) => kit.deliver(delivery)));
  const effects = await effectsAlone(kit, missing);
  return missing.filter((sent) => countOf(effects, sent) > 0);
}

/** How often one more is delivered, of which some make a batch complete by chance. */
const recurrences = 4;

/** @throws Unproven where nothing waits for others once more: it may have been a moment in which all work stood still */
async function gathered(kit: ReceiverKit, waited: readonly Attempt[]): Promise<Finding> {
  for (let tried = 0; tried < recurrences; tried++) {
    const sent = await acceptedTwin(kit, kit.compose(kit.control));
    const isMissing = countOf(await effectsAlone(kit, [sent]), sent) === 0;
    if (isMissing && (await waitingForMore(kit, [sent], [])).length > 0) return waitsForOthers(waited);
  }
  throw new Unproven('what was accepted took no effect until others came, and then it did not recur');
}

function waitsForOthers(waited: readonly Attempt[]): Finding {
  const { id } = itemOf(waited, waited.length - 1).delivery;
  return finding(
    {
      requirement: 'RTY-1',
      difference: 'nothing was delivered after it',
      hint:
        'Effects are gathered, and written when there are enough of them. Write what there is when the queue is empty, or after a ' +
        'short time: the last notifications before a quiet night would wait until morning.',
    },
    {
      attempts: waited,
      expected: 'an effect of each notification that was accepted, also where none follows',
      actual: `no effect of the last ${waited.length}, until ${more} others were delivered`,
      absence: false,
      effects: [{ id, expected: 1, actual: 0 }],
    },
  );
}

/** Of one that drops most of what comes, whatever it is, one newer and one older hardly behave so each time. */
const rounds = 3;

/** Work goes on where only what is older than the newest is dropped. @throws Unproven where work goes on otherwise */
async function olderDropped(kit: ReceiverKit, notification: Notification): Promise<Finding | undefined> {
  const sent: (readonly [newer: Attempt, older: Attempt])[] = [];
  while (sent.length < rounds) {
    const newer = await acceptedTwin(kit, kit.compose(createdAt(kit.contract, notification, laterThanAll(kit))));
    const isNewerLost = countOf(await effectsAlone(kit, [newer]), newer) === 0;
    if (isNewerLost && sent.length === 0) return undefined;
    const older = await acceptedTwin(kit, kit.compose(notification));
    if (isNewerLost || countOf(await kit.effects(oneOfEach(older)), older) > 0)
      throw new Unproven('what was accepted took no effect, and what was delivered a little later did');
    sent.push([newer, older]);
  }
  const [twin, older] = itemOf(sent, 0);
  return finding(
    { requirement: 'IDM-4', twin, difference: 'it was created before the latest that came', hint: anyOrder },
    {
      attempts: [older],
      expected: 'exactly one effect',
      actual: `no effect, as of all ${last + rounds} that were older than another before them; ${rounds} that were newer than all took effect`,
      absence: false,
      effects: [{ id: older.delivery.id, expected: 1, actual: 0 }],
    },
  );
}

const anyOrder =
  'Notifications come in any order, for each is retried by itself, and the clocks of senders differ. Take one that is older than the ' +
  'last one all the same: remember ids, not the time of the last one.';

/** Of how many that have taken no effect it is asked at each end of a queue, and of how many between. */
const looked = { atEnds: 100, between: 200 } as const;

/**
 * Notifications that would take effect next, where what came before is still being worked on: those that follow the latest that
 * did, the latest of all, and some of the others. A receiver that does nothing any more leaves thousands.
 *
 * @param effects - of what the run delivered, in that order
 */
function openOf(effects: Effects): readonly string[] {
  const all = [...effects];
  const without = (some: typeof all) => some.filter(([, count]) => count === 0).map(([id]) => id);
  const following = without(all.slice(all.findLastIndex(([, count]) => count > 0) + 1));
  const open = without(all);
  const step = Math.ceil(open.length / looked.between);
  const between = open.filter((_, place) => place % step === 0);
  return [...new Set([...following.slice(0, looked.atEnds), ...open.slice(-looked.atEnds), ...between])];
}

/** @throws Unproven where one of those that had taken no effect has taken one by now: work goes on */
async function demandNoneOf(kit: ReceiverKit, open: readonly string[]): Promise<void> {
  const effects = await kit.effectsSoFar(open);
  if ([...effects.values()].some((count) => count > 0)) throw new Unproven('what came before was still taking effect');
}

/** Work goes on, and drops what was accepted for what it holds: that is seen by other checks, and is no standstill. */
function droppedForContent(): Unproven {
  return new Unproven('what was accepted took no effect, and one like the first of the run did', { doubts: ['RTY-1'] });
}

interface Standstill {
  /** Milliseconds since the first of them was sent. */
  readonly ms: number;
  /** What has no effect, that which followed the latest effect first. */
  readonly open: readonly string[];
}

function stopped(kit: ReceiverKit, sent: readonly Attempt[], { ms, open }: Standstill): Finding {
  const { id } = itemOf(sent, sent.length - 1).delivery;
  const [first] = open.flatMap((one) => kit.beginning.accepted.get(one) ?? []);
  const since = first === undefined ? '' : `; the last effect was of one before ${described(first.delivery)}`;
  return finding(
    { requirement: 'RTY-1', difference: 'at the end of the run' },
    {
      attempts: sent,
      expected: `an effect of any of ${sent.length} notifications that were accepted, or of what came before them`,
      actual: `nothing took effect for ${Math.round(ms / 1000)} s${since}`,
      // It did recur: none of several fresh ids took effect, one after the other. Once more might take longer than the run lasts.
      absence: false,
      effects: [{ id, expected: 1, actual: 0 }],
    },
  );
}

function described({ id, event, body }: Delivery): string {
  return `${id} (${event}, ${body.length.toLocaleString('en')} bytes)`;
}
