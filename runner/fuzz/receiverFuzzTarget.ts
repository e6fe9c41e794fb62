import { setTimeout as sleep } from 'node:timers/promises';

import type { Counterexample } from '../../reports/events.ts';
import type { Finding, ReceiverCheck } from '../../suites/check.ts';
import type { Draw } from '../../suites/draw.ts';
import type { Caused, FuzzStep, ReceiverFuzzing } from '../../suites/fuzz/fuzzing.ts';
import { receiverChecks } from '../../suites/receiver/index.ts';
import { caughtUp } from '../caughtUp.ts';
import { counterexample } from '../counterexample.ts';
import type { Moment } from '../../reports/life.ts';
import { missingNeed } from '../missingNeed.ts';
import type { ControlResult, ReceiverContext } from '../receiverContext.ts';
import { CaseKit } from '../receiverKit.ts';
import type { RunEnd } from '../runEvents.ts';
import { receiverDraw } from '../receiverDraw.ts';
import { ReceiverTrier } from '../receiverTrier.ts';
import { Suspects } from '../suspects.ts';
import type { Trial } from '../trial.ts';
import { death, deathbed } from './death.ts';
import { fuzzCheckId } from './fuzzChecks.ts';
import type { FuzzTarget, Played, Playing, TellableFailure } from './fuzzTarget.ts';
import type { Kinds } from './gene.ts';
import { OutputPatterns } from './outputPatterns.ts';
import { oneAfterTheOther } from './oneAfterTheOther.ts';
import { whileOn } from './whileOn.ts';
import { sequenceCase, type SequenceCase } from './sequenceCase.ts';

type ReceiverFound = Finding & Caused;

/** Lines of output that are looked at after a sequence that ran alone. */
const lines = 200;

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
  readonly #patterns = new OutputPatterns();
  readonly #timelines = new WeakMap<Finding, readonly Moment[]>();
  /** Sequences at work that hold its life in their hands. */
  #held = 0;

  constructor(context: ReceiverContext, found: ControlResult, model: ReceiverFuzzing) {
    this.#context = context;
    this.#found = found;
    this.model = model;
    const isProbed = context.plan.probe !== undefined && found.effective.size > 0;
    this.#draw = receiverDraw(context, found, isProbed ? 'effective' : 'accepted');
  }

  get contract() {
    return this.#context.plan.contract;
  }
  get hasLife() {
    return this.#context.life !== undefined;
  }
  get deaths() {
    return this.#context.life?.guardian.deaths ?? 0;
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
    return this.#held > 0;
  }

  lacking(requirement: string): string | undefined {
    const own = receiverChecks.filter(({ requirements }) => requirements.includes(requirement));
    const needs = (['secret', 'probe', 'life'] as const).filter((need) =>
      own.every((check) => check.needs.includes(need)),
    );
    const missing = needs.map((need) => missingNeed(this.#context.plan, this.#found, { needs: [need] }));
    return own.length === 0 ? undefined : missing.find((reason) => reason !== undefined);
  }

  /** Past the slots, which silent deliveries may hold. */
  async answers(ms?: number): Promise<boolean> {
    const kit = new CaseKit(this.#context, { check: 'control', case: 1 }, this.#found);
    const asked = this.#context.deliverer.together([kit.compose(this.#found.control)]);
    const [answer] = await (ms === undefined ? asked : Promise.race([asked, sleep(ms, [], { ref: false })]));
    return answer?.kind === 'answered';
  }

  end(end: RunEnd): void {
    this.#context.end(end);
  }

  elapsed(): number {
    return this.#context.elapsed();
  }

  kinds(alone: boolean): Kinds {
    const life = alone && this.hasLife;
    const kinds = this.#kinds.get(life) ?? this.#kindsWith(life);
    this.#kinds.set(life, kinds);
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
    if (!alone && watched) await this.#watch();
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
    const told = { ...this.#check(false), ...check, hint };
    const { generated } = sequenceCase([], index);
    return counterexample(
      this.#context,
      told,
      { case: generated, finding },
      {
        failures: 1,
        timeline: this.#timelines.get(finding),
        found: this.#found,
        sequence: { cause, steps: sequence, beside, rate, number },
      },
    );
  }

  #kindsWith(life: boolean): Kinds {
    return new Map(this.model.kinds(this.#draw, { life, alone: life }).map((kind) => [kind.kind, kind]));
  }

  async #play(
    steps: readonly FuzzStep[],
    index: number,
    { suspects, watched, last }: { suspects: Suspects | undefined; watched: boolean; last: number },
  ): Promise<Played<ReceiverFound>> {
    const holdsLife = steps.some((step) => this.model.holdsLife(step));
    const check = this.#check(holdsLife);
    const trier = new ReceiverTrier(this.#context, this.#found, check, suspects);
    const { generated, sequence } = sequenceCase<Finding>(steps, index);
    const later: { trial?: Trial<Finding> } = {};
    trier.property = {
      convict: (_, finding) => (later.trial = { kind: 'broken', finding, fatal: true }),
      doubt: (_, reason, finding) => {
        later.trial = finding ? { kind: 'broken', finding, fatal: true } : { kind: 'unproven', reason, final: false };
      },
    };
    const trial = await this.#context.activity.run(async () => {
      if (this.elapsed() > last || (await trier.over())) return { kind: 'ended' } as const;
      this.#held += Number(holdsLife);
      try {
        const tried = await trier.try(generated);
        await trier.tried(generated, tried);
        if (suspects && watched && tried.kind !== 'broken') await this.#watch();
        return tried;
      } finally {
        this.#held -= Number(holdsLife);
      }
    });
    const decisive = later.trial && trial.kind !== 'broken' ? later.trial : trial;
    return this.#played(decisive, sequence, trier, suspects !== undefined);
  }

  #played(
    trial: Trial<Finding>,
    { result }: SequenceCase<Finding>,
    trier: ReceiverTrier,
    alone: boolean,
  ): Played<ReceiverFound> {
    const features = [...(result?.features ?? []), ...(alone ? this.#said() : [])];
    const judged = result?.judged ?? [];
    if (trial.kind !== 'broken') return { trial, judged, features };
    const { finding } = trial;
    const caused: ReceiverFound = { ...finding, cause: result?.finding === finding ? result.finding.cause : death };
    const timeline = trier.timelineOf(finding);
    if (timeline) this.#timelines.set(caused, timeline);
    return { trial: { ...trial, finding: caused }, judged, features };
  }

  /** Until what was played can no longer be what the receiver dies of. */
  async #watch(): Promise<void> {
    const { ended, life } = this.#context;
    if (life) await whileOn(ended, life.guardian.untilDeath(deathbed));
  }

  #said(): readonly string[] {
    const said = this.#context.life?.target.tail(lines) ?? [];
    return this.#patterns.fresh(said).map((pattern) => `said ${pattern}`);
  }

  #check(holdsLife: boolean): ReceiverCheck {
    const { fatal, subject } = this.model;
    return {
      id: fuzzCheckId(subject, fatal),
      title: '',
      requirements: [fatal],
      needs: holdsLife ? ['life'] : [],
      fatal,
      hint: '',
      cases: () => [],
      run: async (kit, value) => {
        const sequence = value as SequenceCase<Finding>;
        sequence.result = await this.model.run(kit, sequence.steps);
        return sequence.result.finding;
      },
    };
  }
}
