import { isTimed, scheduleOf, type Finding, type ReceiverCheck, type ReceiverSchedule } from '../../suites/check.ts';
import { caseSource } from '../engine/cases.ts';
import { caughtUp } from './caughtUp.ts';
import { drawnFrom } from './drawnFrom.ts';
import { endCheck, refuseCheck } from '../engine/checkEnd.ts';
import { counterexample } from './counterexample.ts';
import { missingNeed } from './missingNeed.ts';
import { Property } from '../engine/property.ts';
import type { ControlResult, ReceiverContext } from './receiverContext.ts';
import { receiverDraw } from './receiverDraw.ts';
import { ReceiverTrier } from './receiverTrier.ts';
import { Suspects } from '../engine/suspects.ts';

interface Started {
  readonly check: ReceiverCheck;
  readonly property: Property<Finding>;
  readonly trier: ReceiverTrier;
}

/** Smaller candidates of a failing case that are tried before one of them is taken; those with effects share their wait. */
const shrinkWidth = { effects: 24, answers: 6, processControl: 4 } as const;

/**
 * Runs the checks of a receiver: those that disturb nobody side by side, then the others one case at a time, then those
 * that use process control, and last those that are about how long the run has been. In each of the phases all
 * cases come first, then what failed is tried again alone, then it is shrunk.
 */
export class ReceiverRun {
  readonly #context: ReceiverContext;
  readonly #found: ControlResult;

  constructor(context: ReceiverContext, found: ControlResult) {
    this.#context = context;
    this.#found = found;
  }

  async run(checks: readonly ReceiverCheck[]): Promise<void> {
    const possible = checks.filter((check) => !this.#refuse(check));
    const those = (kind: ReceiverSchedule['kind']) => possible.filter((check) => scheduleOf(check).kind === kind);
    await this.#phase(those('beside'), this.#context.plan.concurrency * 4);
    await this.#phase(those('alone'), 1);
    await this.#phase(those('interrupting'), 1);
    await this.#phase(those('last'), 1);
  }

  /** Where the receiver has died although nobody asked for it, nothing runs side by side any more. */
  #limit(wanted: number): number {
    return (this.#context.targetProcess?.guardian.deaths ?? 0) > 0 ? 1 : wanted;
  }

  async #phase(checks: readonly ReceiverCheck[], limit: number): Promise<void> {
    const { activity } = this.#context;
    activity.limit = this.#limit(limit);
    const unsettled: Started[] = [];
    const suspects = limit === 1 ? new Suspects() : undefined;
    await Promise.all(
      checks.map(async (check) => {
        const started = await this.#try(check, suspects);
        if (started.property.unsettled) unsettled.push(started);
        else this.#finish(started);
      }),
    );
    activity.limit = 1;
    if (unsettled.some(({ property }) => property.unanswered)) await caughtUp(this.#context, this.#found);
    await Promise.all(unsettled.map(({ property }) => property.confirm()));
    activity.limit = this.#limit(limit);
    await Promise.all(
      unsettled.map(async (started) => {
        await started.property.shrink();
        this.#finish(started);
      }),
    );
  }

  async #try(check: ReceiverCheck, suspects: Suspects | undefined): Promise<Started> {
    const context = this.#context;
    const found = this.#found;
    const { intensity, seed } = context.plan;
    const { activity, ended } = context;
    const elapsed = () => context.elapsed();
    const trier = new ReceiverTrier(context, found, check, suspects);
    const timed = isTimed(check);
    const property = new Property({ intensity, activity, ended, elapsed, shrinkWidth: widthOf(check), timed }, trier);
    trier.property = property;
    if (!ended.aborted) context.emit({ type: 'check.started', check: check.id });
    const draw = receiverDraw(context, found, drawnFrom(check));
    await property.try(caseSource(check, draw, seed, intensity));
    await trier.last();
    return { check, property, trier };
  }

  /** Ends a check that cannot be observed at once. */
  #refuse(check: ReceiverCheck): boolean {
    const reason = missingNeed(this.#context.plan, this.#found, check);
    if (reason === undefined) return false;
    refuseCheck(this.#context, check.id, reason);
    return true;
  }

  #finish({ check, property, trier }: Started): void {
    endCheck(this.#context, check, property, (failure, failures) =>
      counterexample(this.#context, check, failure, {
        failures,
        timeline: trier.timelineOf(failure.finding),
        found: this.#found,
      }),
    );
  }
}

function widthOf({ needs }: ReceiverCheck): number {
  if (needs.includes('process-control')) return shrinkWidth.processControl;
  return needs.includes('probe') ? shrinkWidth.effects : shrinkWidth.answers;
}
