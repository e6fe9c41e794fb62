import type { Moment } from '../../reports/model/events.ts';
import type { Activity } from './activity.ts';
import type { GeneratedCase } from './cases.ts';
import type { Property, Trier } from './property.ts';
import type { UntimedEvent } from './runEvents.ts';
import { longAftermath } from '../receiver/supervisedReceiverCase.ts';
import type { Found } from './failure.ts';

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

/** What a session with a target does. */
interface ReplaySession<Work> {
  /** Milliseconds since the session began. */
  elapsed(): number;
  emit(event: UntimedEvent): void;
  /** Called once the positive control was passed. */
  readonly work: Work;
}

/**
 * Does something in a session with a target, and tells how a case stands.
 *
 * @param session - the session, from the start of the target to its end
 * @param tried - nothing where the session ended meanwhile: then its events say why
 */
export async function replayed<Context, Control>(
  signal: AbortSignal,
  session: (parts: ReplaySession<(context: Context, found: Control) => Promise<void>>) => Promise<void>,
  tried: (context: Context, found: Control) => Promise<Replayed | undefined>,
): Promise<Replayed> {
  const began = performance.now();
  const troubles: CannotRun[] = [];
  let outcome: Replayed | undefined;
  await session({
    elapsed: () => Math.round((performance.now() - began) * 10) / 10,
    emit: (event) => troubles.push(...troubleOf(event)),
    async work(context, found) {
      outcome = await tried(context, found);
    },
  });
  if (signal.aborted) return cannotRun('the replay was interrupted');
  return outcome ?? troubles[0] ?? cannotRun('the target could not be tested');
}

function troubleOf(event: UntimedEvent): readonly CannotRun[] {
  if (event.type === 'target.lost') return [cannotRun(`${event.reason}\n${event.advice}`)];
  if (event.type !== 'kit.errored') return [];
  return [{ ...cannotRun(`a fault of the kit itself, in ${event.where}: ${event.message}`), fault: true }];
}

/** What tries the cases of a check, and tells of those that the target dies of. */
interface ReplayTrier<F> extends Trier<F> {
  set property(property: ReplayJudge<F>);
  timelineOf(finding: F): readonly Moment[] | undefined;
  /** Waits until a death can no longer be the doing of the last case. @param ms - how long at most */
  last?(ms: number): Promise<void>;
}

/** Called of what became of the case later. */
interface ReplayJudge<F> extends Pick<Property<Found & F>, 'convict'> {
  /** @param finding - what the case would show, where that is known */
  doubt(generated: GeneratedCase, reason: string, finding?: F): void;
}

/**
 * Tries one case, alone. One failure is enough, for it has failed before.
 *
 * @returns nothing where the run ended meanwhile
 * @throws whatever a fault of the kit throws
 */
export async function triedAgain<F extends Found & Wrong>(
  { timed }: { readonly timed?: boolean },
  trier: ReplayTrier<F>,
  activity: Activity,
  generated: GeneratedCase,
): Promise<Replayed | undefined> {
  let killer: F | undefined;
  trier.property = {
    convict: (_, finding) => (killer = finding),
    doubt: (_case, _reason, finding) => (killer ??= finding),
  };
  const enough = timed === true ? tries.timed : tries.usual;
  const unproven: string[] = [];
  for (let held = 0; held < enough;) {
    const trial = await activity.run(() => trier.try(generated));
    await trier.over?.();
    if (trial.kind !== 'broken') await trier.last?.(longAftermath);
    if (trial.kind === 'errored') throw trial.error;
    const finding = trial.kind === 'broken' ? trial.finding : killer;
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
