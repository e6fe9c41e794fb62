import { isUnsendable, unsendableFrom } from '../http/ownWant.ts';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Json } from '../../generators/json/json.ts';
import { type Notification, withId } from '../../generators/notification/notification.ts';
import { writeJson } from '../../generators/spelling/writeJson.ts';
import type { Moment } from '../../reports/model/events.ts';
import { assumptionValue } from '../../spec/assumptions.ts';
import { Unobservable, Unproven } from '../../suites/check.ts';
import type { Answer, Attempt, Delivery, Header } from '../../suites/delivery.ts';
import type { ProcessControl } from '../../suites/processControl.ts';
import type { Composition, Effects, PlayedApi, ReceiverKit } from '../../suites/kit.ts';
import { CaseEffects, type KitOwner, CaseAttempts } from './caseAttempts.ts';
import { usualConcurrency } from '../engine/plan.ts';
import { needed } from './needed.ts';
import { newId } from './freshDelivery.ts';
import { namingHeaders } from '../../generators/notification/signed.ts';
import { CaseSigner } from './caseSigner.ts';
import { retryPauses, retryPauseAfter } from '../http/retryAfter.ts';
import { RunEnded } from '../engine/ending.ts';
import { Timeline } from '../engine/timeline.ts';
import type { ControlResult, ReceiverContext } from './receiverContext.ts';
import type { AssumptionKey, GapId, RequirementId } from '../../spec/names.ts';

/** The kit of one case. Every attempt made through it is recorded and reported. */
export class CaseKit implements ReceiverKit {
  readonly control: ControlResult['control'];
  readonly spelling: ControlResult['spelling'];
  readonly beginning: ControlResult['beginning'];
  readonly isAgain: boolean;
  readonly #context: ReceiverContext;
  readonly #owner: KitOwner;
  readonly #found: ControlResult;
  readonly #attempts: CaseAttempts;
  readonly #timeline: Timeline;
  readonly #effects: CaseEffects;
  readonly #signer: CaseSigner;
  #processControl: ProcessControl | undefined;
  #moments = 0;

  constructor(context: ReceiverContext, owner: KitOwner, found: ControlResult) {
    this.#context = context;
    this.#owner = owner;
    this.isAgain = owner.isAgain === true;
    this.#found = found;
    ({ control: this.control, spelling: this.spelling, beginning: this.beginning } = found);
    this.#timeline = new Timeline(() => context.elapsed());
    this.#effects = new CaseEffects(context, owner);
    this.#signer = new CaseSigner(context, found);
    this.#attempts = new CaseAttempts(context, owner, found.beginning, (answer) => this.accepts(answer));
  }

  /** What the case has done and seen so far. */
  get timeline(): readonly Moment[] {
    return this.#timeline.moments;
  }

