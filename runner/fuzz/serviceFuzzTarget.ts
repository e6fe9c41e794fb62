import type { Counterexample } from '../../reports/events.ts';
import type { Moment } from '../../reports/life.ts';
import type { ServiceCheck, ServiceFinding } from '../../suites/check.ts';
import type { Caused, FuzzStep, ServiceFuzzing } from '../../suites/fuzz/fuzzing.ts';
import { serviceChecks } from '../../suites/service/index.ts';
import type { RunEnd } from '../runEvents.ts';
import { activityOf } from '../service/activityOf.ts';
import type { ServiceContext } from '../service/context.ts';
import type { EventsFound } from '../service/control.ts';
import { serviceCounterexample } from '../service/counterexample.ts';
import { missingServiceNeed } from '../service/missingServiceNeed.ts';
import { serviceDraw } from '../service/serviceDraw.ts';
import { ServiceTrier } from '../service/serviceTrier.ts';
import { Suspects } from '../suspects.ts';
import type { Trial } from '../trial.ts';
import { eventPools } from './eventPools.ts';
import { death, deathbed } from './death.ts';
import { fuzzCheckId } from './fuzzChecks.ts';
import type { FuzzTarget, Played, Playing, TellableFailure } from './fuzzTarget.ts';
import type { Kinds } from './gene.ts';
import { OutputPatterns } from './outputPatterns.ts';
import { whileOn } from './whileOn.ts';
import { sequenceCase, type SequenceCase } from './sequenceCase.ts';

type ServiceFound = ServiceFinding & Caused;

/** Lines of output that are looked at after a sequence that ran alone. */
const lines = 200;

/** Endpoints that stay open after their sequence, for deliveries that come late. */
const mostEndpoints = 1000;

/** Milliseconds after which no further sequence of a batch begins: where a service is wrong, each may wait long. */
const longestBatch = 5000;

const notPlayed = { trial: { kind: 'ended' }, judged: [], features: [] } as const;

/** A service as a search sees it. */
export class ServiceFuzzTarget implements FuzzTarget<ServiceFound> {
  readonly model: ServiceFuzzing;
  readonly most = 256;
  readonly sharesWaits = false;
  readonly #context: ServiceContext;
  readonly #events: EventsFound;
  readonly #pools: readonly (readonly string[])[];
  readonly #kinds = new Map<string, Kinds>();
  readonly #patterns = new OutputPatterns();
  readonly #timelines = new WeakMap<ServiceFinding, readonly Moment[]>();
  /** Endpoints of the control. */
  readonly #spared: ReadonlySet<string>;

  readonly #keeps: number;
  /** Sequences at work that hold its life in their hands. */
  #held = 0;

  /** @param keeps - endpoints that stay open after their sequence */
  constructor(context: ServiceContext, events: EventsFound, model: ServiceFuzzing, keeps = mostEndpoints) {
    this.#keeps = keeps;
    this.#context = context;
    this.#events = events;
    this.model = model;
    this.#pools = eventPools(context.plan, events.possible ? context.happenings.events : []);
    this.#spared = new Set(context.endpoints);
  }

