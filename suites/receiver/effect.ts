import { type Finding, Undecidable, Unproven } from '../check.ts';
import type { Attempt, Delivery } from '../delivery.ts';
import { finding, type Point } from '../finding.ts';
import { counted, itemOf } from '../items.ts';
import type { Effects, ReceiverKit } from '../kit.ts';
import { countOf, effectsInWords, mixedUpHint, oneOfEach, idsOf } from './counting.ts';
import { attemptsOf, notAccepted } from './expectation.ts';
import { overOwnConnection } from './onWire.ts';

/** What must be true of the effects of some deliveries: none at all, exactly one, at least one, or at most one. */
export interface EffectClaim {
  readonly attempts: readonly Attempt[];
  /** `still`: what is too often is so not because of what the case did, for any redelivery may take effect again. */
  readonly claim: 'none' | 'once' | 'still once' | 'not lost' | 'not repeated' | 'still not repeated';
  readonly point: Point;
  /** True where each had taken effect before the case did anything else. Default false. */
  readonly isDone?: boolean;
}

/**
 * Judges all claims of a case after one shared wait. Only events whose plain delivery showed exactly one effect are
 * judged, and nothing is without a probe.
 *
 * An effect that is missing counts only where plain deliveries of the same content under other ids do take effect, all of
 * them: otherwise it is missing for another reason than the case's.
 *
 * @returns the first claim that does not hold
 * @throws Unproven where an effect is missing for another reason
 */
export async function expectEffects(kit: ReceiverKit, ...claims: readonly EffectClaim[]): Promise<Finding | undefined> {
  const judged = claims.flatMap(({ attempts, ...rest }) =>
    attempts.filter((sent) => isJudged(kit, sent)).map((sent) => ({ ...rest, sent })),
  );
  if (judged.length === 0) return undefined;
  const expected = new Map(judged.map(({ sent, claim }) => [sent.delivery.id, claim === 'none' ? 0 : 1]));
  await demandAnyEffect(kit, expected);
  const effects = await kit.effects(expected);
  const mixedUp = mixedUpHint(
    effects,
    judged.filter(({ claim }) => claim !== 'none').map((each) => each.sent),
  );
  for (const { sent, claim, point, isDone } of judged) {
    const count = countOf(effects, sent);
    if (count > (claim === 'none' ? 0 : claim === 'not lost' ? Infinity : 1)) {
      const isStill = claim === 'still once' || claim === 'still not repeated';
      if (isStill && (await isRepeatedAnyway(kit, sent))) continue;
      const found = countFinding(kit, sent, point, effects, claim);
      if (isStill) return { ...found, absence: true, ...mixedUp };
      return claim === 'none' ? found : { ...(await perhapsByItself(kit, found)), ...mixedUp };
    }
    if (count === 0 && !['none', 'not repeated', 'still not repeated'].includes(claim)) {
      const twin = await (claim === 'not lost' ? anyEffectiveTwin : effectiveTwin)(kit, sent.delivery);
      await demandStillLost(kit, sent);
      const found = countFinding(kit, sent, { ...point, twin, ...mixedUp }, effects, 'once');
      return { ...found, ...(isDone === true && undone), absence: true };
    }
  }
  const unseen = judged.filter(({ claim }) => claim === 'not repeated');
  if (unseen.length > 0 && unseen.every(({ sent }) => countOf(effects, sent) === 0)) {
    throw new Unproven('none of the deliveries took effect');
  }
  return undefined;
}

const undone = {
  expected: 'the effect that was there before is still there',
  actual: 'no effect: the one that was there before is gone',
};

/**
 * A delivery takes effect like its twin, which differs from it in one thing. Nothing is judged without a probe.
 *
 * @throws Unproven where the twin alone took no effect, or one of others like it took none
 */
export async function expectEffectBeside(
  kit: ReceiverKit,
  twin: Attempt,
  sent: Attempt,
  point: Point,
): Promise<Finding | undefined> {
  if (!isJudged(kit, sent)) return undefined;
  const expected = oneOfEach(twin, sent);
  await demandAnyEffect(kit, expected);
  const effects = await kit.effects(expected);
  const isTwinLost = countOf(effects, twin) === 0;
  if (countOf(effects, sent) !== 0) {
    if (isTwinLost) throw new Unproven('the plain delivery beside it took no effect');
    return undefined;
  }
  await effectiveTwin(kit, twin.delivery);
  await demandStillLost(kit, sent);
  const found = countFinding(kit, sent, { twin, ...point }, effects, 'once');
  const actual = isTwinLost ? `${found.actual}, nor of the plain delivery before it` : found.actual;
  return { ...found, actual, absence: true };
}

