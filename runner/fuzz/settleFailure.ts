import type { FuzzFailed } from '../../reports/model/events.ts';
import { besideOthers, isDeath } from './culprit.ts';
import { confirmProgram, type Confirmed, inLane } from './confirmProgram.ts';
import { isNoise, lostShare } from './lookout.ts';
import {
  type Failures,
  type FailureSort,
  type RawFailure,
  type Settling,
  type Shrunk,
  tellFailure,
} from './failures.ts';
import type { FuzzFound, FuzzTarget } from './fuzzTarget.ts';
import { kindsOf, type Program, stepsOf } from './gene.ts';
import { shrinkProgram } from './shrinkProgram.ts';
import type { Failing } from './simplerProgram.ts';
import type { Trial } from '../engine/trial.ts';
import { strictest } from '../engine/checkEnd.ts';

/** What distinguishes it from others. */
export function sortOf<F extends FuzzFound>({ requirement, finding, program }: RawFailure<F>): FailureSort {
  return { requirement, cause: finding.cause, kinds: kindsOf(program) };
}

/** The same, and what counts as the same sort of mistake. */
interface Settled<F> extends Settling<F> {
  readonly isLike: (finding: F) => boolean;
}

/** Candidates that are tried at once: side by side, one after the other, and where each has to wait by itself. */
const widths = { beside: 96, alone: 48, few: 2 } as const;

/** How much of the time the first search for a smaller one may take. */
const firstShare = 0.6;

/** The share of tries from which on a positive fact counts as one that recurs. */
const often = 0.7;

/** What the run left no time for. */
const untried = { failed: 0, tries: 0, requests: 0 } as const;

/** How often candidates are played again where nobody knows how any of them ends. */
const repetitions = 3;

/** How often each candidate is played where some failed by chance. */
const copies = 3;

/**
 * Shrinks a failure, tries it again, and puts it into words.
 *
 * @returns what to report; nothing where it is known, or the run ended before anything could be said
 */
export async function settleFailure<F extends FuzzFound>(
  target: FuzzTarget<F>,
  failures: Failures,
  raw: RawFailure<F>,
  how: Settling<F>,
): Promise<Omit<FuzzFailed, 'ms' | 'type'> | undefined> {
  const { absence } = raw.finding;
  const settling = { ...how, isLike: likenessTo(target, raw, how.requirementOf) };
  if (target.ended.aborted)
    return tellFailure(target, failures, raw, { ...raw, cut: true, confirmed: untried }, settling);
  // Once the run has ended there is nobody left to ask.
  const lost = absence ? await (failures.lostShare ??= lostShare(target)) : 0;
  // What may have been chance is not worth shrinking before it came again.
  const before = absence && !raw.recurred ? await recurring(target, raw, settling) : undefined;
  const small = before?.failed === 0 ? { ...raw, confirmed: before } : await smallest(target, raw, settling);
  const best = lost > 0 && isNoise(small, lost) ? await triedOften(target, small, settling) : small;
  if (best.confirmed.failed > 0 || target.ended.aborted)
    return tellFailure(target, failures, raw, best, { ...settling, isNoise: isNoise(best, lost) });
  const together = await failingBeside(target, raw, settling);
  const first = absence ? (before ?? (await recurring(target, raw, settling))) : undefined;
  const last = together ?? (first ? { ...raw, confirmed: first } : best);
  return tellFailure(target, failures, raw, last, { ...settling, isNoise: isNoise(last, lost) });
}

/** Tries a failure more often that might be the noise of the target: one that comes each time then is none. */
async function triedOften<F extends FuzzFound>(
  target: FuzzTarget<F>,
  small: Shrunk<F>,
  { until, isLike }: Settled<F>,
): Promise<Shrunk<F>> {
  const { confirmed: before, program } = small;
  if (before.failed < before.tries || target.elapsed() >= until) return small;
  const again = await confirmProgram(target, program, isLike, { hopeful: false });
  const confirmed = { ...again, failed: before.failed + again.failed, tries: before.tries + again.tries };
  return { ...small, confirmed };
}

