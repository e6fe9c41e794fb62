import type { RequirementId } from '../../spec/names.ts';
import { type Finding, Unproven } from '../check.ts';
import type { Attempt, Delivery } from '../delivery.ts';
import type { Point } from '../finding.ts';
import { itemOf } from '../items.ts';
import type { Effects, ReceiverKit } from '../kit.ts';
import { countOf, idsOf, oneOfEach } from './counting.ts';
import { allSent, effectFinding } from './effect.ts';
import { expectAccepted } from './expectation.ts';
import { composed } from './interruption.ts';
import { worksAgain } from './worksAgain.ts';

/** Milliseconds in which most receivers take up again what an interruption stopped. */
export const recoveryTime = 10_000;

/**
 * The same where a lease has to run out first, and is looked at from time to time: BullMQ takes half a minute for each of these,
 * unless configured otherwise. So long is waited once in a run, where it is in vain.
 */
const leaseTime = 65_000;

const servesNobody =
  'It came up, and goes on refusing what it accepted before. See what an end leaves behind that it cannot go on from: a lock file or ' +
  'a lock in a database whose owner is gone, a half-written record, a migration that is marked as under way. Let locks end with ' +
  'their process (flock, advisory locks, leases that run out), and clean up at the start.';

/** A receiver that runs again after an interruption, and the plain delivery that shows it. */
export interface Revived {
  readonly twin: Attempt;
  /** Where even that was refused, or it took no effect: then nothing else can be said. */
  readonly useless?: Finding;
}

/**
 * Starts the receiver again; a plain delivery like this one must then be accepted. Waits for its effect too, where effects
 * are seen: the next case may come with an interruption of its own, which must not hit this one.
 */
export async function revived(kit: ReceiverKit, like: Attempt, difference: string): Promise<Revived> {
  await kit.processControl.start();
  const refused = await takenAfter(kit, like, { requirement: 'RTY-1', difference, hint: servesNobody });
  const twin = await acceptedAtOnce(kit, itemOf(kit.attempts, kit.attempts.length - 1));
  const useless = refused ?? (await worksAgain(kit, twin, difference));
  return { twin, ...(useless && { useless }) };
}

/**
 * What was never accepted may be refused for what it says, whatever was before it. Where the smallest notification is then
 * accepted and this one is not, the smallest one comes last, and shows that the receiver is there.
 */
async function takenAfter(kit: ReceiverKit, like: Attempt, point: Point): Promise<Finding | undefined> {
  const again = () => kit.again(like.delivery);
  if (kit.accepts(like.answer)) return expectTaken(kit, again(), point);
  if (!(await expectAccepted(kit, again(), point))) return undefined;
  const refused = await expectTaken(kit, composed(kit, null), point);
  if (refused || !(await expectAccepted(kit, again(), point))) return refused;
  return expectTaken(kit, composed(kit, null), point);
}

/** One that was refused while the receiver came up may be lost by that: another one shows what it does now. */
async function acceptedAtOnce(kit: ReceiverKit, sent: Attempt): Promise<Attempt> {
  const { length } = allSent(kit, sent);
  if (length === 1 || !kit.accepts(sent.answer)) return sent;
  for (let tried = 1; tried <= tries; tried++) {
    const delivery = kit.again(sent.delivery);
    const answer = await kit.deliver(delivery);
    if (kit.accepts(answer)) return { delivery, answer };
    await kit.pause(stillStarting);
  }
  return sent;
}

/**
 * Every one of them must have taken effect, beside a plain delivery after the restart that does. One that took effect
 * more than once is an observation: nothing was redelivered.
 *
 * @throws Unproven where the plain delivery took no effect either
 */
export async function expectKept(
  kit: ReceiverKit,
  acknowledged: readonly Attempt[],
  point: Point & { readonly twin: Attempt },
): Promise<Finding | undefined> {
  if (acknowledged.length === 0) return undefined;
  const effects = await recoveredEffects(kit, [point.twin, ...acknowledged]);
  observeRepeats(kit, acknowledged, effects, point.difference ?? '');
  const lost = lostOf(acknowledged, effects, point.twin);
  return lost && notOnce(kit, lost, point, effects);
}

/**
 * The first of them that took no effect.
 *
 * @throws Unproven where the plain delivery after the restart took none either
 */