/** So often is a plain delivery sent again: a receiver of several processes may forget an id in one of them, or seldom. */
const redeliveries = 20;

/**
 * Whether a plain delivery of the same content takes effect again when it is delivered again, on the same connections and on
 * others: each may lead to another process.
 */
async function isRepeatedAnyway(kit: ReceiverKit, { delivery }: Attempt): Promise<boolean> {
  const plain = kit.again(delivery);
  await kit.deliverWithRetries(plain);
  for (let sent = 0; sent < redeliveries; sent++) {
    await kit.deliverWithRetries(sent % 2 === 0 ? plain : overOwnConnection(plain));
  }
  const sent = { delivery: plain };
  return countOf(await kit.effects(oneOfEach(sent)), sent) > 1;
}

/**
 * So many plain deliveries must all take effect before a case counts as the cause of a loss: of a receiver that loses one in
 * twenty, whatever comes, about two cases in three find a plain one among them that is lost as well, and a case must recur. They
 * fill no whole number of batches of 5, 10 or 20, of which some receivers lose what is left over.
 */
const plainTwins = 23;

/** So many of them go first, over both kinds of connection: where these are lost, the others would show nothing more. */
const firstTwins = 2;

/**
 * A plain delivery of the same content that took effect, one of many that all did.
 *
 * @throws Unproven where one of them was not accepted, or took no effect: then the loss has another cause than the case
 */
async function effectiveTwin(kit: ReceiverKit, delivery: Delivery): Promise<Attempt> {
  const first = await plainTwinsOf(kit, delivery, firstTwins);
  const isAllLost = first.every(({ isEffective }) => !isEffective);
  const others = isAllLost ? [] : await plainTwinsOf(kit, delivery, plainTwins - firstTwins);
  const twins = [...first, ...others];
  const lost = twins.length - twins.filter(({ isEffective }) => isEffective).length;
  if (lost > 0) throw lostAnyway(kit, lost, twins.length);
  return itemOf(twins, 0).sent;
}

/** So many more are sent at once where the first one is lost as well. */
const further = 8;

/**
 * One that took effect, where the loss itself is what is wrong, whatever brought it about: what was before it had its turn.
 *
 * @throws Unproven where none of some took effect
 */
async function anyEffectiveTwin(kit: ReceiverKit, delivery: Delivery): Promise<Attempt> {
  const first = await plainTwinsOf(kit, delivery, 1);
  const twins = itemOf(first, 0).isEffective ? first : await plainTwinsOf(kit, delivery, further);
  const effective = twins.find(({ isEffective }) => isEffective);
  if (effective === undefined) throw lostAnyway(kit, twins.length, twins.length);
  return effective.sent;
}

/** @throws Unproven where it had to wait for what was delivered after it, as where effects are written several at a time */
async function demandStillLost(kit: ReceiverKit, sent: Attempt): Promise<void> {
  if (countOf(await kit.effectsSoFar([sent.delivery.id]), sent) > 0)
    throw new Unproven('what was missing took effect after what was delivered later');
}

interface PlainTwin {
  readonly sent: Attempt;
  readonly isEffective: boolean;
}

/** @throws Unproven where one of them was not accepted */
async function plainTwinsOf(kit: ReceiverKit, delivery: Delivery, many: number): Promise<readonly PlainTwin[]> {
  const twins = Array.from({ length: many }, () => kit.again(delivery));
  // Some of what is judged came over a connection of its own.
  const sent = twins.map((twin, place) => (place % 2 === 0 ? twin : overOwnConnection(twin)));
  const answers = await Promise.all(sent.map((twin) => kit.deliverWithRetries(twin)));
  const refused = answers.find((answer) => !kit.accepts(answer));
  if (refused) throw notAccepted(refused);
  const effects = await kit.effects(new Map(twins.map(({ id }) => [id, 1])), true);
  if (twins.some(({ id }) => (effects.get(id) ?? 0) > 0)) kit.beginning.lostAnyway.length = 0;
  return attemptsOf(twins, answers).map((twin) => ({ sent: twin, isEffective: countOf(effects, twin) > 0 }));
}

/** The part of plain deliveries that are lost from which on no further try can find all of them effective. */
const often = 1 / 3;

/** Where all are lost, it may have stood still for a moment. So many moments, at least so many milliseconds apart, are no chance. */
const lostForGood = { moments: 3, apart: 1000 } as const;

/**
 * Where plain deliveries took no effect any more at several moments, only what comes soon is awaited: what must not come has
 * nothing to be compared with. Once anything takes effect again, all is awaited as before.
 *
 * @throws Undecidable where nothing comes of what is expected
 */