  get contract() {
    return this.#context.plan.contract;
  }
  get hasLife() {
    return this.#context.life !== undefined;
  }
  get lanes() {
    return this.#pools.length;
  }
  get first() {
    return Math.max(this.lanes, this.#context.plan.concurrency);
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
    const own = serviceChecks.filter(({ requirements }) => requirements.includes(requirement));
    const all = ['event', 'any-event', 'life'] as const;
    const needs = all.filter((need) => own.length > 0 && own.every((check) => check.needs.includes(need)));
    return missingServiceNeed(this.#context.plan, this.#events, { needs });
  }

  async answers(ms?: number): Promise<boolean> {
    const signal = AbortSignal.timeout(ms ?? this.#context.plan.timeout);
    const request = { operationId: '', method: 'GET', path: '/', headers: [], body: Buffer.alloc(0) };
    const answer = await this.#context.api.send(request, signal);
    return answer.kind === 'answered';
  }

  end(end: RunEnd): void {
    this.#context.end(end);
  }

  elapsed(): number {
    return this.#context.elapsed();
  }

  kinds(alone: boolean, lane: number): Kinds {
    const life = alone && this.hasLife;
    const name = `${life} ${lane}`;
    const kinds = this.#kinds.get(name) ?? this.#kindsWith(life, lane);
    this.#kinds.set(name, kinds);
    return kinds;
  }

  async play(
    sequences: readonly (readonly FuzzStep[])[],
    alone: boolean,
    { until: last = Infinity, watched = false }: Playing = {},
  ): Promise<readonly Played<ServiceFound>[]> {
    const suspects = alone ? new Suspects() : undefined;
    const played = sequences.map((): Played<ServiceFound> => notPlayed);
    // Those of one lane have events in common, and so follow each other.
    const rows = alone ? 1 : this.lanes > 1 ? this.lanes : this.#context.plan.concurrency;
    const until = Math.min(last, alone ? Infinity : this.elapsed() + longestBatch);
    const playRow = async (row: number): Promise<void> => {
      for (let index = row; index < sequences.length; index += rows) {
        if (index >= rows && this.elapsed() > until) return;
        played[index] = await this.#play(sequences[index]!, index, suspects, watched);
      }
    };
    await whileOn(this.ended, Promise.all(Array.from({ length: rows }, (_, row) => playRow(row))));
    await suspects?.convict(this.#context);
    if (!alone && watched) await this.#watch();
    return [...played];
  }

  /** A service queues what it has to deliver, and its sequences wait for that by themselves. */
  async recover(): Promise<void> {}

  forget(): void {
    const { post, lateness, doubtful, catcher, endpoints } = this.#context;
    post.forget();
    lateness.forget();
    doubtful.length = 0;
    for (const name of catcher.forgetOldest(this.#keeps, this.#spared)) endpoints.delete(name);
  }

  tell({ check, number, finding, sequence, beside, rate, index }: TellableFailure<ServiceFound>): Counterexample {
    const { cause } = finding;
    const told = { ...this.#check(false), ...check, hint: this.model.hint(finding) };
    const { generated } = sequenceCase([], index);
    return serviceCounterexample(
      this.#context,
      told,
      { case: generated, finding },
      {
        failures: 1,
        timeline: this.#timelines.get(finding),
        events: this.#pools.flat(),
        sequence: { cause, steps: sequence, beside, rate, number },
      },
    );
  }

  #kindsWith(life: boolean, lane: number): Kinds {
    const draw = serviceDraw(this.#context.plan, this.#pools[lane] ?? []);
    return new Map(this.model.kinds(draw, { life, alone: life }).map((kind) => [kind.kind, kind]));
  }

  async #play(
    steps: readonly FuzzStep[],
    index: number,
    suspects: Suspects | undefined,
    watched: boolean,
  ): Promise<Played<ServiceFound>> {
    const holdsLife = steps.some((step) => this.model.holdsLife(step));
    const check = this.#check(holdsLife);
    const activity = activityOf(check, this.#context);
    const trier = new ServiceTrier(this.#context, check, activity, suspects);
    const { generated, sequence } = sequenceCase<ServiceFinding>(steps, index);
    const later: { trial?: Trial<ServiceFinding> } = {};
    trier.property = {
      convict: (_, finding) => (later.trial = { kind: 'broken', finding, fatal: true }),
      doubt: (_, reason) => (later.trial = { kind: 'unproven', reason, final: false }),
    };
    const trial = await activity.run(async () => {
      if (await trier.over()) return { kind: 'ended' } as const;
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
    trial: Trial<ServiceFinding>,
    { result }: SequenceCase<ServiceFinding>,
    trier: ServiceTrier,
    alone: boolean,
  ): Played<ServiceFound> {
    const features = [...(result?.features ?? []), ...(alone ? this.#said() : [])];
    const judged = result?.judged ?? [];
    if (trial.kind !== 'broken') return { trial, judged, features };
    const { finding } = trial;
    const caused: ServiceFound = { ...finding, cause: result?.finding === finding ? result.finding.cause : death };
    const timeline = trier.timelineOf(finding);
    if (timeline) this.#timelines.set(caused, timeline);
    return { trial: { ...trial, finding: caused }, judged, features };
  }

  /** Until what was played can no longer be what the service dies of. */
  async #watch(): Promise<void> {
    const { life } = this.#context;
    if (life) await whileOn(this.ended, life.guardian.untilDeath(deathbed));
  }

  #said(): readonly string[] {
    const said = this.#context.life?.target.tail(lines) ?? [];
    return this.#patterns.fresh(said).map((pattern) => `said ${pattern}`);
  }

  #check(holdsLife: boolean): ServiceCheck {
    const { fatal, subject } = this.model;
    return {
      id: fuzzCheckId(subject, fatal),
      title: '',
      requirements: [fatal],
      needs: holdsLife ? ['life'] : [],
      waits: true,
      fatal,
      hint: '',
      cases: () => [],
      run: async (kit, value) => {
        const sequence = value as SequenceCase<ServiceFinding>;
        sequence.result = await this.model.run(kit, sequence.steps);
        return sequence.result.finding;
      },
    };
  }
}