export function lostOf(attempts: readonly Attempt[], effects: Effects, twin: Attempt): Attempt | undefined {
  const lost = attempts.find((sent) => countOf(effects, sent) === 0);
  if (lost && countOf(effects, twin) === 0) throw new Unproven('a plain delivery after it took no effect either');
  return lost;
}

/**
 * The effects of all of these, each of which should have one. What is missing is awaited as long as a recovery may take.
 *
 * @param longest - milliseconds that it may take at most
 */
export async function recoveredEffects(
  kit: ReceiverKit,
  attempts: readonly Attempt[],
  longest = leaseTime,
): Promise<Effects> {
  const expected = oneOfEach(...attempts);
  // Looked at before the shared wait as well: until that is over another case may end the receiver, and what is lost then
  // is not lost by this one.
  const soon = await kit.effectsSoFar([...expected.keys()]);
  const effects = most(soon, await kit.effects(expected));
  const missing = [...expected.keys()].filter((id) => effects.get(id) === 0);
  if (missing.length === 0) return effects;
  await kit.untilEffect(missing, longest);
  const late = await kit.effectsSoFar(missing);
  return missing.some((id) => (late.get(id) ?? 0) > 0) ? most(soon, await kit.effects(expected)) : effects;
}

/** The larger number of each. */
function most(one: Effects, other: Effects): Effects {
  return new Map([...other].map(([id, count]) => [id, Math.max(count, one.get(id) ?? 0)]));
}

/** The number of effects of one is not what it should be. It must recur: the moment of an interruption is chance. */
export function notOnce(kit: ReceiverKit, sent: Attempt, point: Point, effects: Effects): Finding {
  const { id } = sent.delivery;
  const actual = countOf(effects, sent);
  return effectFinding(point, { id, attempts: allSent(kit, sent), expected: 1, actual, absence: true });
}

/** RCV-3 asks for an effect at least once, so that a repeat by the receiver itself is worth knowing and no more. */
export function observeRepeats(
  kit: ReceiverKit,
  sent: readonly Attempt[],
  effects: Effects,
  interruption: string,
): void {
  const most = Math.max(0, ...sent.map((one) => countOf(effects, one)));
  if (most > 1)
    kit.observe('RCV-3', 'a notification takes effect again without a redelivery', `${most} effects; ${interruption}`);
}

/** Milliseconds until a receiver that refuses what is new, though it takes what it refused before, is asked again. */
const stillStarting = 500;

/** How often a receiver that has just come up, or is busy, may leave a delivery without an answer. */
const tries = 3;

/**
 * Milliseconds in which a receiver may refuse after an interruption: until it is ready, or until a lease on what it had begun runs
 * out. A service would deliver again for hours.
 */
export const refusalTime = 20_000;

/**
 * The delivery is accepted by a receiver that was down, or stood still: as {@link expectAccepted}, and more patient where
 * no answer comes in time.
 */
async function expectTaken(kit: ReceiverKit, delivery: Delivery, point: Point): Promise<Finding | undefined> {
  for (let tried = 1; ; tried++) {
    const refused = await expectAccepted(kit, delivery, point, refusalTime);
    if (!isUnanswered(refused) || tried === tries) return refused;
  }
}

/**
 * The same for a redelivery, beside a plain delivery that is accepted in time.
 *
 * @throws Unproven where none is: a receiver that is too slow for all, or refuses all, is another requirement's matter
 */
export async function expectTakenAgain(
  kit: ReceiverKit,
  delivery: Delivery,
  point: Point,
): Promise<Finding | undefined> {
  const refused = await expectAccepted(kit, delivery, point, refusalTime);
  if (!refused) return undefined;
  if (await expectTaken(kit, kit.again(delivery), point))
    throw new Unproven('a plain delivery was not accepted in time either');
  return isUnanswered(refused) ? expectTaken(kit, delivery, point) : refused;
}

function isUnanswered(refused: Finding | undefined): boolean {
  return refused?.attempts.at(-1)?.answer.kind === 'timed-out';
}

/** The plain delivery that was accepted after the restart, and what was different for all others. */
interface Beside {
  readonly twin: Attempt;
  readonly difference: string;
}

