import { isTimed } from '../../suites/check.ts';
import type { CaseSource, GeneratedCase } from './cases.ts';
import { CaseTrier } from './caseTrier.ts';
import { Property } from './property.ts';
import type { RunContext } from './runContext.ts';
import type { Phase, Side, SideCheck } from './side.ts';
import type { Deadline } from './ending.ts';
import type { Found, Trial } from './trial.ts';
import type { Guardian } from '../process/guardian.ts';
import type { Activity } from './activity.ts';

/** A check of a run, from its first case on. */
export interface StartedCheck<C extends SideCheck<Draw>, Draw, F extends Found & object> {
  readonly check: C;
  readonly cases: CaseSource;
  readonly property: Property<F>;
  readonly trier: CaseTrier<C, Draw, F>;
  /** How often the target died, perhaps of one of its cases, so that it was put aside. */
  asides: number;
  /** How often it was tried again at the end of the run. */
  retries: number;
  /** Settles once all of its cases that began so far have ended. */
  trying?: Promise<unknown>;
}

/** The checks of a phase that is not settled yet. */
export interface UnsettledPhase<C extends SideCheck<Draw>, Draw, F extends Found & object> {
  readonly tried: readonly Promise<StartedCheck<C, Draw, F>>[];
  readonly phase: Phase<C>;
  readonly until: Deadline;
  /** True where none of its cases waits any more. */
  over?: boolean;
}

/** A check that is left for later, and the phase that tried it. */
export interface Left<C extends SideCheck<Draw>, Draw, F extends Found & object> {
  readonly started: StartedCheck<C, Draw, F>;
  readonly phase: Phase<C>;
  readonly until: Deadline;
}

/**
 * How much of what is left of a phase's time its cases may take. The first case of each kind may take all of it, for it
 * shows more than any failure that is confirmed or shrunk.
 */
const shareOfCases = 0.7;

/** Makes what tries the cases of a check, and judges them. */
export function startedCheck<C extends SideCheck<Draw>, Draw, F extends Found & object>(
  side: Side<C, Draw, F>,
  check: C,
): StartedCheck<C, Draw, F> {
  const { context } = side;
  const { ended, plan } = context;
  const cases = side.cases(check);
  const trier = new CaseTrier(side, check);
  const property = new Property<F>(
    {
      intensity: plan.intensity,
      activity: trier.activity,
      ended,
      elapsed: () => context.elapsed(),
      shrinkWidth: side.shrinkWidth(check),
      ...(plan.shrinkTime !== undefined && { shrinkTime: plan.shrinkTime }),
      timed: isTimed(check),
      binding: plan.contract.requirement(check.requirements[0]).level === 'must',
      isMust: (id) => plan.contract.requirement(id).level === 'must',
    },
    trier,
  );
  trier.property = property;
  return { check, cases, property, trier, asides: 0, retries: 0 };
}

/** The first case of each kind of a check that the target may have died of late: of none that it dies of at once. */
export function lateSuspectsOf<C extends SideCheck<Draw>, Draw, F extends Found & object>({
  cases,
  property,
  trier,
}: StartedCheck<C, Draw, F>): readonly LateSuspect<F>[] {
  const kinds = Array.from({ length: cases.kinds }, (_, index) => index);
  return kinds
    .filter((index) => !property.fatal.has({ index }))
    .map((kind) => ({
      case: cases.at(kind),
      property,
      activity: trier.activity,
      try: (generated: GeneratedCase) => trier.try(generated),
    }));
}

/** Finds the cases that the target died of, one after the other, those first that were at work when it died. */
export async function accuse<C extends SideCheck<Draw>, Draw, F extends Found & object>(
  left: readonly Left<C, Draw, F>[],
  ended: AbortSignal,
): Promise<void> {
  const started = left.map((one) => one.started);
  const suspects = started
    .flatMap((one) => one.property.fatal.suspects.map((suspect) => ({ one, suspect })))
    .toSorted(({ suspect: a }, { suspect: b }) => a.death.number - b.death.number || a.after - b.after);
  for (const { one, suspect } of suspects) if (!ended.aborted) await one.property.accuse(suspect);
  for (const { property } of started) property.fatal.acquit();
  // All together get the time of one: they may well have one cause.
  const fatal = started.filter(({ property }) => property.fatal.isFresh);
  for (const { property } of fatal) await property.shrinkFatal(1 / fatal.length);
}

/** Tries those cases of a check that a phase has. */
export async function tryCases<C extends SideCheck<Draw>, Draw, F extends Found & object>(
  { cases, property, trier }: StartedCheck<C, Draw, F>,
  phase: Phase<C>,
  { until, context }: { readonly until: Deadline; readonly context: RunContext },
): Promise<void> {
  trier.phase = phase;
  const to = phase.cases === 'of-each-kind' ? cases.ofEachKind : cases.count;
  await property.try(cases, { to, until: until.part(shareOfCases), kindsUntil: until });
  if (context.targetProcess && phase.cases !== 'of-each-kind') await trier.last();
}

/** A case that the target may have died of long after it. */
interface LateSuspect<F extends Found> {
  readonly case: GeneratedCase;
  readonly property: Property<F>;
  readonly activity: Activity;
  try(generated: GeneratedCase): Promise<Trial<F>>;
}

/**
 * Finds which of many cases the target dies of some time later, where a death was seen that none of those explains that
 * were at work. Half of them are tried, and a death is awaited, then one half of those that remain, and so on. To be called
 * while nothing else is at work.
 *
 * @param ms - how long a death is awaited; twice as long in a second search, where the first one lost its trace
 * @param mayRepeat - whether there is a second search
 */
export async function findLateCause<F extends Found>(
  suspects: readonly LateSuspect<F>[],
  guardian: Pick<Guardian, 'deaths' | 'unexplained' | 'explain' | 'untilDeath'>,
  ms: number,
  mayRepeat = true,
): Promise<void> {
  const { unexplained: first, deaths: before } = guardian;
  let left = suspects;
  while (left.length > 1 && first) {
    const half = left.slice(0, left.length >> 1);
    const { deaths } = guardian;
    await Promise.all(half.map((one) => one.activity.run(() => one.try(one.case))));
    if (guardian.deaths === deaths) await guardian.untilDeath(ms);
    left = guardian.deaths > deaths ? half : left.slice(half.length);
  }
  const [cause] = left;
  if (!cause || !first) return;
  const { deaths } = guardian;
  // It is waited for twice as long.
  await cause.property.accuse({ case: cause.case, death: { ...first, number: 0 }, after: ms / 2 });
  if (guardian.deaths === deaths) {
    // On a busy machine a death may come later than it was awaited: the half that it is of was left out.
    if (mayRepeat && deaths > before) await findLateCause(suspects, guardian, 2 * ms, false);
    return;
  }
  cause.property.fatal.keep();
  for (let number = first.number; number <= guardian.deaths; number++) guardian.explain({ ...first, number });
}
