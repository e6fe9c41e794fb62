import { Unproven } from '../../check.ts';
import type { Attempt } from '../../delivery.ts';
import type { Effects, ReceiverKit } from '../../kit.ts';
import { recoveredEffects, recoveryTime } from '../../receiver/aftermath.ts';
import { countOf as effectsOf, oneOfEach } from '../../receiver/counting.ts';
import { type Counted, effectFinding } from '../../receiver/effect.ts';
import type { Point } from '../../finding.ts';
import { acceptedTwin } from '../../receiver/expectation.ts';
import { unlikeBefore } from '../../receiver/unlikeBefore.ts';
import { historyOf, Mistake } from './mistake.ts';
import type { Entry, ReceiverModelState } from './receiverModelState.ts';
import type { FuzzStep } from '../fuzzing.ts';
import { written, type Writing } from './making.ts';
import type { RequirementId } from '../../../spec/names.ts';

/** How many effects an id must have. */
interface Owed {
  readonly entry: Entry;
  readonly least: 0 | 1;
  readonly most: 0 | 1;
}

/**
 * Judges the effects of all that a sequence sent: what was acknowledged took effect once, what was never genuine did not.
 * Without a probe nothing is judged, and neither are events whose plain delivery showed no effect.
 *
 * @throws Mistake; Unproven where an effect is missing, or there twice, for another reason than the sequence
 */
export async function judgeEffects(
  kit: ReceiverKit,
  modelState: ReceiverModelState,
  playAgain: PlayAgain,
): Promise<void> {
  const owed = modelState.entries.filter((entry) => isJudged(kit, entry)).map(owedTo);
  const strangers = modelState.strangers.filter(({ delivery }) => kit.isEffective(delivery.event));
  if (!kit.probed || owed.length + strangers.length === 0) return;
  const effects = await counted(kit, modelState, owed, strangers);
  for (const one of owed) judgedByEffect(modelState, one.entry);
  const stranger = strangers.find((sent) => effectsOf(effects, sent) > 0);
  if (stranger) throw new Mistake(effectOf(stranger, effectsOf(effects, stranger)), 'took effect');
  const over = owed.find(({ entry, most }) => countOf(effects, entry) > most);
  if (over && over.most === 0) throw undue(kit, modelState, over.entry, effects);
  if (over) throw await tooMany(kit, modelState, over.entry, { effects, playAgain });
  const lost = owed.find(({ entry, least }) => countOf(effects, entry) < least);
  if (lost) throw await missing(kit, modelState, lost.entry, effects);
}

function isJudged(kit: ReceiverKit, { genuine, begun, forged, spoilt }: Entry): boolean {
  return kit.isEffective(genuine.event) && (begun || forged > 0 || spoilt > 0);
}

function owedTo(entry: Entry): Owed {
  const { accepted, expected, begun, whole } = entry;
  return { entry, least: accepted > 0 || (expected && begun) ? 1 : 0, most: whole > 0 ? 1 : 0 };
}

async function counted(
  kit: ReceiverKit,
  { interruptions, bystanders }: ReceiverModelState,
  owed: readonly Owed[],
  strangers: readonly Attempt[],
): Promise<Effects> {
  const sent = owed.filter(({ least }) => least === 1).map(({ entry }) => ({ delivery: entry.genuine }) as Attempt);
  if (interruptions.length > 0 && sent.length > 0) await recoveredEffects(kit, sent, recoveryTime);
  const none = [...strangers, ...bystanders].map(({ delivery }) => [delivery.id, 0] as const);
  return kit.effects(new Map([...none, ...owed.map(({ entry, least }) => [entry.genuine.id, least] as const)]));
}

