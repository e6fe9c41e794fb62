import type { Counterexample } from '../../reports/events.ts';
import type { Finding, ReceiverCheck } from '../../suites/check.ts';
import type { Draw } from '../../suites/draw.ts';
import type { Caused, FuzzStep, ReceiverFuzzing } from '../../suites/fuzz/fuzzing.ts';
import { caughtUp } from '../caughtUp.ts';
import { counterexample } from '../counterexample.ts';
import type { Moment } from '../../reports/life.ts';
import { missingNeed } from '../missingNeed.ts';
import type { ControlResult, ReceiverContext } from '../receiverContext.ts';
import { receiverDraw } from '../receiverDraw.ts';
import { ReceiverTrier } from '../receiverTrier.ts';
import { Suspects } from '../suspects.ts';
import type { Trial } from '../trial.ts';
import { fuzzCheckId } from './fuzzChecks.ts';
import type { FuzzTarget, Played, TellableFailure } from './fuzzTarget.ts';
import type { Kinds } from './gene.ts';
import { OutputPatterns } from './outputPatterns.ts';
import { sequenceCase, type SequenceCase } from './sequenceCase.ts';

type ReceiverFound = Finding & Caused;

/** Lines of output that are looked at after a sequence that ran alone. */
const lines = 200;

/** A receiver as a search sees it. */
export class ReceiverFuzzTarget implements FuzzTarget<ReceiverFound> {
  readonly model: ReceiverFuzzing;
  readonly lanes = 1;
  readonly most = 512;
  readonly sharesWaits = true;
  readonly #context: ReceiverContext;
  readonly #found: ControlResult;
  readonly #draw: Draw;
  readonly #kinds = new Map<boolean, Kinds>();
  readonly #patterns = new OutputPatterns();
  readonly #timelines = new WeakMap<Finding, readonly Moment[]>();

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
  /** Where some sequences run alone, their turn comes sooner. */
  get first() {
    return this.hasLife ? 64 : 128;
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

  get lacking(): string | undefined {
    const needs = ['probe', 'secret', 'life'] as const;
    const missing = needs.flatMap((need) => missingNeed(this.#context.plan, this.#found, { needs: [need] }) ?? []);
    return missing.length === 0 ? undefined : missing.join('; or ');
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

  async play(sequences: readonly (readonly FuzzStep[])[], alone: boolean): Promise<readonly Played<ReceiverFound>[]> {
    const { activity, plan } = this.#context;
    activity.limit = alone ? 1 : plan.concurrency * 4;
    const suspects = alone ? new Suspects() : undefined;
    const played = await Promise.all(sequences.map((steps, index) => this.#play(steps, index, suspects)));
    await suspects?.convict(this.#context);
    return played;
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
    suspects: Suspects | undefined,
  ): Promise<Played<ReceiverFound>> {
    const check = this.#check(steps.some((step) => this.model.holdsLife(step)));
    const trier = new ReceiverTrier(this.#context, this.#found, check, suspects);
    const { generated, sequence } = sequenceCase<Finding>(steps, index);
    const later: { trial?: Trial<Finding> } = {};
    trier.property = {
      convict: (_, finding) => (later.trial = { kind: 'broken', finding, fatal: true }),
      doubt: (_, reason) => (later.trial = { kind: 'unproven', reason, final: false }),
    };
    const trial = await this.#context.activity.run(async () => {
      if (await trier.over()) return { kind: 'ended' } as const;
      const tried = await trier.try(generated);
      await trier.tried(generated, tried);
      return tried;
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
    const caused: ReceiverFound = { ...finding, cause: result?.finding === finding ? result.finding.cause : 'died' };
    const timeline = trier.timelineOf(finding);
    if (timeline) this.#timelines.set(caused, timeline);
    return { trial: { ...trial, finding: caused }, judged, features };
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