  /** Since when the case does nothing but wait for what others wait for too; nothing while it is at work. */
  get waitingSince(): number | undefined {
    return this.#effects.waitingSince;
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
  get path() {
    return `${this.#context.plan.url.pathname}${this.#context.plan.url.search}`;
  }
  get timeout() {
    return this.#context.plan.timeout;
  }
  get settle() {
    return this.#context.settler?.settle ?? this.#context.plan.settle ?? 1000;
  }
  get concurrency() {
    return this.#context.plan.concurrency ?? usualConcurrency;
  }
  get attempts(): readonly Attempt[] {
    return this.#attempts.all;
  }

  assumed(key: AssumptionKey): string {
    return assumptionValue(this.#context.plan.assumptions, key);
  }

  now(): number {
    return this.#signer.now();
  }

  freshId(): string {
    return newId(this.contract);
  }

  plain({ event }: Notification): Notification {
    return this.#found.plain.get(event) ?? this.#found.control;
  }

  compose(notification: Notification, how: Composition = {}): Delivery {
    const id = how.id ?? this.freshId();
    const { value } = withId(this.contract, notification, id, how.object);
    const written = writeJson(value, how.form ?? []);
    const body = how.rewrite ? how.rewrite(written) : written;
    const { contentType = this.#found.mediaType ?? this.assumed('body.mediaType') } = how;
    const headers = [
      ...(contentType === null ? [] : [['Content-Type', contentType] as const]),
      ...namingHeaders(this.contract, { id, event: notification.event }),
      ...this.sign(body, id, how.secret, how.skew),
    ];
    const skew = how.skew !== undefined && how.skew !== 0 && { skew: how.skew };
    const { event } = notification;
    if (Object.keys(how).length === 0 && this.isEffective(event)) this.#attempts.composed(body, headers);
    return { id, event, method: this.contract.delivery.method, headers, body, ...skew };
  }

  again(delivery: Delivery): Delivery {
    const value = JSON.parse(delivery.body.toString()) as Json;
    return this.compose({ event: delivery.event, value });
  }

  withBody(delivery: Delivery, body: Buffer): Delivery {
    const signature = this.sign(body, delivery.id, undefined, delivery.skew);
    const names = new Set(signature.map(([name]) => name.toLowerCase()));
    return {
      ...delivery,
      body,
      headers: [...delivery.headers.filter(([name]) => !names.has(name.toLowerCase())), ...signature],
    };
  }

  sign(...signed: Parameters<ReceiverKit['sign']>): readonly Header[] {
    return this.#signer.sign(...signed);
  }

  async deliver(given: Delivery, timeLimit?: number): Promise<Answer> {
    const { deliverer, activity, ended, hangWatch } = this.#context;
    if (this.#owner.controlsProcess !== true) await hangWatch.calm();
    this.#goOn(true);
    const delivery = this.#signer.timely(given);
    const answering = deliverer.deliver(delivery, ended, this.#attempts.mannerOf(delivery, timeLimit));
    const answer = await (this.#owner.givesWay ? activity.parkIfLong(answering) : answering);
    this.#goOn();
    this.#timeline.exchanged(delivery.id, answer);
    return this.#attempts.record(delivery, answer, { isWhole: timeLimit === undefined });
  }

  async deliverFrom(address: string, delivery: Delivery): Promise<Answer> {
    const answer = await this.deliver({ ...delivery, from: address });
    if (isUnsendable(answer)) throw new Unobservable(unsendableFrom(address, answer.code));
    return answer;
  }

  get processControl(): ProcessControl {
    const { target } = needed(this.#owner.controlsProcess ? this.#context.targetProcess : undefined, 'process-control');
    return (this.#processControl ??= target.controlFor(this.#owner, (moment) => this.#timeline.add(moment)));
  }

  get api(): PlayedApi {
    return needed(this.#context.api, 'api');
  }

  get secretVariable(): string {
    return needed(this.#context.plan.secretVariable, 'secret-variable');
  }

  get published(): readonly string[] {
    return this.#context.plan.published;
  }

  elapsed(): number {
    return this.#context.elapsed();
  }

  async deliverWithRetries(delivery: Delivery, recovery = 0): Promise<Answer> {
    const { log, targetProcess } = this.#context;
    const until = this.elapsed() + (log.refusedInVain ? 0 : recovery);
    let answer = await this.deliver(delivery);
    for (let tried = 1; log.repeats(answer, tried); tried++) {
      await this.pause(retryPauseAfter(answer, tried));
      answer = log.repeated(answer, await this.deliver(delivery));
    }
    const isRefused = (): boolean => answer.kind !== 'timed-out' && !this.accepts(answer);
    const isUp = (): boolean => targetProcess?.target.running !== false;
    for (; isRefused() && isUp() && this.elapsed() < until; answer = await this.deliver(delivery))
      await this.pause(retryPauses.longest);
    log.refusedInVain ||= recovery > 0 && this.elapsed() >= until && isRefused();
    return answer;
  }

  together(deliveries: readonly Delivery[]): Promise<readonly Answer[]> {
    return this.#sent('together', deliveries, { moment: ++this.#moments });
  }

  inTurn(deliveries: readonly Delivery[]): Promise<readonly Answer[]> {
    return this.#sent('inTurn', deliveries);
  }

  besideIdle<T>(connections: number, action: () => Promise<T>): Promise<T> {
    return this.#context.deliverer.besideIdle(connections, action);
  }

  async besideHeld<T>(given: readonly Delivery[], action: () => Promise<T>) {
    const deliveries = given.map((delivery) => this.#signer.timely(delivery));
    const { result, answers } = await this.#context.deliverer.besideHeld(deliveries, action, this.#heard(deliveries));
    return { result, answers: answers.map((answer, place) => this.#attempts.record(deliveries[place]!, answer)) };
  }

  accepts(answer: Answer): boolean {
    return answer.kind === 'answered' && this.acceptedStatuses.includes(answer.status);
  }

  get acceptedStatuses(): readonly number[] {
    const { status } = this.#found;
    return [...this.contract.delivery.acceptedStatuses, ...(status === undefined ? [] : [status])];
  }

  get takesForged(): boolean {
    const { secret } = this.#found;
    return secret === null || (secret !== undefined && !this.secrets.includes(secret));
  }

  async effects(expected: ReadonlyMap<string, number>, isSoon?: boolean): Promise<Effects> {
    const effects = await this.#effects.counted(expected, this.#attempts.lastAt, isSoon);
    this.#goOn();
    this.#timeline.counted(effects, expected);
    for (const id of expected.keys()) {
      const event = this.#context.log.eventOf(id);
      if (event !== undefined && !this.isEffective(event))
        throw new Unproven(`a plain delivery of ${event} did not show exactly one effect`);
    }
    return effects;
  }

  async untilEffect(ids: readonly string[], atLeast = 0): Promise<void> {
    const began = this.elapsed();
    this.#see(ids, await this.#effects.awaited(ids, atLeast));
    this.#attempts.waited(this.elapsed() - began);
  }

  async effectsSoFar(ids = this.#context.log.latest(4000)): Promise<Effects> {
    return this.#see(ids, await this.#effects.soFar(ids));
  }

  get settledEffects() {
    return this.#context.settler?.settledEffects ?? new Map();
  }

  isEffective(event: string): boolean {
    return this.#found.effective.has(event);
  }

  async pause(ms: number, isShared = false): Promise<void> {
    this.#attempts.waited(ms);
    const { ended } = this.#context;
    await (isShared ? this.#effects.quiet(ms) : sleep(ms, undefined, { signal: ended }).catch(() => undefined));
    this.#goOn();
  }

  note(detail: string, at = this.elapsed()): void {
    this.#timeline.add({ what: 'note', detail, at });
  }

  observe(gap: GapId | RequirementId, value: string, evidence: string): void {
    this.#context.emit({ type: 'observed', gap, value, evidence });
  }

  #see(ids: readonly string[], effects: Effects): Effects {
    this.#goOn();
    this.#timeline.counted(effects, new Map(ids.map((id) => [id, 1])));
    return effects;
  }

  async #sent(how: 'together' | 'inTurn', given: readonly Delivery[], circumstances: { moment?: number } = {}) {
    this.#goOn(true);
    const deliveries = given.map((delivery) => this.#signer.timely(delivery));
    const answers = await this.#context.deliverer[how](deliveries, this.#heard(deliveries));
    this.#goOn();
    return answers.map((answer, place) => this.#attempts.record(deliveries[place]!, answer, circumstances));
  }

  /** @param sends - whether the case is about to send something */
  #goOn(sends = false): void {
    if (this.#context.ended.aborted) throw new RunEnded('The run has ended.');
    if (sends) this.#effects.goOn();
  }

  #heard(deliveries: readonly Delivery[]): (answer: Answer, place: number) => void {
    return (answer, place) => this.#timeline.exchanged(deliveries[place]?.id ?? '', answer);
  }
}
