import type { Finding } from '../../check.ts';
import type { Attempt, Delivery } from '../../delivery.ts';
import type { Point } from '../../finding.ts';
import type { ReceiverKit } from '../../kit.ts';
import { countOf, oneOfEach } from '../counting.ts';
import { acceptedTogether } from '../expectation.ts';
import { unlikeBefore } from '../unlikeBefore.ts';
import { lostBesideOthers, lostOf } from './lostBesideOthers.ts';

/** Events at a time: the two of one have to come at the same moment, and more connections at once would come later. */
const width = 4;

/** Events of which one notification each shows that it is not any two that are merged. */
const unrelated = 8;

/**
 * Two notifications of every event, at the same moment. Where only some events are merged, too few cases about any of them
 * come upon one.
 */
export async function twoOfEachEvent(kit: ReceiverKit): Promise<Finding | undefined> {
  const events = [...new Set(kit.beginning.attempts.map(({ delivery }) => delivery.event))];
  const sent: Attempt[] = [];
  for (let from = 0; from < events.length; from += width) {
    const two = events.slice(from, from + width).flatMap((event) => [event, event]);
    sent.push(...(await acceptedTogether(kit, fresh(kit, two))));
  }
  const effects = await kit.effects(oneOfEach(...sent));
  const lost = sent.find((one) => countOf(effects, one) === 0)?.delivery.event;
  if (lost === undefined) return undefined;
  // Once more, and alone: what is lost by chance is hardly lost again.
  const two = await acceptedTogether(kit, fresh(kit, [lost, lost]));
  const found = lostOf(kit, two, await kit.effects(oneOfEach(...two)), ofOneEvent);
  const others = events.filter((event) => event !== lost).slice(0, unrelated);
  return found && ((await lostBesideOthers(kit, fresh(kit, others), true)) ?? found);
}

function fresh(kit: ReceiverKit, events: readonly string[]): readonly Delivery[] {
  return events.map((event) => kit.compose(unlikeBefore(kit, kit.plain({ event, value: null }))));
}

const ofOneEvent: Point = {
  requirement: 'IDM-4',
  difference: 'another notification of the same event came at the same moment',
  concurrent: true,
  hint:
    'Of two notifications of one event that come soon after each other, one is dropped: often by a debounce, a throttle, or a job ' +
    'that has the event for its key. Each says something of its own: store every one, and merge at most what you do with them.',
};
