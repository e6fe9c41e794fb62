import { setTimeout as sleep } from 'node:timers/promises';

import type { Finding, ReceiverCheck, ServiceCheck, ServiceFinding } from '../../suites/check.ts';
import type { Draw, ServiceDraw } from '../../suites/draw.ts';
import type { FuzzStep, ReceiverFuzzing, ServiceFuzzing } from '../../suites/fuzz/fuzzing.ts';
import type { ReceiverKit } from '../../suites/kit.ts';
import { receiverChecks } from '../../suites/receiver/index.ts';
import { usualConcurrency } from '../engine/plan.ts';
import { caughtUp } from '../receiver/plainDeliveries.ts';
import type { ReceiverSide } from '../receiver/receiverSide.ts';
import { CaseKit } from '../receiver/receiverKit.ts';
import type { Playing } from './fuzzTarget.ts';
import type { SequenceCheck } from './sequencePlayer.ts';
import { SideTarget } from './sideTarget.ts';
import { control } from '../engine/cases.ts';
import { otherwiseWritten } from '../receiver/refusalAdvice.ts';
import { eventsOfNumbers } from '../../spec/serviceTerms.ts';
import type { ServiceKit } from '../../suites/serviceKit.ts';
import { serviceChecks } from '../../suites/service/index.ts';
import type { ServicePlan } from '../service/plan.ts';
import type { ServiceSide } from '../service/serviceSide.ts';

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

/** Endpoints that stay open after their sequence, for deliveries that come late. */
const mostEndpoints = 1000;

/** A service as a search sees it. */
export class ServiceFuzzTarget extends SideTarget<ServiceCheck, ServiceKit, ServiceDraw, ServiceFinding> {
  readonly most = 256;
  readonly sharesWaits = false;
  protected readonly longestBatch = 5000;
  protected readonly checks = serviceChecks;
  protected readonly needs = ['event', 'any-event', 'process-control'] as const;
  readonly #service: ServiceSide;
  readonly #pools: readonly (readonly string[])[];
  /** Endpoints of the control. */
  readonly #spared: ReadonlySet<string>;
  readonly #keeps: number;

  /** @param keeps - endpoints that stay open after their sequence */
  constructor(side: ServiceSide, model: ServiceFuzzing, keeps = mostEndpoints) {
    super(side, model);
    this.#service = side;
    // A sequence is another case each time that it is tried.
    side.context.answerTimes.mayHurry = false;
    this.#keeps = keeps;
    this.#pools = eventPools(side.context.plan, side.events);
    this.#spared = new Set(side.context.endpoints);
  }

  get lanes() {
    return this.#pools.length;
  }
  get #concurrency() {
    return this.#service.context.plan.concurrency ?? usualConcurrency;
  }
  get first() {
    return Math.max(this.lanes, this.#concurrency);
  }
  protected get events() {
    return this.#pools.flat();
  }

  async answers(ms?: number): Promise<boolean> {
    const { api, plan } = this.#service.context;
    const signal = AbortSignal.timeout(ms ?? plan.timeout);
    const request = { operationId: '', method: 'GET', path: '/', headers: [], body: Buffer.alloc(0) };
    const answer = await api.send(request, signal);
    return answer.kind === 'answered';
  }

  /** A service queues what it has to deliver, and its sequences wait for that by themselves. */
  async recover(): Promise<void> {}

  forget(): void {
    const { deliveryLog, lateness, doubtful, catcher, endpoints } = this.#service.context;
    deliveryLog.forget();
    lateness.forget();
    doubtful.length = 0;
    for (const name of catcher.forgetOldest(this.#keeps, this.#spared)) endpoints.delete(name);
  }

  override async conclude(): Promise<void> {
    const { refusals } = this.#service.context;
    refusals.tell(this.#service.context);
    await super.conclude();
  }

  /** A sequence waits for deliveries, unless it has the service for itself because it interrupts it. */
  asCheck(check: SequenceCheck<ServiceKit, ServiceFinding>): ServiceCheck {
    return { ...check, schedule: { kind: check.needs.length > 0 ? 'interrupting' : 'waiting' } };
  }

  protected drawOf(lane?: number): ServiceDraw {
    return this.side.draw({ needs: [] }, lane === undefined ? undefined : (this.#pools[lane] ?? []));
  }

  /** Those of one lane have events in common, and so follow each other where they make them happen. */
  protected rowsOf(alone: boolean): number {
    if (alone) return 1;
    const { emit } = this.#service.context.plan;
    return this.lanes > 1 || emit !== undefined ? this.lanes : this.#concurrency;
  }
}

/** Events of one pool at least. */
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
  const ofNumbers = eventsOfNumbers(terms);
  const free = events.filter((event) => !ofNumbers.includes(event));
  const count = Math.max(1, Math.floor(free.length / size));
  return Array.from({ length: count }, (_, pool) =>
    free.slice(pool * size, pool + 1 < count ? (pool + 1) * size : undefined),
  );
}
