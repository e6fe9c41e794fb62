import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Json } from '../generators/json.ts';
import type { Notification } from '../generators/notification.ts';
import { withId } from '../generators/withId.ts';
import { writeJson } from '../generators/writeJson.ts';
import { signatureHeaders } from '../spec/signature.ts';
import { Unproven } from '../suites/check.ts';
import type { Answer, Attempt, Delivery, Header } from '../suites/delivery.ts';
import type { LifeHands } from '../suites/life.ts';
import type { PlayedApi } from '../suites/playedApi.ts';
import type { Composition, Effects, ReceiverKit } from '../suites/kit.ts';
import { isPatient, patience, patienceFor } from './patience.ts';
import { ProbeError } from './probeError.ts';
import { RunEnded } from './runEnded.ts';
import { shortAnswer } from './shortAnswer.ts';
import { targetGone, type ControlResult, type ReceiverContext } from './receiverContext.ts';

/** Which case of which check a kit is for. */
export interface KitOwner {
  readonly check: string;
  readonly case: number;
}

/** The kit of one case. Every attempt made through it is recorded and told. */
export class CaseKit implements ReceiverKit {
  readonly #context: ReceiverContext;
  readonly #owner: KitOwner;
  readonly #found: ControlResult;
  readonly #attempts: Attempt[] = [];

  constructor(context: ReceiverContext, owner: KitOwner, found: ControlResult) {
    this.#context = context;
    this.#owner = owner;
    this.#found = found;
  }

  get contract() {
    return this.#context.plan.contract;
  }
  get scheme() {
    return this.#context.scheme;
  }
  get signatureHeader() {
    return this.#context.signatureHeader;
  }
  get secrets() {
    return this.#context.plan.secrets;
  }
  get probed() {
    return this.#context.settler !== undefined;
  }
  get timeout() {
    return this.#context.plan.timeout;
  }
  get concurrency() {
    return this.#context.plan.concurrency;
  }
  get attempts(): readonly Attempt[] {
    return this.#attempts;
  }
  get control() {
    return this.#found.control;
  }

  now(): number {
    return Math.floor(Date.now() / 1000);
  }

  freshId(): string {
    return randomUUID();
  }

  plain({ event }: Notification): Notification {
    return this.#found.plain.get(event) ?? this.#found.control;
  }

  compose(notification: Notification, how: Composition = {}): Delivery {
    const id = how.id ?? this.freshId();
    const { value } = withId(notification, this.contract.delivery.members.id, id);
    const written = writeJson(value, how.form ?? []);
    const body = how.rewrite ? how.rewrite(written) : written;
    const contentType = how.contentType === undefined ? this.contract.delivery.mediaType : how.contentType;
    const headers = [
      ...(contentType === null ? [] : [['Content-Type', contentType] as const]),
      ...this.sign(body, id, how.secret),
    ];
    return { id, event: notification.event, method: this.contract.delivery.method, headers, body };
  }

  again(delivery: Delivery): Delivery {
    const value = JSON.parse(delivery.body.toString()) as Json;
    return this.compose({ event: delivery.event, value });
  }

  withBody(delivery: Delivery, body: Buffer): Delivery {
    const signature = this.sign(body, delivery.id);
    const names = new Set(signature.map(([name]) => name.toLowerCase()));
    return {
      ...delivery,
      body,
      headers: [...delivery.headers.filter(([name]) => !names.has(name.toLowerCase())), ...signature],
    };
  }

  sign(body: Buffer, id: string, secret = this.secrets[0]): readonly Header[] {
    if (secret === undefined) return [];
    return signatureHeaders(this.scheme, this.signatureHeader, {
      secret,
      body,
      id,
      timestamp: this.now(),
    });
  }

  async deliver(delivery: Delivery): Promise<Answer> {
    this.#goOn();
    const answer = await this.#context.deliverer.deliver(delivery, this.#context.ended);
    this.#goOn();
    return this.#record(delivery, answer);
  }