/** What fails only while others of its batch are played; nothing where it does not fail again there either. */
async function failingBeside<F extends FuzzFound>(
  target: FuzzTarget<F>,
  raw: RawFailure<F>,
  { batch, until, isLike }: Settled<F>,
): Promise<Shrunk<F> | undefined> {
  if (raw.alone || batch.length < 2 || target.ended.aborted) return undefined;
  const together = await besideOthers(target, batch, isLike, {
    absence: raw.finding.absence,
    goesOn: () => !target.ended.aborted && target.elapsed() < until,
  });
  if (together === undefined || together.failed === 0) return undefined;
  const { program, beside, finding, failed, tries } = together;
  return { program, beside, finding, confirmed: { failed, tries, requests: 0, finding } };
}

/** The smallest one that was found in the time that there is, and how often it fails. */
async function smallest<F extends FuzzFound>(
  target: FuzzTarget<F>,
  raw: RawFailure<F>,
  { until, isLike }: Settled<F>,
): Promise<Shrunk<F>> {
  const soon = target.elapsed() + (until - target.elapsed()) * firstShare;
  const hasTime = (end = until): boolean => !target.ended.aborted && target.elapsed() < end;
  const isChancy = !raw.finding.absence && !(await failsEachTime(target, raw, isLike));
  const once = { alone: raw.alone, times: 1, needed: 1, insists: isChancy, isLike, goesOn: () => hasTime(soon) };
  const quick = await shrunk(target, raw, once);
  if (isSure(quick) || !hasTime()) return quick;
  // Some smaller ones fail by chance only, or because of what goes on beside them: then the same is done with more care.
  const { absence } = raw.finding;
  const alone = raw.alone || raw.recurred;
  const repeated = { times: copies, needed: absence ? copies : copies - 1, insists: false };
  // Where waits are not shared there is no time for copies as well.
  const single = { times: 1, needed: 1, insists: isChancy };
  const careful = { alone, ...(alone && !target.sharesWaits ? single : repeated), isLike, goesOn: () => hasTime() };
  const sure = await shrunk(target, absence || shareOf(quick) === 0 ? raw : { ...raw, ...quick }, careful);
  return shareOf(sure) >= shareOf(quick) ? sure : quick;
}

/** Whether copies of it all fail in the same way. */
async function failsEachTime<F extends FuzzFound>(
  target: FuzzTarget<F>,
  raw: RawFailure<F>,
  isLike: Settled<F>['isLike'],
): Promise<boolean> {
  const all = Array.from({ length: copies }, () => raw.program);
  const once = {
    alone: raw.alone,
    times: 1,
    needed: 1,
    insists: false,
    isLike,
    goesOn: () => true,
    leave: () => undefined,
  };
  return (await played(target, all, raw, once)).every((failing) => failing !== undefined);
}

/** How smaller candidates are tried. */
interface Manner<F> extends Pick<Settled<F>, 'isLike'> {
  readonly alone: boolean;
  /** How often each is played. */
  readonly times: number;
  /** How often it has to fail. */
  readonly needed: number;
  /** Whether candidates that all hold are tried twice more, for they may have held by chance. */
  readonly insists: boolean;
  goesOn(): boolean;
  /** Called for candidates of which nobody knows how they end. */
  leave(): void;
}

async function shrunk<F extends FuzzFound>(
  target: FuzzTarget<F>,
  raw: RawFailure<F>,
  manner: Omit<Manner<F>, 'leave'>,
): Promise<Shrunk<F>> {
  const beside = target.sharesWaits ? widths.beside : target.first * 2;
  const inTurn = target.sharesWaits ? widths.alone : widths.few;
  const most = raw.alone ? widths.few : manner.alone ? inTurn : beside;
  let isLeft = false;
  const known = { ...manner, leave: () => void (isLeft = true) };
  const failing = await shrinkProgram<F>(raw, {
    width: Math.max(1, Math.floor(most / manner.times)),
    goesOn: () => manner.goesOn(),
    plainer: (step) => target.model.plainer?.(step) ?? [],
    play: async (candidates) => {
      const failed = await insistently(target, candidates, raw, known);
      // What was left is tried again as part of something smaller.
      if (failed.some((each) => each !== undefined)) isLeft = false;
      return failed;
    },
  });
  const goesOn = (): boolean => manner.goesOn();
  const watched = isDeath(raw.finding);
  const confirmed = await confirmProgram(target, failing.program, manner.isLike, { hopeful: true, goesOn, watched });
  return { ...failing, cut: failing.cut || isLeft, confirmed };
}

