import type { ServiceCheck, ServiceFinding, ServiceSchedule } from '../../suites/check.ts';
import type { Caused, FuzzStep, ServiceFuzzing } from '../../suites/fuzz/fuzzing.ts';
import type { ServiceKit } from '../../suites/serviceKit.ts';
import { serviceChecks } from '../../suites/service/index.ts';
import type { RunEnd } from '../engine/runEvents.ts';
import { activityOf } from '../service/serviceRun.ts';
import type { ServiceContext } from '../service/context.ts';
import type { EventsFound } from '../service/control.ts';
import { serviceCounterexample } from '../service/counterexample.ts';
import { missingServiceNeed } from '../service/missingServiceNeed.ts';
import { serviceDraw } from '../service/serviceDraw.ts';
import { ServiceTrier } from '../service/serviceTrier.ts';
import { Suspects } from '../engine/suspects.ts';
import type { FuzzTarget, Played, Playing, TellableFailure } from './fuzzTarget.ts';
import type { Kinds } from './gene.ts';
import { whileOn } from './whileOn.ts';
import { sequenceCase } from './sequenceCase.ts';
import { SequencePlayer } from './sequencePlayer.ts';
import type { Counterexample } from '../../reports/model/exchange.ts';
import type { ServicePlan } from '../service/plan.ts';

type ServiceFound = ServiceFinding & Caused;

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
  readonly #player: SequencePlayer<ServiceKit, ServiceFinding>;
  /** Endpoints of the control. */
  readonly #spared: ReadonlySet<string>;
  readonly #keeps: number;

  /** @param keeps - endpoints that stay open after their sequence */
  constructor(context: ServiceContext, events: EventsFound, model: ServiceFuzzing, keeps = mostEndpoints) {
    this.#keeps = keeps;
    this.#context = context;
    this.#events = events;
    this.model = model;
    this.#player = new SequencePlayer(model, context);
    this.#pools = eventPools(context.plan, events.possible ? context.triggeredEvents.events : []);
    this.#spared = new Set(context.endpoints);
  }

  get contract() {
    return this.#context.plan.contract;
  }
  get hasProcessControl() {
    return this.#context.targetProcess !== undefined;
  }
  get lanes() {
    return this.#pools.length;
  }
  get first() {
    return Math.max(this.lanes, this.#context.plan.concurrency);
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
    const own = serviceChecks.filter(({ requirements }) => requirements.includes(requirement));
    const all = ['event', 'any-event', 'process-control'] as const;
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
    const processControl = alone && this.hasProcessControl;
    const name = `${processControl} ${lane}`;
    const kinds = this.#kinds.get(name) ?? this.#kindsWith(processControl, lane);
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
    if (!alone && watched) await this.#player.watch();
    return [...played];
  }

  /** A service queues what it has to deliver, and its sequences wait for that by themselves. */
  async recover(): Promise<void> {}

  forget(): void {
    const { deliveryLog, lateness, doubtful, catcher, endpoints } = this.#context;
    deliveryLog.forget();
    lateness.forget();
    doubtful.length = 0;
    for (const name of catcher.forgetOldest(this.#keeps, this.#spared)) endpoints.delete(name);
  }

  tell({ check, number, finding, sequence, beside, rate, index }: TellableFailure<ServiceFound>): Counterexample {
    const { cause } = finding;
    const reported = { ...this.#player.check(false), ...check, hint: this.model.hint(finding) };
    const { generated } = sequenceCase([], index);
    return serviceCounterexample(
      this.#context,
      reported,
      { case: generated, finding },
      {
        failures: 1,
        timeline: this.#player.timelineOf(finding),
        events: this.#pools.flat(),
        sequence: { cause, steps: sequence, beside, rate, number },
      },
    );
  }

  #kindsWith(processControl: boolean, lane: number): Kinds {
    const draw = serviceDraw(this.#context.plan, this.#pools[lane] ?? []);
    return new Map(this.model.kinds(draw, { processControl, alone: processControl }).map((kind) => [kind.kind, kind]));
  }

  async #play(
    steps: readonly FuzzStep[],
    index: number,
    suspects: Suspects | undefined,
    watched: boolean,
  ): Promise<Played<ServiceFound>> {
    const controlsProcess = this.#player.controlsProcess(steps);
    const check: ServiceCheck = { ...this.#player.check(controlsProcess), schedule: sequenceSchedule(controlsProcess) };
    const activity = activityOf(check, this.#context);
    const trier = new ServiceTrier(this.#context, check, activity, suspects);
    return this.#player.play(steps, { trier, activity, index, alone: suspects !== undefined, watched });
  }
}

/** A sequence waits for deliveries, unless it has the service for itself because it interrupts it. */
export function sequenceSchedule(controlsProcess: boolean): ServiceSchedule {
  return { kind: controlsProcess ? 'interrupting' : 'waiting' };
}

/** Events of one pool. */
const size = 3;

/**
 * Splits events into pools, so that sequences that are played at the same time need not share any. What a tracking
 * request causes is in none of them, where anything else can be made to happen.
 *
 * @param events - what can be made to happen
 * @returns one pool at least, which may be empty
 */
function eventPools({ terms, emit }: ServicePlan, events: readonly string[]): readonly (readonly string[])[] {
  if (emit === undefined) return [events];
  const { found, unknown } = terms.tracking;
  const free = events.filter((event) => event !== found && event !== unknown);
  const count = Math.max(1, Math.floor(free.length / size));
  return Array.from({ length: count }, (_, pool) => free.slice(pool * size, (pool + 1) * size));
}
