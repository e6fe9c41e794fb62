import { randomUUID } from 'node:crypto';

import type { Attempt } from '../../suites/delivery.ts';
import type { Beginning, Effects } from '../../suites/kit.ts';
import { effectsInWords, idsOf } from '../../suites/receiver/counting.ts';
import { neighbourIds, otherCases } from '../../suites/receiver/otherIds.ts';
import { type Probe, ProbeError } from './probe.ts';
import type { ControlResult, ReceiverContext } from './receiverContext.ts';
import type { Settler } from './settler.ts';

/** A plain delivery that was accepted in the end, and how often it was sent until then. */
export interface Sent extends Attempt {
  readonly times: number;
  /** Whether the first delivery of it got no answer in time. */
  readonly isLate: boolean;
}

/** Milliseconds that the first effect of all is waited for, before anything is known of how long effects take. */
const firstEffect = 10_000;

/** What came first, where no effect of it was seen. */
export function unseenBeginning(unstored: ReadonlySet<string> = new Set()): Beginning {
  return {
    attempts: [],
    redelivered: () => new Set(),
    interrupted: () => false,
    withoutEffect: [],
    at: 0,
    accepted: new Map(),
    failed: new Map(),
    again: new Set(),
    unstored,
    lostAnyway: [],
  };
}

/**
 * Events whose plain delivery took effect once. Waits no longer than it takes for each to show its effect.
 *
 * @param first - what was delivered before all of them, alone: where none of them took effect once, it may be the only one that did
 * @throws ProbeError where the probe does not count
 */
export async function effectiveEvents(
  context: ReceiverContext,
  sent: readonly Sent[],
  first: Attempt,
  sendAgain: (sent: Sent) => Promise<Sent>,
): Promise<Pick<ControlResult, 'effective' | 'probeTrouble'> & Partial<Pick<ControlResult, 'beginning'>>> {
  const { settler, probe, log } = context;
  if (!settler || !probe) return { effective: new Set() };
  const at = context.elapsed();
  await requireNothingElse(probe);
  const effects = await seenOf(settler, sent);
  const accepted = await replaced(sent, effects, sendAgain);
  const seen = accepted === sent ? effects : await seenOf(settler, accepted);
  const some = accepted.filter(({ delivery }) => seen.get(delivery.id) === 1);
  const alone = async () => ((await probe.count(idsOf([first]))).get(first.delivery.id) === 1 ? [first] : []);
  const once = some.length > 0 ? some : await alone();
  if (once.length > 0) {
    await requireWholeIds(context, probe, idsOf(once));
    const withoutEffect = accepted.filter(({ delivery }) => seen.get(delivery.id) === 0);
    const effective = new Set(once.map(({ delivery }) => delivery.event));
    const seenAt = performance.now();
    const redelivered = (): ReadonlySet<string> => new Set(idsOf(once).filter((id) => (log.of(id) ?? 0) > seenAt));
    const interrupted = (): boolean => log.upSince > seenAt;
    const beginning = { ...unseenBeginning(log.unstored), attempts: once, redelivered, interrupted, withoutEffect, at };
    return { effective, beginning };
  }
  if (probe.silence !== undefined)
    throw new ProbeError(`${probe.silence}: no count of an accepted delivery`, counts, inTime);
  const counted = seen.get(accepted[0]?.delivery.id ?? '') ?? 0;
  if (counted > mostEffects) throw absurd(`of one delivery it counted ${counted} effects`);
  return {
    effective: new Set(),
    probeTrouble: `no plain delivery showed exactly one effect through --probe, but ${counted}`,
  };
}

function seenOf(settler: Settler, sent: readonly Sent[]): Promise<Effects> {
  return settler.untilSeen(new Map(sent.map(({ delivery }) => [delivery.id, 1])), { first: firstEffect });
}

/**
 * What was refused at first, as by a receiver that was still starting, and took no effect after its acceptance, may be lost
 * by that refusal: a new notification shows what the receiver does with its event.
 */
async function replaced(
  sent: readonly Sent[],
  effects: Effects,
  sendAgain: (sent: Sent) => Promise<Sent>,
): Promise<readonly Sent[]> {
  const isDoubtful = ({ delivery, times }: Sent): boolean => times > 1 && effects.get(delivery.id) === 0;
  if (!sent.some(isDoubtful)) return sent;
  return Promise.all(sent.map((each) => (isDoubtful(each) ? sendAgain(each) : Promise.resolve(each))));
}

/** What one delivery cannot bring about, however often it takes effect. */
const mostEffects = 1000;

const counts = 'A probe counts how often the notification with an id took effect: 0 before its delivery, 1 after it';

const inTime =
  'See whether the probe is the right one (its address, its command), and let it count the effects of what the receiver has accepted; if they come late, give a longer --settle';

/** An id that was never sent has no effects. @throws ProbeError where the probe counts some */
async function requireNothingElse(probe: Probe): Promise<void> {
  const id = randomUUID();
  const count = (await probe.count([id])).get(id) ?? 0;
  if (count > 0) throw absurd(`of the id ${id}, which was never sent, it counted ${effectsInWords(count)}`);
}

/** Nor has one that differs in a digit, or in the case of a letter, from an id that has some, and was not sent. @throws ProbeError where the probe counts some */
async function requireWholeIds(
  { plan }: ReceiverContext,
  probe: Probe,
  [known = '']: readonly string[],
): Promise<void> {
  const neighbours = neighbourIds(plan.contract, known);
  const [inOtherCase] = otherCases(plan.contract, known);
  const ids = [...new Set([neighbours[0], neighbours.at(-1), inOtherCase])].filter((id) => id !== undefined);
  if (ids.length === 0) return;
  const counted = await probe.count(ids);
  const [id] = ids.filter((each) => (counted.get(each) ?? 0) > 0);
  if (id === undefined) return;
  const what = `of the id ${id}, which was never sent, it counted ${effectsInWords(counted.get(id) ?? 0)}, as of ${known}, which was delivered`;
  throw absurd(
    what,
    `${wholeId}. If the receiver keeps its ids by the same key, correct that first: it drops notifications (IDM-4)`,
  );
}

const wholeId =
  'Let it look for the whole id: no part of it, no number made of it, no hash that others share, no column that ignores case';

function absurd(what: string, next = 'Let it look for the id that it is given'): ProbeError {
  return new ProbeError(`The probe does not count effects: ${what}`, counts, next);
}
