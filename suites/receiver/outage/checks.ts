import fc from 'fast-check';

import { largeNat } from '../../../generators/arbitraries.ts';
import { Unproven, type Finding, type ReceiverCheck } from '../../check.ts';
import type { Draw } from '../../draw.ts';
import {
  expectKept,
  expectKeptAgain,
  expectTakenAgain,
  lostOf,
  notOnce,
  observeRepeats,
  recoveredEffects,
  revived,
} from '../aftermath.ts';
import { countOf, idsOf } from '../counting.ts';
import { composed, type End, ended, interruptingCheck } from '../interruption.ts';
import { onWire, upTo } from '../onWire.ts';
import { content, type Content } from '../interruptionSchedule.ts';
import { acceptedTwin, attempt, delivered } from '../expectation.ts';
import type { Attempt, Delivery } from '../../delivery.ts';
import type { ReceiverKit } from '../../kit.ts';
import { counted, itemOf } from '../../items.ts';
import { longPause } from './longPause.ts';
import { droppedAtTheStart } from '../worksAgain.ts';

interface Outage {
  readonly end: End;
  /** Attempts of each notification that found nobody, at most as many as a service repeats. */
  readonly missed: number;
  readonly contents: readonly Content[];
}

/** Section 4.4: a service repeats what found nobody, up to its last retry. */
const refusedConnections = interruptingCheck<Outage>({
  id: 'receiver/outage/refused-connections',
  title: 'takes what is redelivered after an outage, even where only the last retry is left',
  requirements: ['RTY-1', 'IDM-5'],
  weight: 0.25,
  cases: (draw) => {
    const { redeliveries } = draw.contract.delivery;
    return [
      [
        outage(draw, { missed: fc.constant(redeliveries), end: 'killed', most: 3 }),
        outage(draw, { missed: fc.constant(1), end: 'killed', most: 1 }),
        outage(draw, { missed: fc.integer({ min: 1, max: redeliveries }), end: 'killed', most: 12 }),
      ],
      [outage(draw, { missed: fc.constant(redeliveries), end: 'stopped', most: 1 })],
    ];
  },
  run: async (kit, { end, missed, contents }) => {
    const before = await acceptedTwin(kit, composed(kit, null));
    const deliveries = contents.map((one) => composed(kit, one));
    await ended(kit, end);
    const attempts = await Promise.all(
      deliveries.map(async (delivery) => {
        let answer = await kit.deliver(delivery);
        for (let times = 1; times < missed; times++) answer = await kit.deliver(delivery);
        return attempt(delivery, answer);
      }),
    );
    const difference = `${end}; ${counted(missed, 'attempt')} found nobody; started, delivered again`;
    const { twin, useless } = await revived(kit, before, difference);
    return useless ?? expectKeptAgain(kit, attempts, { twin, difference });
  },
  hint:
    'Take connections only when you are ready, start without help after a kill (no stale lock or pid file), and ' +
    'answer 503 rather than 500 while you cannot work yet. After an outage everything that waited comes at ' +
    'once, and for some of it this is the last attempt.',
});

function outage(
  draw: Draw,
  { missed, end, most }: { readonly missed: fc.Arbitrary<number>; readonly end: End; readonly most: number },
): fc.Arbitrary<Outage> {
  return fc.record({
    end: fc.constant(end),
    missed,
    contents: fc.array(content(draw), { minLength: 1, maxLength: most, size: 'max' }),
  });
}

/** Milliseconds after which the sender of this check gives up: a real one waits longer, which nobody knows from here. */
const closingTime = 250;

interface Pausing {
  /** Attempts while it stands still, each given up. */
  readonly given: number;
  /** Whether one more attempt is still waiting when it goes on. */
  readonly open: boolean;
  /** The part of the body that has been sent when it is paused. */
  readonly part: number;
  /** Milliseconds from the start of the delivery to the pause. */
  readonly delay: number;
  readonly contents: readonly Content[];
}

