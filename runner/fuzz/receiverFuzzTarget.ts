import { setTimeout as sleep } from 'node:timers/promises';

import type { Finding } from '../../suites/check.ts';
import type { Draw } from '../../suites/draw.ts';
import type { Caused, FuzzStep, ReceiverFuzzing } from '../../suites/fuzz/fuzzing.ts';
import type { ReceiverKit } from '../../suites/kit.ts';
import { receiverChecks } from '../../suites/receiver/index.ts';
import { caughtUp } from '../receiver/caughtUp.ts';
import { counterexample } from '../receiver/counterexample.ts';
import { missingNeed } from '../receiver/missingNeed.ts';
import type { ControlResult, ReceiverContext } from '../receiver/receiverContext.ts';
import { CaseKit } from '../receiver/receiverKit.ts';
import type { RunEnd } from '../engine/runEvents.ts';
import { receiverDraw } from '../receiver/receiverDraw.ts';
import { ReceiverTrier } from '../receiver/receiverTrier.ts';
import { Suspects } from '../engine/suspects.ts';
import type { FuzzTarget, Played, Playing, TellableFailure } from './fuzzTarget.ts';
import type { Kinds } from './gene.ts';
import { whileOn } from './whileOn.ts';
import { sequenceCase } from './sequenceCase.ts';
import { SequencePlayer } from './sequencePlayer.ts';
import type { Counterexample } from '../../reports/model/exchange.ts';

type ReceiverFound = Finding & Caused;

/** Milliseconds after which no further sequence of a batch begins: where a receiver is slow, its waits would be long. */
const longestBatch = 10_000;

const notPlayed = { trial: { kind: 'ended' }, judged: [], features: [] } as const;

/** A receiver as a search sees it. */
export class ReceiverFuzzTarget implements FuzzTarget<ReceiverFound> {
  readonly model: ReceiverFuzzing;
  readonly lanes = 1;
  readonly first = 32;
  readonly most = 512;
  readonly sharesWaits = true;
  readonly #context: ReceiverContext;
  readonly #found: ControlResult;
  readonly #draw: Draw;
  readonly #kinds = new Map<boolean, Kinds>();
  readonly #player: SequencePlayer<ReceiverKit, Finding>;

  constructor(context: ReceiverContext, found: ControlResult, model: ReceiverFuzzing) {
    this.#context = context;
    this.#found = found;
    this.model = model;
    this.#player = new SequencePlayer(model, context);
    const isProbed = context.plan.probe !== undefined && found.effective.size > 0;
    this.#draw = receiverDraw(context, found, isProbed ? 'effective' : 'accepted');
  }

  get contract() {
    return this.#context.plan.contract;
  }
  get hasProcessControl() {
    return this.#context.targetProcess !== undefined;
  }
  get deaths() {
    return this.#context.targetProcess?.guardian.deaths ?? 0;
  }
  get ended() {
    return this.#context.ended;
  }
  get endedBy() {
    return this.#context.endedBy;
  }
  get interrupted() {
    return this.#context.plan.signal.aborted;
  }

  get isHeld() {
    return this.#player.isHeld;
  }

  lacking(requirement: string): string | undefined {
    const own = receiverChecks.filter(({ requirements }) => requirements.some((id) => id === requirement));
    const needs = (['secret', 'probe', 'process-control'] as const).filter((need) =>
      own.every((check) => check.needs.includes(need)),
    );
    const missing = needs.map((need) => missingNeed(this.#context.plan, this.#found, { needs: [need] }));
    return own.length === 0 ? undefined : missing.find((reason) => reason !== undefined);
  }

  /** Past the slots, which silent deliveries may hold, and past the rate. */
  async answers(ms?: number): Promise<boolean> {
    const kit = new CaseKit(this.#context, { check: 'control', case: 1 }, this.#found);
    const asked = this.#context.deliverer.ask(kit.compose(this.#found.control));
    const answer = await (ms === undefined ? asked : Promise.race([asked, sleep(ms, undefined, { ref: false })]));
    return answer?.kind === 'answered';
  }

  end(end: RunEnd): void {
    this.#context.end(end);
  }

  elapsed(): number {
    return this.#context.elapsed();
  }

  kinds(alone: boolean): Kinds {
    const processControl = alone && this.hasProcessControl;
    const kinds = this.#kinds.get(processControl) ?? this.#kindsWith(processControl);
    this.#kinds.set(processControl, kinds);
    return kinds;
  }

  async play(
    sequences: readonly (readonly FuzzStep[])[],
    alone: boolean,
    { until, watched = false }: Playing = {},
  ): Promise<readonly Played<ReceiverFound>[]> {
    const { activity, plan, ended } = this.#context;
    activity.limit = alone ? 1 : plan.concurrency * 4;
    const suspects = alone ? new Suspects() : undefined;
    const last = until === undefined ? Infinity : Math.min(until, alone ? Infinity : this.elapsed() + longestBatch);
    const played = sequences.map((): Played<ReceiverFound> => notPlayed);
    const playOne = async (steps: readonly FuzzStep[], index: number): Promise<void> => {
      played[index] = await this.#play(steps, index, { suspects, watched, last: index === 0 ? Infinity : last });
    };
    // Of sequences that share their waits it is not known which one the receiver dies of.
    const inTurn = alone && watched;
    await whileOn(ended, inTurn ? oneAfterTheOther(sequences, playOne) : Promise.all(sequences.map(playOne)));
    await suspects?.convict(this.#context);
    if (!alone && watched) await this.#player.watch();
    return [...played];
  }

  async recover(): Promise<void> {
    this.#context.activity.limit = 1;
    await caughtUp(this.#context, this.#found);
  }

  forget(): void {
    this.#context.log.forget();
  }

  tell({ check, number, finding, sequence, beside, rate, index }: TellableFailure<ReceiverFound>): Counterexample {
    const { cause } = finding;
    const hint = this.model.hint(finding);
    const reported = { ...this.#player.check(false), ...check, hint };
    const { generated } = sequenceCase([], index);
    return counterexample(
      this.#context,
      reported,
      { case: generated, finding },
      {
        failures: 1,
        timeline: this.#player.timelineOf(finding),
        found: this.#found,
        sequence: { cause, steps: sequence, beside, rate, number },
      },
    );
  }

  #kindsWith(processControl: boolean): Kinds {
    return new Map(
      this.model.kinds(this.#draw, { processControl, alone: processControl }).map((kind) => [kind.kind, kind]),
    );
  }

  async #play(
    steps: readonly FuzzStep[],
    index: number,
    { suspects, watched, last }: { suspects: Suspects | undefined; watched: boolean; last: number },
  ): Promise<Played<ReceiverFound>> {
    const check = this.#player.check(this.#player.controlsProcess(steps));
    const trier = new ReceiverTrier(this.#context, this.#found, check, suspects);
    const { activity } = this.#context;
    const isLate = (): boolean => this.elapsed() > last;
    return this.#player.play(steps, { trier, activity, index, alone: suspects !== undefined, watched, isLate });
  }
}

/** Does something with each item, the next one once it is done with the one before. */
async function oneAfterTheOther<T>(
  items: readonly T[],
  work: (item: T, index: number) => Promise<void>,
): Promise<void> {
  for (const [index, item] of items.entries()) await work(item, index);
}