/**
 * What is delivered again is accepted, and has taken effect then: IDM-5 asks for it where the first delivery was never
 * acknowledged, RTY-1 in any case.
 *
 * @throws Unproven where the plain delivery beside it took no effect either
 */
export async function expectKeptAgain(
  kit: ReceiverKit,
  attempts: readonly Attempt[],
  beside: Beside,
): Promise<Finding | undefined> {
  const point = { ...beside, concurrent: attempts.length > 1 };
  const refused = await redelivered(kit, attempts, (sent) => ({ ...point, requirement: refusalBreaks(kit, sent) }));
  if (refused) return refused;
  await kit.untilEffect(idsOf(attempts));
  const effects = await recoveredEffects(kit, [beside.twin, ...attempts]);
  const lost = lostOf(attempts, effects, beside.twin);
  return lost && notOnce(kit, lost, { ...point, requirement: lossBreaks(kit, lost) }, effects);
}

/** What is delivered again, and what is not. */
interface Repeatable {
  readonly attempts: readonly Attempt[];
  readonly bystanders: readonly Attempt[];
  /** The effects of all of them, where they were counted when nothing more could come. Default: they are counted now. */
  readonly before?: Effects;
}

/**
 * What is delivered again takes no second effect because of that: effects are counted before and after, and so are
 * those of bystanders, which nobody delivers again.
 *
 * @throws Unproven where those of a bystander grew too (a queue may work on something twice), and where nothing was accepted
 */
export async function expectOnceAgain(
  kit: ReceiverKit,
  { attempts, bystanders, before: known }: Repeatable,
  beside: Beside,
): Promise<Finding | undefined> {
  const all = [...attempts, ...bystanders];
  const before = known ?? (await (kit.isAgain ? kit.effects(atLeast(kit, all)) : effectsInThisLife(kit, all)));
  const answers = await Promise.all(attempts.map(({ delivery }) => kit.deliverWithRetries(delivery, refusalTime)));
  if (!answers.some((answer) => kit.accepts(answer))) throw new Unproven('no redelivery was accepted');
  await kit.untilEffect(idsOf(attempts));
  const after = await kit.effects(atLeast(kit, all));
  observeRepeats(kit, bystanders, after, beside.difference);
  const grown = (sent: Attempt) => countOf(after, sent) > Math.max(1, countOf(before, sent));
  const repeated = attempts.find(grown);
  if (!repeated) return undefined;
  if (bystanders.some(grown)) throw new Unproven('what was not delivered again took effect again as well');
  return notOnce(kit, repeated, { ...beside, requirement: 'IDM-2', concurrent: all.length > 3 }, after);
}

/**
 * The effects so far, once each that was accepted has one. The wait that all cases share would outlast this start of the receiver:
 * other cases end it meanwhile, and the next start may set right what this one got wrong. What grows later by itself is told apart
 * where the case is tried again.
 */
async function effectsInThisLife(kit: ReceiverKit, attempts: readonly Attempt[]): Promise<Effects> {
  await kit.untilEffect(idsOf(attempts.filter(({ answer }) => kit.accepts(answer))));
  return kit.effectsSoFar(idsOf(attempts));
}

/** Delivers all of them again, at the same time. The first that stays refused is the finding. */
async function redelivered(
  kit: ReceiverKit,
  attempts: readonly Attempt[],
  pointOf: (sent: Attempt) => Point,
): Promise<Finding | undefined> {
  const findings = await Promise.all(attempts.map((sent) => expectTakenAgain(kit, sent.delivery, pointOf(sent))));
  return findings.find((found) => found !== undefined);
}

/** Nothing is expected of what was not acknowledged: it may have arrived or not. */
function atLeast(kit: ReceiverKit, attempts: readonly Attempt[]): Effects {
  return new Map(attempts.map(({ delivery, answer }) => [delivery.id, kit.accepts(answer) ? 1 : 0]));
}

function refusalBreaks(kit: ReceiverKit, { answer }: Attempt): RequirementId {
  return kit.accepts(answer) ? 'IDM-1' : 'RTY-1';
}

function lossBreaks(kit: ReceiverKit, { answer }: Attempt): RequirementId {
  return kit.accepts(answer) ? 'RTY-1' : 'IDM-5';
}