/** How often it fails as it was found. */
function recurring<F extends FuzzFound>(
  target: FuzzTarget<F>,
  raw: RawFailure<F>,
  { isLike }: Settled<F>,
): Promise<Confirmed<F>> {
  const { program, recurred: hopeful } = raw;
  const how = { hopeful, once: true, watched: isDeath(raw.finding) };
  return confirmProgram(target, program, isLike, how);
}

/** What is a fact whenever it is seen need not be seen each time. */
function isSure<F extends FuzzFound>(shrunk: Shrunk<F>): boolean {
  return shareOf(shrunk) >= (shrunk.finding.absence ? 1 : often);
}

function shareOf<F>({ confirmed: { failed, tries } }: Shrunk<F>): number {
  return tries === 0 ? 0 : failed / tries;
}

async function insistently<F extends FuzzFound>(
  target: FuzzTarget<F>,
  candidates: readonly Program[],
  raw: RawFailure<F>,
  manner: Manner<F>,
): Promise<readonly (Failing<F> | undefined)[]> {
  const first = await played(target, candidates, raw, manner);
  if (!manner.insists || first.some((failing) => failing !== undefined)) return first;
  return played(target, candidates, raw, { ...manner, times: 2 });
}

async function played<F extends FuzzFound>(
  target: FuzzTarget<F>,
  candidates: readonly Program[],
  raw: RawFailure<F>,
  manner: Manner<F>,
  again = repetitions,
): Promise<readonly (Failing<F> | undefined)[]> {
  const { alone, times, needed, isLike } = manner;
  const repeated = candidates.flatMap((candidate) => Array.from({ length: times }, () => candidate));
  const programs = alone ? repeated : repeated.map((candidate, index) => inLane(target, candidate, index));
  const results = await target.play(programs.map(stepsOf), alone, { watched: isDeath(raw.finding) });
  target.forget();
  const failing = candidates.map((_, index) => {
    const own = results.slice(index * times, (index + 1) * times).map(({ trial }) => trial);
    const findings = own.flatMap((trial) => (trial.kind === 'broken' && isLike(trial.finding) ? [trial.finding] : []));
    return findings.length >= needed ? { program: programs[index * times]!, finding: findings[0]! } : undefined;
  });
  if (failing.some((each) => each !== undefined)) return failing;
  const left = candidates.filter((_, index) =>
    results.slice(index * times, (index + 1) * times).some(({ trial }) => isOpen(trial)),
  );
  if (left.length === 0) return failing;
  if (target.ended.aborted || again === 0 || !manner.goesOn()) {
    manner.leave();
    return failing;
  }
  const later = await played(target, left, raw, manner, again - (left.length === candidates.length ? 1 : 0));
  return candidates.map((candidate) => later[left.indexOf(candidate)]);
}

/** Whether nobody knows how it ends: a batch that took long left it out, or the kit was late itself. */
function isOpen(trial: Trial<unknown>): boolean {
  return trial.kind === 'ended' || (trial.kind === 'unproven' && trial.doubted === true);
}

/** From the weakest on. */
const levels = ['may', 'should', 'must'] as const;

/**
 * Says whether a finding shows the same sort of mistake as a failure. Which requirement it breaks may become clearer the
 * less there is beside it, but it has to be one that is looked for, and no weaker one: a sequence that breaks a MUST
 * often breaks a SHOULD as well, and the smallest that breaks the SHOULD would say nothing of the MUST.
 */
function likenessTo<F extends FuzzFound>(
  { contract }: Pick<FuzzTarget<F>, 'contract'>,
  { finding, requirement }: Pick<RawFailure<F>, 'finding' | 'requirement'>,
  requirementOf: Settling<F>['requirementOf'],
): (other: F) => boolean {
  const levelOf = (id: string): number => levels.indexOf(strictest(contract, [id]));
  return (other) => {
    if (other.cause !== finding.cause || other.absence !== finding.absence) return false;
    const broken = requirementOf(other);
    return broken !== undefined && levelOf(broken) >= levelOf(requirement);
  };
}