  deliverFrom(_address: string, _delivery: Delivery): Promise<Answer> {
    throw new TypeError('not built yet');
  }

  get life(): LifeHands {
    throw new TypeError('not built yet');
  }

  get api(): PlayedApi {
    throw new TypeError('not built yet');
  }

  get published(): readonly string[] {
    return this.#context.plan.published;
  }

  elapsed(): number {
    return this.#context.elapsed();
  }

  async deliverPatiently(delivery: Delivery): Promise<Answer> {
    let answer = await this.deliver(delivery);
    for (let tried = 1; tried < patience.attempts && isPatient(answer, tried); tried++) {
      await this.pause(patienceFor(answer, tried));
      answer = await this.deliver(delivery);
    }
    return answer;
  }

  async together(deliveries: readonly Delivery[]): Promise<readonly Answer[]> {
    this.#goOn();
    const answers = await this.#context.deliverer.together(deliveries);
    this.#goOn();
    return answers.map((answer, place) => this.#record(deliveries[place]!, answer));
  }

  besideIdle<T>(connections: number, action: () => Promise<T>): Promise<T> {
    return this.#context.deliverer.besideIdle(connections, action);
  }

  async besideHeld<T>(deliveries: readonly Delivery[], action: () => Promise<T>) {
    const { result, answers } = await this.#context.deliverer.besideHeld(deliveries, action);
    return { result, answers: answers.map((answer, place) => this.#record(deliveries[place]!, answer)) };
  }

  accepts(answer: Answer): boolean {
    return answer.kind === 'answered' && this.contract.delivery.acceptedStatuses.includes(answer.status);
  }

  async effects(expected: ReadonlyMap<string, number>): Promise<Effects> {
    const { settler, activity, log } = this.#context;
    if (!settler) throw new Unproven('no probe was given');
    const effects = await activity.park(settler.wait(expected).catch((error: unknown) => this.#unasked(error)));
    this.#goOn();
    for (const id of expected.keys()) {
      const event = log.eventOf(id);
      if (event !== undefined && !this.isEffective(event))
        throw new Unproven(`a plain delivery of ${event} did not show exactly one effect`);
    }
    return effects;
  }

  async untilEffect(ids: readonly string[]): Promise<void> {
    const { settler } = this.#context;
    if (!settler) throw new Unproven('no probe was given');
    await settler.untilSeen(new Map(ids.map((id) => [id, 1]))).catch((error: unknown) => this.#unasked(error));
    this.#goOn();
  }

  isEffective(event: string): boolean {
    return this.#found.effective.has(event);
  }

  async pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.#context.ended }).catch(() => undefined);
    this.#goOn();
  }

  observe(gap: string, value: string, evidence: string): void {
    this.#context.emit({ type: 'observed', gap, value, evidence });
  }

  /** A probe that cannot be asked shows nothing; where it went down with the target, the run is over. */
  async #unasked(error: unknown): Promise<never> {
    if (!(error instanceof ProbeError)) throw error;
    if (!(await this.#context.stillThere())) this.#context.end(targetGone('while effects were awaited'));
    throw new Unproven(error.message);
  }

  #goOn(): void {
    if (this.#context.ended.aborted) throw new RunEnded('The run has ended.');
  }

  #record(delivery: Delivery, answer: Answer): Answer {
    this.#attempts.push({ delivery, answer });
    const plain = delivery.wire === undefined && this.accepts(answer);
    this.#context.log.record(delivery.id, delivery.event, plain ? answer : undefined);
    this.#context.emitDelivery({
      ...this.#owner,
      id: delivery.id,
      event: delivery.event,
      bytes: delivery.body.length,
      digest: digestOf(delivery),
      answer: shortAnswer(answer),
    });
    return answer;
  }
}

function digestOf(delivery: Delivery): string {
  const hash = createHash('sha1')
    .update(delivery.method)
    .update(JSON.stringify([delivery.headers, delivery.wire]))
    .update(delivery.body);
  return hash.digest('base64url').slice(0, 12);
}
