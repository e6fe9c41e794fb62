import type { Finding } from '../../check.ts';
import type { Delivery } from '../../delivery.ts';
import type { ReceiverKit } from '../../kit.ts';
import { countOf, oneOfEach } from '../counting.ts';
import { acceptedTwin } from '../expectation.ts';
import type { Point } from '../../finding.ts';
import { unlikeBefore } from '../unlikeBefore.ts';
import { lostBesideOthers, lostOf } from './lostBesideOthers.ts';

/** Of which the second is one too many for what merges those of one event that come soon after each other. */
const ofEach = 2;

/**
 * Two notifications of every event, one right after the other. Where only some events are merged, too few cases about any of
 * them come upon one.
 */
export async function twoOfEachEvent(kit: ReceiverKit): Promise<Finding | undefined> {
  const events = [...new Set(kit.beginning.attempts.map(({ delivery }) => delivery.event))];
  const sent = await Promise.all(
    events.map((event) => Promise.all(Array.from({ length: ofEach }, () => acceptedTwin(kit, other(kit, event))))),
  );
  const effects = await kit.effects(oneOfEach(...sent.flat()));
  const merged = sent.find((those) => those.some((one) => countOf(effects, one) === 0));
  const found = merged && lostOf(kit, merged, effects, ofOneEvent);
  if (found === undefined) return undefined;
  const others = events.map((event) => other(kit, event));
  return (await lostBesideOthers(kit, others, false)) ?? found;
}

function other(kit: ReceiverKit, event: string): Delivery {
  return kit.compose(unlikeBefore(kit, kit.plain({ event, value: null })));
}

const ofOneEvent: Point = {
  requirement: 'IDM-4',
  difference: 'another notification of the same event came right after or before it',
  concurrent: true,
  hint:
    'Of two notifications of one event that come soon after each other, one is dropped: often by a debounce, a throttle, or a job ' +
    'that has the event for its key. Each says something of its own: store every one, and merge at most what you do with them.',
};
