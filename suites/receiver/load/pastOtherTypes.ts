import fc from 'fast-check';

import type { Json } from '../../../generators/json/json.ts';
import { fromPointer, toPointer, valueAt, withPointer } from '../../../generators/json/jsonPointer.ts';
import { type Finding, receiverCheck, Unobservable, Unproven } from '../../check.ts';
import type { Attempt } from '../../delivery.ts';
import { finding, type Point } from '../../finding.ts';
import type { ReceiverKit } from '../../kit.ts';
import { countOf, effectsAlone } from '../counting.ts';
import { expectStillServing } from '../stillServing.ts';
import { acceptedTwin, deliveredWithRetries } from '../expectation.ts';

/** What stands in place of a member, one after the other. */
const otherValues: readonly Json[] = [null, 7, 'x', {}, [null]];

/** Plain deliveries of which none takes effect where work has ended: of one that loses four in five, some take effect among so many. */
const last = 23;

/** So many of them are shown. */
const shown = 3;

/** Milliseconds at least in which something that waits would take effect. */
const leastWait = 5000;

/**
 * Section 4.4: what is no notification may get any answer, and stops no work on others. Last of all, for nothing could be
 * seen after it where it does.
 */
export const pastOtherTypes = receiverCheck<null>({
  id: 'receiver/load/past-other-types',
  title: 'works on after signed bodies with members of other types',
  requirements: ['ROB-1'],
  needs: ['probe'],
  schedule: { kind: 'last', grouped: true },
  // One case, at any intensity: the end of a run comes once.
  weight: 0,
  cases: () => [fc.constant(null)],
  run: async (kit) => {
    if (!kit.isEffective(kit.control.event)) throw new Unobservable('the plain delivery of the run takes no effect');
    const members = judgedMembers(kit);
    if (members.length === 0)
      throw new Unobservable(
        'the contract places neither the event nor a time, a type or related resources in the body',
      );
    let twin = await plainOne(kit);
    if (await isWithoutEffect(kit, twin)) throw new Unproven('a plain delivery before them took no effect');
    for (const pointer of members) {
      const before = kit.attempts.length;
      await sendOthers(kit, pointer);
      const words = `signed bodies came before it, with null, a number, a text, an object and a list as ${pointer}`;
      const point: Point = { requirement: 'ROB-1', twin, difference: words };
      const served = await deliveredWithRetries(kit, kit.compose(kit.control));
      if (!kit.accepts(served.answer)) return expectStillServing(kit, point);
      if (await isWithoutEffect(kit, served)) return stopped(kit, served, point, kit.attempts.slice(before, -1));
      twin = served;
    }
    return undefined;
  },
  hint:
    'What works on notifications ended at one that it cannot read, or tries it again and again while all others wait. Look at the ' +
    'types of what you read before you accept it (event, time, related resources), and answer 400. In the worker, catch the error of ' +
    'each notification, put that one aside, and go on with the next.',
});

async function plainOne(kit: ReceiverKit): Promise<Attempt> {
  return acceptedTwin(kit, kit.compose(kit.control));
}

async function isWithoutEffect(kit: ReceiverKit, sent: Attempt): Promise<boolean> {
  return countOf(await effectsAlone(kit, [sent]), sent) === 0;
}

/** Where the contract has a member that no id depends on, and what holds several of these. */
function judgedMembers({ contract, control }: ReceiverKit): readonly string[] {
  const { id = '', ...members } = contract.delivery.members;
  const pointers = Object.values(members);
  const holders = pointers.map((pointer) => toPointer(fromPointer(pointer).slice(0, -1)));
  const isPossible = (pointer: string): boolean =>
    pointer !== '' && `${id}/`.indexOf(`${pointer}/`) !== 0 && valueAt(control.value, pointer) !== undefined;
  return [...new Set([...pointers, ...holders])].filter(isPossible);
}

async function sendOthers(kit: ReceiverKit, pointer: string): Promise<void> {
  for (const other of otherValues) {
    const rewrite = (body: Buffer): Buffer =>
      Buffer.from(JSON.stringify(withPointer(JSON.parse(body.toString()) as Json, pointer, other)));
    await kit.deliver(kit.compose(kit.control, { rewrite }));
  }
}

/** @throws Unproven where anything takes effect by now: work goes on */
async function stopped(kit: ReceiverKit, first: Attempt, point: Point, others: readonly Attempt[]): Promise<Finding> {
  const began = kit.elapsed();
  const sent = [first];
  while (sent.length < last) sent.push(await plainOne(kit));
  await kit.pause(Math.max(leastWait, 2 * kit.settle));
  const effects = await effectsAlone(kit, sent);
  if (sent.some((one) => countOf(effects, one) > 0)) throw new Unproven('what came after them took effect late');
  return finding(point, {
    attempts: [...others, ...sent.slice(0, shown)],
    expected: 'what is accepted afterwards takes effect',
    actual: `none of ${last} plain notifications that were accepted took effect within ${Math.round((kit.elapsed() - began) / 1000)} s`,
    // It did recur, with several fresh ids, and nothing brings back what has ended.
    absence: false,
    effects: [{ id: first.delivery.id, expected: 1, actual: 0 }],
  });
}