async function demandAnyEffect(kit: ReceiverKit, expected: ReadonlyMap<string, number>): Promise<void> {
  const { lostAnyway: moments } = kit.beginning;
  if (moments.length < lostForGood.moments || ![...expected.values()].some((count) => count > 0)) return;
  const soon = await kit.effects(expected, true);
  const effective = [...soon].filter(([, count]) => count > 0);
  if (effective.length === 0) throw new Undecidable(nothingWorks, { doubts: ['RTY-1'] });
  // Those of the beginning took effect before anything was lost.
  const early = new Set(idsOf(kit.beginning.attempts));
  if (effective.some(([id]) => !early.has(id))) moments.length = 0;
}

const nothingWorks = `plain deliveries had taken no effect any more at ${lostForGood.moments} moments, and what was sent now took none either`;

function lostAnyway(kit: ReceiverKit, lost: number, many: number): Unproven {
  const why = `${lost} of ${counted(many, 'plain delivery', 'plain deliveries')} of the same content took no effect either`;
  // They were accepted, so that it is about what a receiver keeps of what it accepts (section 4.4).
  const doubts = ['RTY-1'] as const;
  const isHopeless = lost < many ? lost >= often * many : isLostForGood(kit);
  return isHopeless ? new Undecidable(why, { doubts }) : new Unproven(why, { doubts });
}

function isLostForGood(kit: ReceiverKit): boolean {
  const moments = kit.beginning.lostAnyway;
  const now = kit.elapsed();
  if (now - (moments.at(-1) ?? -Infinity) >= lostForGood.apart) moments.push(now);
  return moments.length >= lostForGood.moments;
}

function countFinding(
  kit: ReceiverKit,
  sent: Attempt,
  point: Point,
  effects: Effects,
  claim: EffectClaim['claim'],
): Finding {
  const { id } = sent.delivery;
  const actual = countOf(effects, sent);
  return effectFinding(point, { id, attempts: allSent(kit, sent), expected: claim === 'none' ? 0 : 1, actual });
}

/** How often a notification took effect, and how often it should have. */
export interface Counted {
  readonly id: string;
  /** What shows it, the decisive attempt last. */
  readonly attempts: readonly Attempt[];
  readonly expected: 0 | 1;
  readonly actual: number;
  /** Whether it must recur. Default: it counts at once. */
  readonly absence?: boolean;
}

/** That a notification took effect another number of times than it should. */
export function effectFinding(point: Point, { id, attempts, expected, actual, absence = false }: Counted): Finding {
  const isUnsent = expected === 1 && actual > attempts.length;
  return finding(isUnsent ? { ...point, hint: moreThanSent } : point, {
    attempts,
    expected: expected === 0 ? 'no effect' : 'exactly one effect',
    actual: effectsInWords(actual),
    absence,
    effects: [{ id, expected, actual }],
  });
}

function isJudged(kit: ReceiverKit, { delivery }: Attempt): boolean {
  return kit.probed && kit.isEffective(delivery.event);
}

/** All attempts of this case that carried the id, in the order sent. */
export function allSent(kit: ReceiverKit, sent: Attempt): readonly Attempt[] {
  const attempts = kit.attempts.filter(({ delivery }) => delivery.id === sent.delivery.id);
  return attempts.length > 0 ? attempts : [sent];
}

/** Notifications that are looked at: a probe may be asked for each by itself. */
const looked = 5;

/** Deduplication alone cannot bring these about. */
const moreThanSent =
  'It took effect more often than it was delivered. Either its work is done again by itself (by a timer, or by a job that is tried ' +
  'again), or that of others is done under its id: keep the notification of a request in variables of that request, not in a ' +
  'global one or in a member of an object that all requests share.';

const alsoOnce =
  'What was delivered once takes effect again as well, so redeliveries are not what brings it about: a job is tried again though its work ' +
  'is done, for a later step of it fails, or a timer or a lease takes up what is finished. Mark a notification as done in the ' +
  'transaction that does its work, and put an end to what fails again and again.';

/** The finding that something took effect too often, in words that fit where what nobody delivered again did so as well. */
async function perhapsByItself(kit: ReceiverKit, found: Finding): Promise<Finding> {
  if (found.hint === moreThanSent) return found;
  const redelivered = kit.beginning.redelivered();
  const once = kit.beginning.attempts.filter(({ delivery }) => !redelivered.has(delivery.id)).slice(0, looked);
  if (once.length === 0) return found;
  const effects = await kit.effectsSoFar(idsOf(once));
  const again = once.find((sent) => countOf(effects, sent) > 1);
  if (again === undefined) return found;
  const also = `what was delivered once, at the beginning of the run, has had ${effectsInWords(countOf(effects, again))} as well`;
  return { ...found, actual: `${found.actual}; ${also}`, hint: alsoOnce };
}
