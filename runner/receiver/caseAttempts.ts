import { setTimeout as sleep } from 'node:timers/promises';

import { type Traits, distinct, headerTraits } from '../engine/agreement.ts';
import type { Answer, Attempt, Delivery, Header } from '../../suites/delivery.ts';
import { whole } from '../../suites/receiver/onWire.ts';
import type { Beginning, Effects } from '../../suites/kit.ts';
import type { Manner } from '../http/deliverer.ts';
import { WaitedOut } from '../http/answerTimes.ts';
import { isFailure } from '../http/retryAfter.ts';
import { refuseOwnWant } from '../http/ownWant.ts';
import { requestDigest, shortAnswer } from '../engine/journaled.ts';
import type { ReceiverContext } from './receiverContext.ts';
import { Unproven } from '../../suites/check.ts';
import { ProbeError, type Probe } from './probe.ts';
import type { Settler } from './settler.ts';
import type { Owner } from '../engine/cases.ts';

/** Characters of an event's name in a sentence: some are made up, and have hundreds. */
const longest = 60;

/** Plain deliveries that are kept at most until the end of the run, and the bytes of a body. */
const mostNoted = { count: 4000, failures: 40, bytes: 16 * 1024 } as const;

function isSmall({ delivery }: Attempt): boolean {
  return delivery.body.length <= mostNoted.bytes;
}

/** What is known of an attempt beside its answer. */
interface Circumstances {
  /** Which of the moments at which several were sent together; nothing where it was sent alone. */
  readonly moment?: number;
  /** Whether an answer was awaited as long as it may take, and nothing was sent beside it on purpose. Default false. */
  readonly isWhole?: boolean;
}

/** What a case has sent and what came back. Every attempt is reported as it comes. */
export class CaseAttempts {
  readonly #context: ReceiverContext;
  readonly #owner: KitOwner;
  readonly #beginning: Beginning;
  readonly #accepts: (answer: Answer) => boolean;
  /** What was composed in the plain way, for events that take effect, by its body. What differs in a header is not plain. */
  readonly #plain = new WeakMap<Buffer, readonly Header[]>();
  readonly #all: Attempt[] = [];
  readonly #waitedOut = new WaitedOut();
  #waited = 0;
  #lastAt: number | undefined;

  constructor(context: ReceiverContext, owner: KitOwner, beginning: Beginning, accepts: (answer: Answer) => boolean) {
    this.#context = context;
    this.#owner = owner;
    this.#beginning = beginning;
    this.#accepts = accepts;
  }

  get all(): readonly Attempt[] {
    return this.#all;
  }

  /** When (monotonic) the last one had ended; nothing before the first. */
  get lastAt(): number | undefined {
    return this.#lastAt;
  }

  /** The case waited before it sends the next one. */
  waited(ms: number): void {
    this.#waited += ms;
  }

  /** What {@link AnswerTimes.patience} makes look broken is tried again, and then the first answers have all of their time. */
  mannerOf({ wire }: Delivery, timeout?: number): Manner {
    const { isAgain = false, controlsProcess: fresh = false } = this.#owner;
    const { log, plan } = this.#context;
    const isByHand = wire !== undefined && wire.steps !== whole;
    const isPatient = fresh || isByHand || (isAgain && !this.#waitedOut.isEnough);
    return { timeout, fresh, silence: () => log.answers.silence(plan.timeout, isPatient) };
  }

  record(delivery: Delivery, answer: Answer, { moment, isWhole = false }: Circumstances = {}): Answer {
    const { check, case: number, controlsProcess } = this.#owner;
    const isFirst = !this.#all.some((sent) => sent.delivery.id === delivery.id);
    const waited = this.#waited;
    this.#waited = 0;
    this.#lastAt = performance.now();
    this.#waitedOut.note(answer);
    this.#all.push({ delivery, answer, ...(waited > 0 && { waited }), ...(moment && { moment }) });
    const undisturbed = delivery.wire === undefined && controlsProcess !== true;
    const plain = undisturbed && this.#accepts(answer);
    // By their ids effects alone are asked for.
    const id = this.#context.settler === undefined ? '' : delivery.id;
    this.#context.log.record(id, delivery.event, plain ? { ms: answer.ms, isFirst } : undefined);
    if (undisturbed && isWhole) this.#context.log.answered(answer);
    if (this.#beginning.accepted.has(id)) this.#beginning.again.add(id);
    // What was refused under its id, such as a forgery, may have undone its effect.
    if (!plain) this.#beginning.accepted.delete(id);
    if (id !== '' && undisturbed && isWhole && this.#isComposed(delivery)) this.#noteFailure(id, { delivery, answer });
    // What was not accepted at once may be lost for that: the checks of failures are about it.
    if (!plain) this.#plain.delete(delivery.body);
    else if (id !== '' && this.#isComposed(delivery)) this.#note(id, { delivery, answer });
    this.#context.guardian.heard(answer);
    const { event } = delivery;
    const request = `a delivery of ${event.length > longest ? `${event.slice(0, longest)}...` : event} (${check})`;
    this.#context.hangWatch.heard(request, this.#owner, answer, undisturbed && isWhole);
    if (controlsProcess !== true) this.#context.hangWatch.judged(request, this.#owner, answer, this.#accepts(answer));
    this.#context.emitDelivery({
      check,
      case: number,
      id: delivery.id,
      event: delivery.event,
      bytes: delivery.body.length,
      digest: requestDigest([delivery.method, delivery.path].join(' ').trimEnd(), delivery),
      answer: shortAnswer(answer),
    });
    if (delivery.from === undefined) refuseOwnWant(answer);
    return answer;
  }

  /** Notes what was composed in the plain way. */
  composed(body: Buffer, headers: readonly Header[]): void {
    this.#plain.set(body, headers);
  }

  #isComposed({ body, headers, method, path }: Delivery): boolean {
    return (
      this.#plain.get(body) === headers && path === undefined && method === this.#context.plan.contract.delivery.method
    );
  }

  #noteFailure(id: string, attempt: Attempt): void {
    const { failed } = this.#beginning;
    const isOwn = attempt.answer.kind === 'timed-out' || isFailure(attempt.answer);
    if (isOwn && isSmall(attempt) && failed.size < mostNoted.failures) failed.set(id, attempt);
  }

