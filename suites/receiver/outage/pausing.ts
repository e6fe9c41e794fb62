import fc from 'fast-check';

import { receiverCheck, Unproven, type Finding } from '../../check.ts';
import type { Attempt, Delivery } from '../../delivery.ts';
import type { ReceiverKit } from '../../kit.ts';
import { countOf, effectFinding, lostOf, observeRepeats, recoveredEffects } from '../aftermath.ts';
import { composed } from '../interruption.ts';
import { acceptedTwin, attempt } from '../expectation.ts';
import { content, type Content } from '../schedule.ts';
import { expectTakenAgain } from '../taken.ts';

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
export const paused = receiverCheck<Pausing>({
  id: 'receiver/outage/paused',
  title: 'lets a notification take effect once when it stands still in the middle of a delivery and gets it again',
  requirements: ['RTY-1', 'IDM-2', 'IDM-1'],
  fatal: 'RTY-1',
  needs: ['process-control', 'probe'],
  schedule: { kind: 'interrupting', timed: true },
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
    const bystander = kit.again(deliveries[0]!);
    const first = await beginAndPause(kit, [...deliveries, bystander], value);
    for (let times = 0; times < value.given; times++) await deliverAll(kit, deliveries, closingTime);
    const open = value.open ? deliverAll(kit, deliveries) : Promise.resolve([]);
    const [, waited] = await Promise.all([kit.processControl.resume(), open]);
    const known = new Set(
      [...first, ...waited].flatMap((sent) => (kit.accepts(sent.answer) ? [sent.delivery.id] : [])),
    );
    return expectOnce(kit, { deliveries, bystander: first.at(-1)!, twin, known, difference: describe(value) });
  },
  hint:
    'While a receiver stands still (a paused container, a long collection of garbage, a suspended machine) its sender ' +
    'gives up and delivers again, and both copies are there when it goes on. Let a unique index decide, and check that a ' +
    'lease still holds in the transaction that uses it.',
});

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
  const steps = [
    { send: 'head' },
    { send: 'body', from: 0, to: part },
    { pause: closingTime },
    { end: 'rst' },
  ] as const;
  return { ...delivery, wire: { framing: 'length', steps } };
}

function deliverAll(kit: ReceiverKit, deliveries: readonly Delivery[], within?: number): Promise<readonly Attempt[]> {
  return Promise.all(deliveries.map(async (delivery) => attempt(delivery, await kit.deliver(delivery, within))));
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
    again.push(kit.attempts.at(-1)!);
  }
  await kit.untilEffect(again.map(({ delivery }) => delivery.id));
  const effects = await recoveredEffects(kit, [twin, ...again]);
  const lost = lostOf(again, effects, twin);
  if (lost) return effectFinding(kit, lost, { ...point, requirement: 'RTY-1' }, effects);
  const repeated = again.find((sent) => countOf(effects, sent) > 1);
  if (!repeated) return undefined;
  const aside = await kit.effects(new Map([[bystander.delivery.id, 0]]));
  observeRepeats(kit, [bystander], aside, difference);
  if (countOf(aside, bystander) > 1) throw new Unproven('what was delivered only once took effect twice as well');
  return effectFinding(kit, repeated, { ...point, requirement: 'IDM-2' }, effects);
}

function describe({ given, open, part, delay }: Pausing): string {
  return [
    `paused ${delay} ms after the first byte${part < 1 ? ' of a body sent in part' : ''}`,
    ...(given > 0 ? [`delivered again ${given === 1 ? 'once' : `${given} times`} meanwhile`] : []),
    ...(open ? ['a redelivery under way when it went on'] : []),
    'delivered again later',
  ].join(', ');
}
