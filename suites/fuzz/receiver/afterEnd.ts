import type { Attempt } from '../../delivery.ts';
import type { Effects, ReceiverKit } from '../../kit.ts';
import {
  notOnce,
  lostOf,
  observeRepeats,
  recoveredEffects,
  recoveryTime,
  revived,
  expectTakenAgain,
  refusalTime,
} from '../../receiver/aftermath.ts';
import { countOf, idsOf } from '../../receiver/counting.ts';
import type { Entry, ReceiverModelState } from './receiverModelState.ts';
import { Mistake } from './mistake.ts';
import type { RequirementId } from '../../../spec/names.ts';
import { itemOf } from '../../items.ts';

/** What is judged after the receiver was ended and started again. */
interface Aftermath {
  readonly sent: readonly Owned[];
  /** Sent once, and never delivered again. */
  readonly bystanders: readonly Attempt[];
  /** A plain delivery after the start, which was accepted. */
  readonly twin: Attempt;
}

/** A notification and what counts of its answers: an acceptance, where there was one. */
interface Owned {
  readonly entry: Entry;
  readonly attempt: Attempt;
}

const difference = 'the receiver was ended and started again meanwhile';

/**
 * Judges a sequence in which the receiver was ended: what it had acknowledged took effect, and what is delivered again takes
 * effect once. That it repeats an effect by itself is no mistake.
 *
 * @throws Mistake; Unproven where a plain delivery fares no better
 */
export async function judgeAfterEnd(kit: ReceiverKit, modelState: ReceiverModelState): Promise<void> {
  const owed = modelState.entries.filter(
    ({ genuine, begun, expected }) => begun && expected && kit.isEffective(genuine.event),
  );
  const sent = owed.map((entry) => ({ entry, attempt: attemptOf(kit, entry) }));
  const { twin, useless } = await revived(kit, sent[0]?.attempt ?? plain(kit), difference);
  modelState.judge('RTY-1');
  if (useless) throw new Mistake(useless, 'refused');
  if (!kit.probed || sent.length === 0) return;
  const after: Aftermath = { sent, bystanders: [...modelState.bystanders, twin], twin };
  const before = await judgeKept(kit, modelState, after);
  await deliverAgain(kit, after);
  await judgeAgain(kit, modelState, after, before);
}

/** What was acknowledged has taken effect. Resolves to the numbers of all. */
async function judgeKept(
  kit: ReceiverKit,
  modelState: ReceiverModelState,
  { sent, bystanders, twin }: Aftermath,
): Promise<Effects> {
  const kept = sent.filter(({ entry }) => entry.accepted > 0);
  const attempts = kept.map(({ attempt }) => attempt);
  const effects = await settled(kit, [...sent.map(({ attempt }) => attempt), ...bystanders]);
  if (kept.length > 0) modelState.judge('RCV-3');
  const lost = await stillLost(kit, attempts, effects, twin);
  if (lost === undefined) return effects;
  const { entry } = itemOf(kept, attempts.indexOf(lost));
  const requirement: RequirementId = entry.acceptedAtInterruption < modelState.interruptions.length ? 'RCV-3' : 'RTY-1';
  const point = { requirement, difference, twin, concurrent: sent.length > 1 };
  throw new Mistake(notOnce(kit, lost, point, effects), 'lost');
}

/** Delivers all of them again, at the same time; each must be accepted. */
async function deliverAgain(kit: ReceiverKit, { sent, twin }: Aftermath): Promise<void> {
  await Promise.all(
    sent.map(async ({ entry, attempt }) => {
      if (kit.accepts(await kit.deliverWithRetries(attempt.delivery, refusalTime))) return;
      const requirement: RequirementId = entry.accepted > 0 ? 'IDM-1' : 'RTY-1';
      const refused = await expectTakenAgain(kit, attempt.delivery, { requirement, twin, difference });
      if (refused) throw new Mistake(refused, 'refused');
    }),
  );
}

/** None took effect again because of it, unless bystanders did so too, and each has taken effect by now. */
async function judgeAgain(
  kit: ReceiverKit,
  modelState: ReceiverModelState,
  after: Aftermath,
  before: Effects,
): Promise<void> {
  const { sent, bystanders, twin } = after;
  const attempts = sent.map(({ attempt }) => attempt);
  await kit.untilEffect(idsOf(attempts));
  const effects = await settled(kit, [...attempts, ...bystanders], attempts);
  modelState.judge('IDM-1', 'IDM-2', ...(sent.some(({ entry }) => entry.accepted === 0) ? (['IDM-5'] as const) : []));
  observeRepeats(kit, bystanders, effects, difference);
  const point = { difference: `${difference}, then it was delivered again`, twin, concurrent: sent.length > 1 };
  const grown = (one: Attempt): boolean => countOf(effects, one) > Math.max(1, countOf(before, one));
  const repeated = bystanders.some(grown) ? undefined : attempts.find(grown);
  if (repeated) throw new Mistake(notOnce(kit, repeated, { ...point, requirement: 'IDM-2' }, effects), 'twice');
  const lost = await stillLost(kit, attempts, effects, twin);
  if (lost === undefined) return;
  const requirement = kit.accepts(lost.answer) ? 'RTY-1' : 'IDM-5';
  throw new Mistake(notOnce(kit, lost, { ...point, requirement }, effects), 'lost');
}

/** The numbers after the shared wait; of those that were not accepted nothing is expected, unless they are `owed`. */
function settled(kit: ReceiverKit, all: readonly Attempt[], owed: readonly Attempt[] = []): Promise<Effects> {
  return kit.effects(
    new Map(all.map((one) => [one.delivery.id, kit.accepts(one.answer) || owed.includes(one) ? 1 : 0] as const)),
  );
}

/** What has no effect, once as long has been waited as interrupted work may take to be taken up again. */
async function stillLost(
  kit: ReceiverKit,
  attempts: readonly Attempt[],
  effects: Effects,
  twin: Attempt,
): Promise<Attempt | undefined> {
  if (attempts.every((one) => countOf(effects, one) > 0)) return undefined;
  return lostOf(attempts, await recoveredEffects(kit, [twin, ...attempts], recoveryTime), twin);
}

function attemptOf(kit: ReceiverKit, { genuine }: Entry): Attempt {
  const own = kit.attempts.filter(({ delivery }) => delivery.id === genuine.id);
  const best = own.find(({ answer }) => kit.accepts(answer)) ?? own.at(-1);
  return { delivery: genuine, answer: best?.answer ?? neverSent };
}

function plain(kit: ReceiverKit): Attempt {
  return { delivery: kit.compose(kit.control), answer: neverSent };
}

const neverSent = { kind: 'broken', code: 'NEVER_SENT', ms: 0 } as const;
