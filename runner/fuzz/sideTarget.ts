import type { Caused, Fuzzing, FuzzStep } from '../../suites/fuzz/fuzzing.ts';
import type { Counterexample } from '../../reports/model/exchange.ts';
import { CaseTrier } from '../engine/caseTrier.ts';
import { targetGone } from '../engine/death.ts';
import type { RunEnd } from '../engine/eventStream.ts';
import type { Side, SideCheck } from '../engine/side.ts';
import type { FuzzFound, FuzzTarget, Played, Playing, TellableFailure } from './fuzzTarget.ts';
import type { Kinds } from './gene.ts';
import { sequenceCase, SequencePlayer, type SequenceCheck, whileOn } from './sequencePlayer.ts';

/** What a finding of a side says to a search, which adds the cause. */
export type SideFound = Omit<FuzzFound, 'cause'>;

const notPlayed = { trial: { kind: 'ended' }, judged: [], features: [], requests: 0 } as const;

/** Whatever a run may have the means for. */
const allMeans = { processControl: true, alone: true } as const;

/** A target as a search sees it, made of one side of the kit. What differs between the sides is abstract. */
export abstract class SideTarget<C extends SideCheck<Draw>, Kit, Draw, F extends SideFound> implements FuzzTarget<
  F & Caused
> {
  abstract readonly lanes: number;
  abstract readonly first: number;
  abstract readonly most: number;
  abstract readonly sharesWaits: boolean;
  readonly model: Fuzzing<Kit, Draw, F>;
  readonly side: Side<C, Draw, F>;
  protected readonly player: SequencePlayer<Kit, F>;
  /** Milliseconds after which no further sequence of a batch begins: where a target is wrong, each may wait long. */
  protected abstract readonly longestBatch: number;
  /** The checks of the suite, which know what a requirement takes to be seen. */
  protected abstract readonly checks: readonly C[];
  /** Needs without which requirements cannot be seen. */
  protected abstract readonly needs: C['needs'];
  readonly #kinds = new Map<string, Kinds>();

  constructor(side: Side<C, Draw, F>, model: Fuzzing<Kit, Draw, F>) {
    this.side = side;
    this.model = model;
    this.player = new SequencePlayer(model, side.context);
  }

  abstract answers(ms?: number): Promise<boolean>;
  abstract recover(): Promise<void>;
  abstract forget(): void;
  /** What sequences of a lane are drawn from. Default: whatever any lane has. */
  protected abstract drawOf(lane?: number): Draw;
  /** The events that a saved case names. Default: those of its check. */
  protected abstract readonly events: readonly string[] | undefined;
  /** A sequence as a check of the side. */
  abstract asCheck(check: SequenceCheck<Kit, F>): C;
  /** How many sequences are played side by side at most; each of the others follows one of them. */
  protected abstract rowsOf(alone: boolean, watched: boolean): number;

  get contract() {
    return this.side.context.plan.contract;
  }
  get hasProcessControl() {
    return this.side.context.targetProcess !== undefined;
  }
  get deaths() {
    return this.side.context.guardian.deaths;
  }
  get ended() {
    return this.side.context.ended;
  }
  get endedBy() {
    return this.side.context.endedBy;
  }
  get isLost() {
    const { endedBy, plan } = this.side.context;
    return endedBy !== undefined && endedBy.lost !== false && !plan.signal.aborted;
  }
  get isHeld() {
    return this.player.isHeld;
  }

  lacking(requirement: string): string | undefined {
    const own = this.checks.filter(({ requirements }) => requirements.includes(requirement));
    if (own.length === 0) return undefined;
    const needs = this.needs.filter((need) => own.every((check) => check.needs.includes(need)));
    return needs.map((need) => this.side.missing({ needs: [need] })).find((reason) => reason !== undefined);
  }

  end(end: RunEnd): void {
    this.side.context.end(end);
  }

  elapsed(): number {
    return this.side.context.elapsed();
  }

  kinds(alone: boolean, lane: number): Kinds {
    const processControl = alone && this.hasProcessControl;
    const name = `${processControl} ${lane}`;
    const kinds = this.#kinds.get(name) ?? this.#kindsWith(processControl, lane);
    this.#kinds.set(name, kinds);
    return kinds;
  }

  /** All kinds of steps, whatever this run has the means for. */
  get allKinds() {
    return this.model.kinds(this.drawOf(), allMeans);
  }

  async play(
    sequences: readonly (readonly FuzzStep[])[],
    alone: boolean,
    { until, watched = false }: Playing = {},
  ): Promise<readonly Played<F & Caused>[]> {
    const last =
      until === undefined ? Infinity : Math.min(until, alone ? Infinity : this.elapsed() + this.longestBatch);
    const played = sequences.map((): Played<F & Caused> => notPlayed);
    const rows = Math.min(this.rowsOf(alone, watched), sequences.length);
    const playRow = async (row: number): Promise<void> => {
      for (let index = row; index < sequences.length; index += rows) {
        const isLate = (): boolean => index > 0 && this.elapsed() > last;
        played[index] = await this.#play(sequences[index]!, { index, alone, watched, isLate });
      }
    };
    await whileOn(this.ended, Promise.all(Array.from({ length: rows }, (_, row) => playRow(row))));
    if (alone) await this.side.context.guardian.notice();
    if (!alone && watched) await this.player.watch();
    return [...played];
  }

  tell({ check, number, finding, sequence, beside, rate, index }: TellableFailure<F & Caused>): Counterexample {
    const { cause } = finding;
    const reported = { ...this.asCheck(this.player.check(false)), ...check, hint: this.model.hint(finding) };
    const { generated } = sequenceCase([], index);
    const timeline = this.player.timelineOf(finding);
    const { events } = this;
    return this.side.counterexample(
      reported,
      { case: generated, finding },
      {
        timeline,
        ...(events && { events }),
        sequence: { cause, steps: sequence, beside, rate, number },
      },
    );
  }

  /** Ends the run where the target is gone: then nothing that was not broken is known to hold. */
  async conclude(): Promise<void> {
    const { context } = this.side;
    if (await context.stillThere()) return;
    // It may have died a moment ago.
    await context.guardian.look();
    if (!context.ended.aborted && !(await context.stillThere())) this.end(targetGone(this.side.subject));
  }

  #kindsWith(processControl: boolean, lane: number): Kinds {
    const kinds = this.model.kinds(this.drawOf(lane), { processControl, alone: processControl });
    return new Map(kinds.map((kind) => [kind.kind, kind]));
  }

  async #play(
    steps: readonly FuzzStep[],
    how: { index: number; alone: boolean; watched: boolean; isLate(): boolean },
  ): Promise<Played<F & Caused>> {
    const check = this.asCheck(this.player.check(this.player.controlsProcess(steps)));
    const trier = new CaseTrier(this.side, check, how.alone);
    return this.player.play(steps, { ...how, trier });
  }
}
