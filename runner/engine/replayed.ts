import type { Moment } from '../../reports/model/events.ts';
import { type GeneratedCase, caseSource, shrunkCases, type Drawable } from './cases.ts';
import type { UntimedEvent } from './eventStream.ts';
import { longAftermath } from './death.ts';
import { CaseTrier } from './caseTrier.ts';
import type { SavedCase } from './savedCase.ts';
import type { SessionParts } from './session.ts';
import type { Side, SideCheck } from './side.ts';
import { isTimed } from '../../suites/check.ts';
import type { Found } from './trial.ts';

/** How a saved case stands with the target as it is now. */
export type Replayed =
  | { readonly outcome: 'fixed'; readonly tries: number }
  | { readonly outcome: 'fails'; readonly finding: Wrong; readonly timeline?: readonly Moment[] | undefined }
  | CannotRun;

/** What was wrong, in words. */
type Wrong = { readonly expected: string; readonly actual: string };

/** `fault`: because of a bug of the kit itself. */
type CannotRun = { readonly outcome: 'cannot-run'; readonly reason: string; readonly fault?: boolean };

/** How often a case is tried that holds: once more where it depends on a moment, or showed nothing. */
const tries = { usual: 1, timed: 5, unproven: 3 } as const;

/** What a session of a replay is given. */
export interface ReplayParts extends Pick<SessionParts<never>, 'elapsed' | 'emit'> {
  /** Takes how the case stands; nothing where the session ended meanwhile: then its events say why. */
  readonly settle: (replayed: Replayed | undefined) => void;
}

/** Tells how a case stands after a session with a target. @param session - the session, from start to end */
export async function replayed(signal: AbortSignal, session: (parts: ReplayParts) => Promise<void>): Promise<Replayed> {
  const began = performance.now();
  const troubles: CannotRun[] = [];
  let outcome: Replayed | undefined;
  await session({
    elapsed: () => Math.round((performance.now() - began) * 10) / 10,
    emit: (event) => troubles.push(...troubleOf(event)),
    settle: (tried) => (outcome = tried),
  });
  if (signal.aborted) return cannotRun('the replay was interrupted');
  return outcome ?? troubles[0] ?? cannotRun('the target could not be tested');
}

function troubleOf(event: UntimedEvent): readonly CannotRun[] {
  if (event.type === 'target.lost') return [cannotRun(`${event.reason}\n${event.advice}`)];
  if (event.type !== 'kit.errored') return [];
  return [{ ...cannotRun(`a fault of the kit itself, in ${event.where}: ${event.message}`), fault: true }];
}

/**
 * Tries a saved case of a check again, alone, with fresh ids.
 *
 * @returns nothing where the run ended meanwhile
 * @throws whatever a fault of the kit throws
 */
export async function savedCaseAgain<
  C extends SideCheck<Draw>,
  Draw extends { readonly events: readonly unknown[] },
  F extends Found & Wrong,
>(side: Side<C, Draw, F>, checks: readonly C[], saved: SavedCase): Promise<Replayed | undefined> {
  const check = checks.find(({ id }) => id === saved.check);
  if (check === undefined) return cannotRun(`there is no check ${saved.check}`);
  const missing = side.missing(check);
  if (missing !== undefined) return cannotObserve(missing);
  const draw = side.draw(check, saved.events);
  const isGone = saved.events.length > 0 && draw.events.length === 0;
  const generated = isGone ? undefined : caseAgain(check, draw, saved);
  if (generated === undefined)
    return cannotRun(`the case cannot be made again: it was written by version ${saved.kit.version}`);
  const trier = new CaseTrier(side, check, true);
  const again = await triedAgain({ timed: isTimed(check) }, trier, generated);
  const isTooShort = check.schedule?.kind === 'last' && again?.outcome === 'fixed';
  return isTooShort ? cannotRun(tooShort(side.subject)) : again;
}

/** Why a case that is about the length of a run shows nothing where it holds. */
function tooShort(subject: string): string {
  return `it held, but it depends on how long a run has been, and a replay is short: run seaworthy ${subject} again, with this check and others`;
}

/**
 * Tries one case, alone. One failure is enough, for it has failed before.
 *
 * @returns nothing where the run ended meanwhile
 * @throws whatever a fault of the kit throws
 */
export async function triedAgain<C extends SideCheck<Draw>, Draw, F extends Found & Wrong>(
  { timed }: { readonly timed?: boolean },
  trier: CaseTrier<C, Draw, F>,
  generated: GeneratedCase,
): Promise<Replayed | undefined> {
  let fatal: F | undefined;
  trier.property = {
    convict: (_, finding) => (fatal = finding),
    doubt: (_case, _reason, finding) => (fatal ??= finding),
  };
  const enough = timed === true ? tries.timed : tries.usual;
  const unproven: string[] = [];
  for (let held = 0; held < enough;) {
    const trial = await trier.activity.run(() => trier.try(generated));
    await trier.over();
    if (trial.kind !== 'broken') await trier.last(longAftermath);
    if (trial.kind === 'errored') throw trial.error;
    const finding = trial.kind === 'broken' ? trial.finding : fatal;
    if (finding !== undefined) return { outcome: 'fails', finding, timeline: trier.timelineOf(finding) };
    if (trial.kind === 'ended') return undefined;
    if (trial.kind === 'unobservable') return cannotRun(trial.reason);
    if (trial.kind === 'held') held += 1;
    else if (trial.kind === 'unproven') unproven.push(trial.reason);
    const [reason] = unproven;
    const hopeless = unproven.length >= tries.unproven || (trial.kind === 'unproven' && trial.final);
    if (hopeless && reason !== undefined) return cannotRun(reason);
  }
  return { outcome: 'fixed', tries: enough };
}

/** Says what a check lacks: something that it `needs ...`, or what is wrong with what it was given. */
export function cannotObserve(missing: string): CannotRun {
  return cannotRun(missing.startsWith('needs ') ? `the check ${missing}` : missing);
}

/** Says why a case cannot be tried. */
export function cannotRun(reason: string): CannotRun {
  return { outcome: 'cannot-run', reason };
}

/**
 * A saved case as it was: drawn from the same, and shrunk by the same steps.
 *
 * @returns nothing where this version of the kit draws other cases
 */
function caseAgain<Source>(
  check: Drawable<Source>,
  draw: Source,
  { seed, path, intensity }: SavedCase,
): GeneratedCase | undefined {
  const [index = 0, ...steps] = path.split(':').map(Number);
  const source = caseSource(check, draw, seed, intensity);
  if (source.count === 0) return undefined;
  return steps.reduce<GeneratedCase | undefined>(
    (generated, step) => generated && shrunkCases(generated).drop(step).next().value,
    source.at(index),
  );
}