function judgedByEffect(modelState: ReceiverModelState, entry: Entry): void {
  const { whole, concurrent, failed, forged, forbidden, spoilt } = entry;
  if (modelState.interruptions.length > 0) modelState.judge('RTY-1');
  if (whole > 1) modelState.judge('IDM-2', 'RTY-1');
  if (concurrent) modelState.judge('IDM-3');
  if (modelState.entries.length > 1 || isRepeated(modelState, entry)) modelState.judge('IDM-4');
  if (whole > 0 && failed > 0) modelState.judge('IDM-5', 'RTY-1');
  if (forged > 0) modelState.judge('VRF-2', forbidden ?? 'VRF-2');
  if (spoilt > 0) modelState.judge('ROB-1');
  modelState.judge('RCV-1', 'RCV-2');
}

/** The most certain mistake: an effect of what was never delivered as it should be. */
function undue(kit: ReceiverKit, modelState: ReceiverModelState, entry: Entry, effects: Effects): Mistake {
  const requirement = entry.forged > 0 ? (entry.forbidden ?? 'VRF-2') : 'ROB-1';
  const difference = entry.forged > 0 ? 'it was never delivered but forged' : 'its body was spoilt';
  const seen = { expected: 0, actual: countOf(effects, entry) } as const;
  return new Mistake(counting(kit, modelState, entry, { requirement, difference }, seen), 'took effect');
}

/** An effect that nobody can have missed. After a pause it must recur like an absence. */
async function tooMany(
  kit: ReceiverKit,
  modelState: ReceiverModelState,
  entry: Entry,
  { effects, playAgain }: { readonly effects: Effects; readonly playAgain: PlayAgain },
): Promise<Mistake> {
  const actual = countOf(effects, entry);
  const absence = modelState.interruptions.length > 0;
  if (absence && modelState.bystanders.some((sent) => effectsOf(effects, sent) > 1))
    throw new Unproven('what was delivered only once took effect twice as well');
  const concurrent = await isByCopies(kit, modelState, entry, playAgain);
  const requirement: RequirementId = concurrent ? 'IDM-3' : 'IDM-2';
  const difference = concurrent ? 'copies of it at the same time' : 'it was delivered more than once';
  const point = { requirement, difference, concurrent };
  return new Mistake(counting(kit, modelState, entry, point, { expected: 1, actual, absence }), 'twice');
}

async function missing(
  kit: ReceiverKit,
  modelState: ReceiverModelState,
  entry: Entry,
  effects: Effects,
): Promise<Mistake> {
  const point = await whyLost(kit, modelState, entry);
  const actual = countOf(effects, entry);
  return new Mistake(counting(kit, modelState, entry, point, { expected: 1, actual, absence: true }), 'lost');
}

function counting(
  kit: ReceiverKit,
  modelState: ReceiverModelState,
  entry: Entry,
  point: Point,
  seen: Omit<Counted, 'id' | 'attempts'>,
) {
  return effectFinding(point, { id: entry.genuine.id, attempts: historyOf(kit, modelState, entry), ...seen });
}

function effectOf(stranger: Attempt, actual: number) {
  const point = { requirement: 'VRF-3', difference: 'another id than the one that was signed' } as const;
  return effectFinding(point, { id: stranger.delivery.id, attempts: [stranger], expected: 0, actual });
}

function countOf(effects: Effects, { genuine }: Entry): number {
  return effectsOf(effects, { delivery: genuine });
}

/** Plays steps with fresh ids, and nothing after them. */
type PlayAgain = (steps: readonly FuzzStep[]) => Promise<ReceiverModelState>;

/**
 * Whether it was copies at the same time that gave a notification more than one effect, and not a delivery that came later:
 * nothing else of it was sent, or it has two effects as soon as the step is over in which the copies were.
 */
