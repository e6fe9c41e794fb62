import fc, { type Arbitrary } from 'fast-check';

import type { Notification } from '../../../generators/notification/notification.ts';
import { type CaseKind, type Finding, receiverCheck, Unobservable, Unproven } from '../../check.ts';
import type { Delivery } from '../../delivery.ts';
import type { Draw } from '../../draw.ts';
import type { ReceiverKit } from '../../kit.ts';
import { countOf, oneOfEach } from '../counting.ts';
import { expectEffects } from '../effect.ts';
import type { Point } from '../../finding.ts';
import { acceptedTwin, expectAccepted, expectRefused } from '../expectation.ts';

const [minute, hour, day] = [60, 3600, 86_400];

/** A right signature with a timestamp that is too far away. */
interface Distant {
  readonly notification: Notification;
  /** Seconds beyond the tolerance, or what stands there in place of the right number. */
  readonly timestamp: number | 'zero' | 'milliseconds';
}

/** Nobody but the secret's owner can make a signature; anybody can send one again that was seen once. */
export const tooOld = receiverCheck<Distant>({
  id: 'receiver/signature/too-old',
  title: 'refuses a right signature whose timestamp is older than the tolerance',
  requirements: ['VRF-7'],
  needs: ['secret'],
  about: ['tolerance'],
  canary: true,
  weight: 0.5,
  cases: (draw) => [
    distant(draw, fc.integer({ min: minute, max: hour })),
    distant(draw, fc.integer({ min: day, max: 1000 * day })),
    distant(draw, fc.constant('zero')),
  ],
  run: (kit, { notification, timestamp }) =>
    expectDistantRefused(kit, notification, {
      requirement: 'VRF-7',
      skewAt: (now) => (timestamp === 'zero' ? -now : -(tolerance(kit) + Number(timestamp))),
    }),
  hint:
    'Compare the timestamp with your clock once the signature has been verified, and refuse what is older than the tolerance: a ' +
    'delivery that somebody recorded can be sent again for ever otherwise. Do not skip that where the timestamp is 0 ' +
    '("if (timestamp && ...)").',
});

/** A timestamp in the future would keep a recorded delivery fresh for as long. */
export const fromTheFuture = receiverCheck<Distant>({
  id: 'receiver/signature/from-the-future',
  title: 'refuses a right signature whose timestamp lies in the future by more than the tolerance',
  requirements: ['VRF-8'],
  needs: ['secret'],
  about: ['tolerance'],
  canary: true,
  weight: 0.5,
  cases: (draw) => [
    distant(draw, fc.integer({ min: minute, max: hour })),
    distant(draw, fc.integer({ min: day, max: 1000 * day })),
    distant(draw, fc.constant('milliseconds')),
  ],
  run: (kit, { notification, timestamp }) =>
    expectDistantRefused(kit, notification, {
      requirement: 'VRF-8',
      skewAt: (now) => (timestamp === 'milliseconds' ? 999 * now : tolerance(kit) + Number(timestamp)),
    }),
  hint:
    'Compare the distance between the timestamp and your clock, in both directions: Math.abs(now - timestamp) > tolerance. ' +
    '"now - timestamp > tolerance" holds for no timestamp of the future.',
});

function distant(draw: Draw, timestamp: Arbitrary<Distant['timestamp']>): CaseKind<Distant> {
  return fc.record({ timestamp, notification: draw.notification() });
}

async function expectDistantRefused(
  kit: ReceiverKit,
  notification: Notification,
  { requirement, skewAt }: Pick<Point, 'requirement'> & { readonly skewAt: (now: number) => number },
): Promise<Finding | undefined> {
  const twin = await acceptedTwin(kit, kit.compose(notification));
  const delivery = composeAt(kit, notification, skewAt);
  const point = { requirement, twin, difference: describeSkew(delivery.skew ?? 0), differsIn: 'signature' } as const;
  const accepted = await expectRefused(kit, delivery, point);
  if (accepted !== undefined && (await isRefusedFarAway(kit, notification, delivery.skew ?? 0)))
    return { ...accepted, hint: tooMuch };
  return accepted ?? expectEffects(kit, { attempts: kit.attempts.slice(-1), claim: 'none', point });
}

const tooMuch =
  'A timestamp that is much further from the clock is refused, so there is a tolerance, and it is larger than that of the contract. ' +
  'Often two units are mixed: seconds are compared with milliseconds, or minutes with seconds.';

/** Seconds: more than any tolerance, whatever its unit was taken for. */
const farAway = 10_000 * day;

async function isRefusedFarAway(kit: ReceiverKit, notification: Notification, skew: number): Promise<boolean> {
  if (Math.abs(skew) >= farAway) return false;
  const answer = await kit.deliver(kit.compose(notification, { skew: Math.sign(skew) * farAway }));
  return answer.kind === 'answered' && !kit.accepts(answer);
}