  #note(id: string, attempt: Attempt): void {
    const { accepted } = this.#beginning;
    if (isSmall(attempt) && accepted.size < mostNoted.count && !accepted.has(id)) accepted.set(id, attempt);
  }
}

/**
 * What a case of a receiver was about, by all that it delivered.
 *
 * @param plain - the event of the plain deliveries that the kit sends beside what a case is about, often only once something
 *   was refused: beside other events it says nothing of the case
 */
export function traitsOf(deliveries: readonly Delivery[], plain: string): Traits {
  const events = distinct(deliveries.map(({ event }) => event));
  return {
    values: {
      event: events.length > 1 ? events.filter((event) => event !== plain) : events,
      method: distinct(deliveries.map(({ method }) => method)),
      ...headerTraits(deliveries.map(({ headers }) => headers)),
    },
    bytes: Math.max(0, ...deliveries.map(({ body }) => body.length)),
    requests: deliveries.length,
  };
}

/** What one case sees of effects. Whatever it asks for shows nothing (Unproven) without a probe, or where the probe fails. */
export class CaseEffects {
  readonly #context: ReceiverContext;
  readonly #owner: KitOwner;
  #waitingSince: number | undefined;

  constructor(context: ReceiverContext, owner: KitOwner) {
    this.#context = context;
    this.#owner = owner;
  }

  /** Since when (monotonic) the case has done nothing but wait for what others wait for too, and judge it; nothing while it is at work. */
  get waitingSince(): number | undefined {
    return this.#waitingSince;
  }

  /** The numbers after the wait that all cases share: see {@link Settler.wait}. */
  counted(expected: ReadonlyMap<string, number>, since: number | undefined, isSoon?: boolean): Promise<Effects> {
    return this.#park(() => this.#asked(({ settler }) => settler.wait(expected, since, isSoon)));
  }

  /** The numbers that were seen of these ids, once each has one or nothing more came; see {@link Settler.untilSeen}. */
  awaited(ids: readonly string[], atLeast: number): Promise<Effects> {
    const once = new Map(ids.map((id) => [id, 1]));
    return this.#asked(({ settler }) => settler.untilSeen(once, { atLeast }));
  }

  /** The numbers at this moment. */
  soFar(ids: readonly string[]): Promise<Effects> {
    return this.#asked(({ probe }) => probe.count(ids));
  }

  /** Resolves once nothing was delivered for so many milliseconds, or the run has ended. */
  quiet(ms: number): Promise<void> {
    const { log, ended } = this.#context;
    return this.#park(async () => {
      for (let left = ms; left > 0 && !ended.aborted; left = log.last + ms - performance.now())
        await sleep(left, undefined, { signal: ended }).catch(() => undefined);
    });
  }

  async #asked(ask: (by: { settler: Settler; probe: Probe }) => Promise<Effects>): Promise<Effects> {
    const { settler, probe } = this.#context;
    if (!settler || !probe) throw new Unproven('no probe was given');
    const { deaths } = this.#context.guardian;
    try {
      return await ask({ settler, probe });
    } catch (error) {
      if (!(error instanceof ProbeError)) throw error;
      if (!(await this.#hasTargetGone(deaths))) this.#blame(error);
      throw new Unproven(error.message, { cause: error });
    }
  }

  /** Gives the case's place away while it waits. The target must run by then, for the next case finds it as it is. */
  async #park<T>(wait: () => Promise<T>): Promise<T> {
    if (this.#owner.controlsProcess) await this.#context.targetProcess?.guardian.up(this.#owner);
    this.#waitingSince = performance.now();
    try {
      return await this.#context.activity.park(wait());
    } finally {
      if (this.#owner.controlsProcess) this.#waitingSince = undefined;
    }
  }

  /** To be called where the case sends something: what it waited for is over. */
  goOn(): void {
    this.#waitingSince = undefined;
  }

  /** A probe that fails although the target is there, and was asked again and again, is a fault of the probe. */
  #blame({ explanation: { received, valid, next } }: ProbeError): void {
    if (this.#context.ended.aborted) return;
    this.#context.emit({ type: 'probe.failed', reason: received, advice: `${valid}. ${next}.` });
  }

  /**
   * A probe may have gone down with the target: it comes up again with it, or the run is over.
   *
   * @param deaths - how often the target had died before the probe was asked
   */
  async #hasTargetGone(deaths: number): Promise<boolean> {
    const { guardian, ended } = this.#context;
    if (this.#owner.controlsProcess || ended.aborted) return true;
    await guardian.look();
    await guardian.up(this.#owner);
    return guardian.deaths > deaths;
  }
}

/** The case that a kit is for. */
export interface KitOwner extends Owner {
  /** True where it has process control of the target. Default false. */
  readonly controlsProcess?: boolean;
  /** True where it failed before. Default false. */
  readonly isAgain?: boolean;
  /** True where others may go on while an answer to it is long in coming. Default false. */
  readonly givesWay?: boolean;
}