async function isByCopies(
  kit: ReceiverKit,
  modelState: ReceiverModelState,
  entry: Entry,
  playAgain: PlayAgain,
): Promise<boolean> {
  if (!entry.concurrent) return false;
  const { id } = entry.genuine;
  const together = modelState.played[entry.concurrentAfter]?.attempts ?? [];
  const own = kit.attempts.filter(({ delivery }) => delivery.id === id);
  if (own.every((attempt) => together.includes(attempt))) return true;
  // To end the receiver again would be another sequence.
  if (modelState.interruptions.length > 0) return false;
  const steps = modelState.played.slice(0, entry.concurrentAfter + 1).map(({ step }) => step);
  return (await effectsAfter(kit, steps, modelState.entries.indexOf(entry), playAgain)) > 1;
}

/** The effects of a notification right after these steps; none where they cannot be played again. */
async function effectsAfter(
  kit: ReceiverKit,
  steps: readonly FuzzStep[],
  place: number,
  playAgain: PlayAgain,
): Promise<number> {
  try {
    const { entries } = await playAgain(steps);
    const id = entries[place]?.genuine.id;
    if (id === undefined) return 0;
    return (await kit.effects(new Map([[id, 1]]))).get(id) ?? 0;
  } catch (error) {
    if (error instanceof Mistake || error instanceof Unproven) return 0;
    throw error;
  }
}

/**
 * Why an acknowledged notification took no effect, by neighbours that do: the same under another id, the same from another
 * time, then the plain one of its event.
 *
 * @throws Unproven where a neighbour is not accepted
 */
async function whyLost(kit: ReceiverKit, modelState: ReceiverModelState, entry: Entry): Promise<Point> {
  const { writing } = entry;
  const plain: Writing = { notification: kit.plain(writing.notification), plain: true };
  const same = await effective(kit, writing);
  if (same) return { ...byHistory(modelState, entry), twin: same, concurrent: entry.concurrent };
  const alike = {
    requirement: 'IDM-4' as const,
    difference: 'the time and the ids in the body: all else was there under another id before',
  };
  const unlike = (each: Writing) => effective(kit, { ...each, notification: unlikeBefore(kit, each.notification) });
  const other = isRepeated(modelState, entry) && (await unlike(writing));
  if (other) return { ...alike, twin: other };
  const plainer = await effective(kit, plain);
  if (plainer) return { requirement: 'RCV-2', difference: 'what the body says, and how it is spelt', twin: plainer };
  const last = await unlike(plain);
  return last ? { ...alike, twin: last } : { requirement: 'RTY-1', difference: 'nothing takes effect any more' };
}

/** Whether something else said the same before: of plain notifications each run has sent some. */
function isRepeated({ entries }: ReceiverModelState, { writing, genuine }: Entry): boolean {
  const { notification, plain } = writing;
  return plain || entries.some((other) => other.genuine !== genuine && other.writing.notification === notification);
}

function byHistory({ interruptions, entries }: ReceiverModelState, entry: Entry): Point {
  const { forged, concurrent, failed, near, whole } = entry;
  if (interruptions.length > 0) return { requirement: 'RTY-1', difference: 'the receiver stood still meanwhile' };
  if (forged > 0) return { requirement: 'VRF-2', difference: 'a forged delivery of the same id beside it' };
  if (near) return { requirement: 'IDM-4', difference: 'its id is near to that of another notification' };
  if (concurrent) return { requirement: 'IDM-3', difference: 'copies of it at the same time' };
  if (failed > 0) return { requirement: 'IDM-5', difference: 'an earlier delivery of it failed' };
  if (whole > 1) return { requirement: 'RTY-1', difference: 'it was delivered more than once' };
  const difference = entries.length > 1 ? 'another notification beside it' : 'another id, a moment later';
  return { requirement: 'IDM-4', difference };
}

/** A fresh delivery of it that takes effect; nothing where it takes none. */
async function effective(kit: ReceiverKit, writing: Writing): Promise<Attempt | undefined> {
  const twin = await acceptedTwin(kit, written(kit, writing));
  return effectsOf(await kit.effects(oneOfEach(twin)), twin) > 0 ? twin : undefined;
}