/** Section 4.4: a time-out is a failed attempt for the sender, and may be a whole delivery for the receiver. */
const paused = interruptingCheck<Pausing>({
  id: 'receiver/outage/paused',
  title: 'lets a notification take effect once when it stands still in the middle of a delivery and gets it again',
  requirements: ['RTY-1', 'IDM-2', 'IDM-1'],
  restarts: false,
  weight: 0.3,
  cases: (draw) => {
    const whole = {
      part: fc.constant(1),
      contents: fc.array(content(draw), { minLength: 1, maxLength: 3 }),
    };
    const [delay, given] = [fc.nat({ max: 30 }), fc.nat({ max: 2 })];
    return [
      fc.record({ given: fc.constant(0), open: fc.constant(true), delay, ...whole }),
      fc.record({ given: fc.constant(1), open: fc.constant(false), delay, ...whole }),
      fc.record({ given, open: fc.boolean(), delay, ...whole, part: fc.double({ min: 0, max: 0.99, noNaN: true }) }),
      fc.record({ given, open: fc.boolean(), delay, ...whole }),
    ];
  },
  run: async (kit, value) => {
    const twin = await acceptedTwin(kit, composed(kit, null));
    const deliveries = value.contents.map((one) => composed(kit, one));
    const bystander = kit.again(itemOf(deliveries, 0));
    const first = await beginAndPause(kit, [...deliveries, bystander], value);
    for (let times = 0; times < value.given; times++) await deliverAll(kit, deliveries, closingTime);
    const open = value.open ? deliverAll(kit, deliveries) : Promise.resolve([]);
    const [, waited] = await Promise.all([kit.processControl.resume(), open]);
    const known = new Set(
      [...first, ...waited].flatMap((sent) => (kit.accepts(sent.answer) ? [sent.delivery.id] : [])),
    );
    return expectOnce(kit, {
      deliveries,
      bystander: itemOf(first, deliveries.length),
      twin,
      known,
      difference: describe(value),
    });
  },
  hint:
    'Let a unique index decide, and check that a lease still holds in the transaction that uses it. While a ' +
    'receiver stands still (a paused container, a long garbage collection, a suspended machine) its sender ' +
    'gives up and delivers again, and both copies are there when it goes on.',
});

interface Beginning {
  /** How it had gone down: killed, or asked to end. */
  readonly end: End;
  /** Plain deliveries that came right before that, and so many others as soon as it takes connections again. Default: none. */
  readonly load?: number;
  /** What is delivered beside the latter. */
  readonly contents: readonly Content[];
}

const displacedAtTheStart =
  'It was accepted, waited when the receiver ended, and took no effect. If such work is kept without the new deliveries (see ' +
  'receiver/crash/acknowledged), they took its place: a counter of file names or job ids that begins anew at each start overwrites what ' +
  'waits, and so does a list in memory that is set and not added to. Number on from what is stored, or take names that never recur.';

/** Section 4.4: a refusal while it comes up is a failed delivery like any other, and nothing of it may stay. */
const firstDeliveries = interruptingCheck<Beginning>({
  id: 'receiver/outage/first-deliveries',
  title: 'lets what it accepts while it starts take effect, and what it refuses then once it is redelivered',
  requirements: ['IDM-5', 'RTY-1', 'IDM-1', 'RCV-3'],
  weight: 0.1,
  cases: (draw) => [
    (['killed', 'stopped'] as const).map((end) =>
      fc.record({
        end: fc.constant(end),
        load: largeNat(4 * draw.concurrency),
        contents: fc.array(content(draw), { minLength: 1, maxLength: 5 }),
      }),
    ),
  ],
  run: async (kit, { end, load = 0, contents }) => {
    const plain = () => Array.from({ length: load }, () => composed(kit, null));
    const before = await acceptedTwin(kit, composed(kit, null));
    const restart = async () => {
      await ended(kit, end);
      await kit.processControl.start();
    };
    // What waits was taken by a process that had taken nothing before, so that the next one counts as far as it did.
    if (load > 0) await restart();
    const waiting = await deliverAll(kit, plain());
    const deliveries = [...contents.map((one) => composed(kit, one)), ...plain()];
    await restart();
    const attempts = await deliverAll(kit, deliveries);
    const restarted = `${load === 0 ? '' : `${counted(load, 'notification')} at once; `}${end} and started`;
    const { twin, useless } = await revived(kit, before, restarted);
    if (useless) return useless;
    const concurrent = attempts.length > 1;
    const beside = { twin, concurrent, difference: `${restarted}; delivered as soon as it took connections` };
    const lost = await expectKept(kit, accepted(kit, attempts), {
      ...beside,
      requirement: 'RTY-1',
      hint: droppedAtTheStart,
    });
    const overtaken = {
      ...beside,
      requirement: 'RCV-3',
      hint: displacedAtTheStart,
      difference: `${restarted}; as many more as soon as it took connections`,
    } as const;
    return (
      lost ??
      (await expectKept(kit, accepted(kit, waiting), overtaken)) ??
      expectKeptAgain(kit, attempts, { twin, difference: `${beside.difference}, and again later` })
    );
  },
  hint:
    'Where you answer 503 because you are not ready (caches are empty, the database is not connected), answer it before ' +
    'you look at the delivery: an id that is remembered by then makes a duplicate of the redelivery, and its work is lost.',
});

