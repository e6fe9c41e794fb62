import { withPointer } from '../../../generators/json/withPointer.ts';
import type { Attempt } from '../../delivery.ts';
import type { ReceiverKit } from '../../kit.ts';
import type { Point } from '../../receiver/expectation.ts';
import { acceptedTwin } from '../../receiver/expectation.ts';
import type { Entry, ReceiverModelState } from './receiverModelState.ts';
import { written, type Writing } from './writing.ts';

/**
 * Why an acknowledged notification took no effect, by neighbours that do: the same under another id, the same from another
 * time, then the plain one of its event.
 *
 * @throws Unproven where a neighbour is not accepted
 */
export async function whyLost(kit: ReceiverKit, modelState: ReceiverModelState, entry: Entry): Promise<Point> {
  const { writing } = entry;
  const plain: Writing = { notification: kit.plain(writing.notification), plain: true };
  const same = await effective(kit, writing);
  if (same) return { ...byHistory(modelState, entry), twin: same, concurrent: entry.concurrent };
  const alike = {
    requirement: 'IDM-4' as const,
    difference: 'the time in the body: all else was there under another id before',
  };
  const other = isRepeated(modelState, entry) && (await effective(kit, fromAnotherTime(kit, writing)));
  if (other) return { ...alike, twin: other };
  const plainer = await effective(kit, plain);
  if (plainer) return { requirement: 'RCV-2', difference: 'what the body says, and how it is spelt', twin: plainer };
  const last = await effective(kit, fromAnotherTime(kit, plain));
  return last ? { ...alike, twin: last } : { requirement: 'RTY-1', difference: 'nothing takes effect any more' };
}

/** Whether something else said the same before: of plain notifications each run has sent some. */
export function isRepeated({ entries }: ReceiverModelState, { writing, genuine }: Entry): boolean {
  const { notification, plain } = writing;
  return plain || entries.some((other) => other.genuine !== genuine && other.writing.notification === notification);
}

/** The same, but for a creation time that nothing else has. */
function fromAnotherTime(kit: ReceiverKit, writing: Writing): Writing {
  const { event, value } = writing.notification;
  const digits = Number.parseInt(kit.freshId().slice(0, 8), 16);
  const time = new Date(kit.now() * 1000 - (digits % 3_600_000)).toISOString();
  return {
    ...writing,
    notification: { event, value: withPointer(value, kit.contract.delivery.members.createdAt, time) },
  };
}

function byHistory({ interruptions, entries }: ReceiverModelState, entry: Entry): Point {
  const { forged, concurrent, failed, near, whole } = entry;
  if (interruptions.length > 0) return { requirement: 'RTY-1', difference: 'the receiver stood still meanwhile' };
  if (forged > 0) return { requirement: 'VRF-2', difference: 'a forged delivery of the same id beside it' };
  if (near) return { requirement: 'IDM-4', difference: 'its id is near to that of another notification' };
  if (concurrent) return { requirement: 'IDM-3', difference: 'copies of it at the same time' };
  if (failed > 0) return { requirement: 'IDM-5', difference: 'an earlier delivery of it failed' };
  if (whole > 1) return { requirement: 'RTY-1', difference: 'it was delivered more than once' };
  if (entries.length > 1) return { requirement: 'IDM-4', difference: 'another notification beside it' };
  return { requirement: 'RCV-1', difference: 'another id, a moment later' };
}

/** A fresh delivery of it that takes effect; nothing where it takes none. */
async function effective(kit: ReceiverKit, writing: Writing): Promise<Attempt | undefined> {
  const twin = await acceptedTwin(kit, written(kit, writing));
  const effects = await kit.effects(new Map([[twin.delivery.id, 1]]));
  return (effects.get(twin.delivery.id) ?? 0) > 0 ? twin : undefined;
}
