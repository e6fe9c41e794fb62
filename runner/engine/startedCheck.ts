import { isTimed } from '../../suites/check.ts';
import type { CaseSource } from './cases.ts';
import { CaseTrier } from './caseTrier.ts';
import { Property } from './property.ts';
import type { Side, SideCheck } from './side.ts';
import type { Found } from './trial.ts';

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
  finished: boolean;
}

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
    },
    trier,
  );
  trier.property = property;
  return { check, cases, property, trier, asides: 0, retries: 0, finished: false };
}
