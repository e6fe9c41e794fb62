import { setTimeout as sleep } from 'node:timers/promises';

import type { Finding, ReceiverCheck } from '../../suites/check.ts';
import type { Draw } from '../../suites/draw.ts';
import type { FuzzStep, ReceiverFuzzing } from '../../suites/fuzz/fuzzing.ts';
import type { ReceiverKit } from '../../suites/kit.ts';
import { receiverChecks } from '../../suites/receiver/index.ts';
import { usualConcurrency } from '../engine/plan.ts';
import { caughtUp } from '../receiver/plainDeliveries.ts';
import type { ReceiverSide } from '../receiver/receiverSide.ts';
import { CaseKit } from '../receiver/receiverKit.ts';
import type { Playing } from './fuzzTarget.ts';
import type { SequenceCheck } from './sequencePlayer.ts';
import { SideTarget } from './sideTarget.ts';
import { control } from '../engine/owner.ts';
import { otherwiseWritten } from '../receiver/refusalAdvice.ts';

/** A receiver as a search sees it. */
export class ReceiverFuzzTarget extends SideTarget<ReceiverCheck, ReceiverKit, Draw, Finding> {
  readonly lanes = 1;
  readonly first = 32;
  readonly most = 512;
  readonly sharesWaits = true;
  protected readonly longestBatch = 10_000;
  protected readonly checks = receiverChecks;
  protected readonly needs = ['secret', 'probe', 'process-control'] as const;
  protected readonly events = undefined;
  readonly #receiver: ReceiverSide;
  readonly #draw: Draw;

  constructor(side: ReceiverSide, model: ReceiverFuzzing) {
    super(side, model);
    this.#receiver = side;
    // A sequence is another case each time that it is tried.
    side.context.log.answers.mayHurry = false;
    if (side.found.spelling) side.context.end(otherwiseWritten(side.found.spelling));
    this.#draw = side.draw({ needs: side.found.effective.size > 0 ? ['probe'] : [] });
  }

  /** Past the slots, which silent deliveries may hold, and past the rate. */
  async answers(ms?: number): Promise<boolean> {
    const { context, found } = this.#receiver;
    const kit = new CaseKit(context, { ...control, case: 1 }, found);
    const asked = context.deliverer.ask(kit.compose(found.control));
    const answer = await (ms === undefined ? asked : Promise.race([asked, sleep(ms, undefined, { ref: false })]));
    return answer?.kind === 'answered';
  }

  override play(sequences: readonly (readonly FuzzStep[])[], alone: boolean, how?: Playing) {
    const { activity, plan } = this.#receiver.context;
    activity.limit = alone ? 1 : (plan.concurrency ?? usualConcurrency) * 4;
    return super.play(sequences, alone, how);
  }

  async recover(): Promise<void> {
    const { context, found } = this.#receiver;
    context.activity.limit = 1;
    await caughtUp(context, found);
  }

  forget(): void {
    this.#receiver.context.log.forget();
  }

  asCheck(check: SequenceCheck<ReceiverKit, Finding>): ReceiverCheck {
    return { ...check, schedule: { kind: check.needs.length > 0 ? 'interrupting' : 'beside' } };
  }

  protected drawOf(): Draw {
    return this.#draw;
  }

  /** Of sequences that share their waits it is not known which one the receiver dies of. */
  protected rowsOf(alone: boolean, watched: boolean): number {
    return alone && watched ? 1 : Infinity;
  }
}