/** The checks of this topic, in the order in which they run and are listed. */
export const outageChecks: readonly ReceiverCheck[] = [refusedConnections, firstDeliveries, paused, longPause];

/** Begins the deliveries and lets the receiver stand still in the middle of them. Resolves when their sender gave up. */
async function beginAndPause(
  kit: ReceiverKit,
  deliveries: readonly Delivery[],
  { part, delay }: Pausing,
): Promise<readonly Attempt[]> {
  const begun = Promise.all(
    deliveries.map(async (delivery) => attempt(delivery, await kit.deliver(inPart(delivery, part), closingTime))),
  );
  const pause = async () => {
    if (delay > 0) await kit.pause(delay);
    await kit.processControl.pause();
  };
  const [first] = await Promise.all([begun, pause()]);
  return first;
}

/** What is given up in the middle of its body is closed by the sender. */
function inPart(delivery: Delivery, part: number): Delivery {
  if (part === 1) return delivery;
  return onWire(delivery, upTo(part, { pause: closingTime }, { end: 'rst' }));
}

function accepted(kit: ReceiverKit, attempts: readonly Attempt[]): readonly Attempt[] {
  return attempts.filter(({ answer }) => kit.accepts(answer));
}

function deliverAll(kit: ReceiverKit, deliveries: readonly Delivery[], within?: number): Promise<readonly Attempt[]> {
  return Promise.all(deliveries.map((delivery) => delivered(kit, delivery, within)));
}

interface Afterwards {
  readonly deliveries: readonly Delivery[];
  /** Sent once, in the same moment as the first deliveries. */
  readonly bystander: Attempt;
  readonly twin: Attempt;
  /** Ids that were acknowledged so far. */
  readonly known: ReadonlySet<string>;
  readonly difference: string;
}

/** A later redelivery of each is accepted, and each has one effect. */
async function expectOnce(kit: ReceiverKit, afterwards: Afterwards): Promise<Finding | undefined> {
  const { deliveries, bystander, twin, known, difference } = afterwards;
  const point = { twin, difference, concurrent: true };
  const again: Attempt[] = [];
  for (const delivery of deliveries) {
    const requirement = known.has(delivery.id) ? 'IDM-1' : 'RTY-1';
    const refused = await expectTakenAgain(kit, delivery, { ...point, requirement });
    if (refused) return refused;
    again.push(itemOf(kit.attempts, kit.attempts.length - 1));
  }
  await kit.untilEffect(idsOf(again));
  const effects = await recoveredEffects(kit, [twin, ...again]);
  const lost = lostOf(again, effects, twin);
  if (lost) return notOnce(kit, lost, { ...point, requirement: 'RTY-1' }, effects);
  const repeated = again.find((sent) => countOf(effects, sent) > 1);
  if (!repeated) return undefined;
  const once = [bystander, twin];
  const aside = await kit.effects(new Map(once.map(({ delivery }) => [delivery.id, 0])));
  observeRepeats(kit, once, aside, difference);
  if (once.some((sent) => countOf(aside, sent) > 1))
    throw new Unproven('what was delivered only once took effect twice as well');
  return notOnce(kit, repeated, { ...point, requirement: 'IDM-2' }, effects);
}

function describe({ given, open, part, delay }: Pausing): string {
  return [
    `paused ${delay} ms after the first byte${part < 1 ? ' of a body sent in part' : ''}`,
    ...(given > 0 ? [`delivered again ${given === 1 ? 'once' : `${given} times`} meanwhile`] : []),
    ...(open ? ['a redelivery under way when it went on'] : []),
    'delivered again later',
  ].join(', ');
}