/** Signed within one second of the clock, so that the timestamp is exactly the one that is meant. */
function composeAt(kit: ReceiverKit, notification: Notification, skewAt: (now: number) => number): Delivery {
  for (;;) {
    const now = kit.now();
    const delivery = kit.compose(notification, { skew: skewAt(now) });
    if (kit.now() === now) return delivery;
  }
}

/** Clocks differ, and a delivery takes its time: a part of the tolerance is for that. */
export const smallSkew = receiverCheck<{ readonly notification: Notification; readonly skew: number }>({
  id: 'receiver/signature/small-skew',
  title: 'accepts a timestamp that is a little behind its clock, or ahead of it',
  requirements: ['VRF-9'],
  needs: ['secret'],
  about: ['tolerance'],
  weight: 0.5,
  cases: (draw) =>
    [lessThanHalf(draw), nearlyHalf(draw)].flatMap((distance) =>
      [-1, 1].map((direction) =>
        fc.record({ skew: distance.map((seconds) => direction * seconds), notification: draw.notification() }),
      ),
    ),
  run: async (kit, { notification, skew }) => {
    const twin = await acceptedTwin(kit, kit.compose(notification));
    const difference = describeSkew(skew);
    const point = { requirement: 'VRF-9', twin, difference, differsIn: 'signature' } as const;
    return expectAccepted(kit, kit.compose(notification, { skew }), point);
  },
  hint:
    'Allow for clocks that differ, in both directions: refuse where the distance between the timestamp and your clock is more than ' +
    'the tolerance that the contract promises, and not before. A timestamp a second ahead of your clock is no attack.',
});

/** A retry is signed when it is sent: with another timestamp, and so with another signature. */
export const signedAnew = receiverCheck<{ readonly notification: Notification; readonly later: number }>({
  id: 'receiver/signature/signed-anew',
  title: 'accepts a redelivery that was signed anew with a later timestamp, and takes it once',
  requirements: ['VRF-9'],
  needs: ['secret'],
  about: ['tolerance'],
  weight: 0.5,
  cases: (draw) => [fc.record({ later: lessThanHalf(draw), notification: draw.notification() })],
  run: async (kit, { notification, later }) => {
    const first = await acceptedTwin(kit, kit.compose(notification, { skew: -later }));
    const again = kit.compose(notification, { id: first.delivery.id });
    const difference = `the same notification, signed anew ${later} s later`;
    const point = { requirement: 'VRF-9', twin: first, difference, differsIn: 'signature' } as const;
    const refused = await expectAccepted(kit, again, point);
    if (refused !== undefined) {
      // A receiver that refuses any redelivery breaks IDM-1, and nothing is wrong with how timestamps are read.
      if (!kit.accepts(await kit.deliver(first.delivery))) throw new Unproven('the same bytes are refused as well');
      return refused;
    }
    if (!kit.probed || !kit.isEffective(notification.event)) return undefined;
    const [last] = kit.attempts.slice(-1);
    // A receiver that takes any redelivery twice breaks IDM-2, and nothing is wrong with how timestamps are read.
    if (!(await isTakenOnce(kit, notification))) return undefined;
    return last && expectEffects(kit, { attempts: [last], claim: 'still once', point });
  },
  hint:
    'Recognise redeliveries by the id of the notification, never by the signature or the timestamp: a service signs each attempt ' +
    'when it sends it. Answer a redelivery like the first delivery.',
});

/** Whether a redelivery of the same bytes, under the same signature, takes no effect. */
async function isTakenOnce(kit: ReceiverKit, notification: Notification): Promise<boolean> {
  const twice = await acceptedTwin(kit, kit.compose(notification));
  await kit.deliverWithRetries(twice.delivery);
  return countOf(await kit.effects(oneOfEach(twice)), twice) === 1;
}

/** Seconds that a delivery may take on a busy machine, and that a smaller skew would be lost in. */
const busy = 10;

/** Whole seconds, up to half of the tolerance. */
function lessThanHalf(draw: Draw): Arbitrary<number> {
  const max = halfOf(draw);
  return fc.integer({ min: Math.min(busy, max), max });
}

/** A receiver with a smaller tolerance of its own takes most of what lies in half of the promised one. */
function nearlyHalf(draw: Draw): Arbitrary<number> {
  return fc.constant(Math.max(1, halfOf(draw) - busy));
}

function halfOf({ scheme }: Draw): number {
  return Math.max(1, Math.floor((scheme.tolerance ?? 0) / 2000));
}

/** Whole seconds. */
function tolerance({ scheme }: ReceiverKit): number {
  if (scheme.tolerance === undefined) throw new Unobservable('the contract promises no tolerance of timestamps');
  return Math.ceil(scheme.tolerance / 1000);
}

function describeSkew(skew: number): string {
  return `its timestamp is ${Math.abs(skew)} s ${skew < 0 ? 'behind' : 'ahead of'} the clock`;
}
