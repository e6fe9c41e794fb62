import { isAmong } from '../../suites/answer.ts';
import { randomUUID } from 'node:crypto';

import type { Json } from '../../generators/json/json.ts';
import { type RunScheme, runScheme } from '../../spec/signature.ts';
import { type ServiceFinding, Unproven } from '../../suites/check.ts';
import type { Call, Caught, CatchScript, CertificateFlaw, Exchange, FoundSignature } from '../../suites/exchange.ts';
import type {
  CatchingEndpoint,
  EndpointElsewhere,
  TriggeredEvent,
  ListedNotification,
  Notified,
  Registration,
  ServiceKit,
  Webhook,
} from '../../suites/serviceKit.ts';
import type { ProcessControl } from '../../suites/processControl.ts';
import type { TrackedNumber } from '../../suites/service/trackingBody.ts';
import type { Moment } from '../../reports/model/events.ts';
import { usualConcurrency } from '../engine/plan.ts';
import type { Activity } from '../engine/activity.ts';
import { isMissing, isSuccess, judgedJson, mediaTypeOf, noAnswerTo } from './answers.ts';
import { RetriesAcrossSittings } from './acrossSittings.ts';
import { CaseLearning } from './caseLearning.ts';
import { Caller } from './caller.ts';
import { type ScenarioEvents, assumed } from './runState.ts';
import type { Owner } from '../engine/cases.ts';
import type { ServiceContext } from './serviceContext.ts';
import { Deliveries } from './deliveries.ts';
import { readList } from './lists.ts';
import { bodyJson, memberAt } from './located.ts';
import { Registrar } from './registrar.ts';
import type { Listing } from '../../suites/service/listing.ts';
import { overdueAfter } from './settlingTime.ts';
import { ServiceTimeline } from './serviceTimeline.ts';
import { idText } from '../../spec/delivery.ts';
import { authorizationWith, offers } from '../../spec/serviceTerms.ts';
import { findSignature, valueOf } from './signatures.ts';

/** The kit of one case. Everything that goes through it is recorded and reported. */
export class ServiceCaseKit implements ServiceKit {
  readonly #context: ServiceContext;
  readonly #calls: Call[] = [];
  readonly #endpoints: CatchingEndpoint[] = [];
  readonly caller: Caller;
  readonly #registrar: Registrar;
  readonly #deliveries: Deliveries;
  readonly #timeline: ServiceTimeline;
  readonly #control: ProcessControl | undefined;
  readonly scenarioEvents: ScenarioEvents;
  readonly events: readonly string[];
  readonly isMute: boolean;
  readonly concurrency: number;
  readonly window: number;
  readonly trackable: readonly TrackedNumber[];
  readonly untrackable: readonly TrackedNumber[];
  readonly learning: CaseLearning;
  readonly acrossSittings: RetriesAcrossSittings;

  /**
   * @param activity - where the case holds its place, which it gives away while it waits
   * @param isAgain - whether it was tried before. Default false
   */
  constructor(context: ServiceContext, owner: Owner, activity: Activity, isAgain = false) {
    this.#context = context;
    const { plan, solo, targetProcess } = context;
    this.concurrency = plan.concurrency ?? usualConcurrency;
    this.window = plan.retryWindow;
    this.trackable = plan.trackable;
    this.untrackable = plan.untrackable;
    this.caller = new Caller(() => context, owner, { record: (call) => this.#calls.push(call), isAgain });
    this.#registrar = new Registrar(context, this.caller, owner);
    this.#deliveries = new Deliveries(context, activity);
    this.learning = new CaseLearning(context);
    this.acrossSittings = new RetriesAcrossSittings(context, owner);
    this.#timeline = new ServiceTimeline(() => context.elapsed());
    if (activity === solo) this.#control = targetProcess?.target.controlFor(owner, (each) => this.#timeline.add(each));
    const shared = activity === context.scenarios || activity === context.calls;
    this.scenarioEvents = shared ? context.scenarioEvents : context.otherScenarioEvents;
    this.events = context.triggeredEvents.events;
    this.isMute = context.triggeredEvents.isMute;
  }

  get contract() {
    return this.#context.plan.contract;
  }
  get terms() {
    return this.#context.plan.terms;
  }
  get base() {
    return this.#context.base;
  }
  get authorization() {
    return authorizationWith(this.terms, this.#context.plan.token);
  }
  get exchanges(): readonly Exchange[] {
    const caught = this.#endpoints.flatMap((endpoint) => endpoint.caught);
    return [...this.#calls, ...caught].toSorted((one, other) => one.at - other.at);
  }

  assumption(key: Parameters<ServiceKit['assumption']>[0]): string {
    return assumed(this.#context, key);
  }

  elapsed(): number {
    return this.#context.elapsed();
  }

  readonly now = Date.now;
  readonly freshId = randomUUID;

  async call(...asked: Parameters<ServiceKit['call']>): Promise<Call> {
    const call = await this.attempt(...asked);
    if (call.answer.kind === 'answered') return call;
    throw new Unproven(noAnswerTo(call.request, call.answer));
  }

  attempt(...asked: Parameters<ServiceKit['attempt']>): Promise<Call> {
    return this.#registrar.call(...asked);
  }

  readonly succeeded = isSuccess;
  readonly missing = isMissing;
  readonly json = judgedJson;
  readonly mediaType = mediaTypeOf;

  refused(call: Call): boolean {
    return isAmong(this, call, 'refusal.status');
  }

  list(operation: Parameters<ServiceKit['list']>[0], pageSize?: string): Promise<Listing> {
    return readList(this.#context, this.caller, operation, { pageSize });
  }

  endpoint(script?: CatchScript): CatchingEndpoint {
    const endpoint = this.#registrar.endpoint(script);
    this.#endpoints.push(endpoint);
    return endpoint;
  }

  async endpointElsewhere(flaw?: CertificateFlaw): Promise<EndpointElsewhere> {
    const endpoint = await this.#registrar.endpointElsewhere(flaw);
    this.#endpoints.push(endpoint);
    return endpoint;
  }

  creation(attributes: Readonly<Record<string, Json>>): Json {
    return this.#registrar.creation(attributes);
  }

  plainAttributes(url: string, registration: Registration = {}): Readonly<Record<string, Json>> {
    return this.#registrar.attributes(url, { events: [this.scenarioEvents[0]], ...registration });
  }

  async register(how: Registration = {}): Promise<Webhook> {
    const webhook = await this.#registrar.register(how, [this.scenarioEvents[0]]);
    this.#endpoints.push(webhook.endpoint);
    return webhook;
  }

  registerMany(count: number, how: (index: number) => Registration): Promise<readonly Webhook[]> {
    return Promise.all(Array.from({ length: count }, (_, index) => this.register(how(index))));
  }

  adopt(creation: Call, endpoint: CatchingEndpoint = this.endpoint()): Webhook | undefined {
    return this.#registrar.adopt(creation, endpoint);
  }

  update(webhook: Webhook, attributes: Readonly<Record<string, Json>>): Promise<Call> {
    return this.#registrar.update(webhook, attributes);
  }

  async current({ id }: Webhook): Promise<Json | undefined> {
    if (!offers(this.contract, 'list') && offers(this.contract, 'read')) return this.#registrar.read(id);
    const { items } = await this.list('list');
    return items.find((item) => idText(this.member(item, 'id')) === id);
  }

  member(resource: Json, name: Parameters<ServiceKit['member']>[1]): unknown {
    return this.#registrar.member(resource, name);
  }

  trigger(event: string): Promise<TriggeredEvent> {
    return this.#deliveries.trigger(event);
  }

  triggerAll(events: readonly string[]): Promise<readonly TriggeredEvent[]> {
    return this.#deliveries.triggerAll(events);
  }

  arrival({ endpoint }: Webhook, triggered: TriggeredEvent): Promise<Notified | undefined> {
    return this.#deliveries.arrival(endpoint, triggered);
  }

  arrivals({ endpoint }: Webhook, triggered: TriggeredEvent): Promise<readonly Notified[]> {
    return this.#deliveries.arrivals(endpoint, triggered);
  }

  notifications(endpoint: CatchingEndpoint): readonly Notified[] {
    return this.#context.deliveryLog.at(endpoint);
  }

  readonly monitored = (event?: string): readonly Notified[] => this.#context.triggeredEvents.monitored(event);

  untilAttempt(notified: Notified, number: number): Promise<boolean> {
    return this.#deliveries.untilAttempt(notified, number);
  }

  staysQuiet(notified: Notified): Promise<boolean> {
    return this.#deliveries.staysQuiet(notified);
  }

  readonly attemptSeen = (number: number): boolean => this.#deliveries.attemptSeen(number);
  readonly lastCaught = (): number => this.#context.traffic.latest;
  readonly isOverdue = (notified: Notified): boolean => this.#deliveries.isOverdue(notified);

  untilCaught(endpoint: CatchingEndpoint, count = 1): Promise<readonly Caught[]> {
    return this.#deliveries.untilCaught(endpoint, count);
  }

  settle(): Promise<void> {
    return this.#deliveries.settle();
  }

  listed(ids: readonly string[]): Promise<ReadonlyMap<string, ListedNotification>> {
    return this.#context.listedNotifications.lookUp(ids);
  }

  untilListed(id: string, statuses: readonly string[]): Promise<ListedNotification | undefined> {
    return this.#deliveries.untilListed(id, statuses);
  }

  until<T>(ask: () => Promise<T | undefined>): Promise<T | undefined> {
    return this.#deliveries.until(ask);
  }

  get processControl(): ProcessControl {
    if (this.#control) return this.#control;
    throw new TypeError('the check does not need process-control: add it to its needs');
  }

  async raise(event: string): Promise<TriggeredEvent> {
    const triggered = await this.#context.triggeredEvents.raise(event);
    this.#timeline.add({ what: 'note', detail: `${event} has happened` });
    return triggered;
  }

  soon<T>(look: () => T | undefined, ms: number): Promise<T | undefined> {
    return this.#deliveries.soon(look, ms);
  }

  overdueAfter(measured: { readonly took: number; readonly timeout: number }): number {
    return overdueAfter(this.#context, measured);
  }

  stillHeld<T>(look: () => T | undefined): Promise<T | undefined> {
    return this.#deliveries.stillHeld(look);
  }

  /** What was done and seen, for a finding of the case; nothing where it had no process control. */
  timelineOf(finding: ServiceFinding): readonly Moment[] | undefined {
    return this.#control && this.#timeline.of(finding, this.#endpoints);
  }

  signature(caught: Caught, secret: string): FoundSignature | undefined {
    return findSignature(caught, secret, this.signing);
  }

  get signing(): RunScheme {
    return runScheme(this.contract, this.#context.plan.assumptions);
  }

  header({ headers }: Caught, name: string): string | undefined {
    return valueOf(headers, name);
  }

  delivered(caught: Caught, member: keyof ServiceKit['contract']['delivery']['members']): unknown {
    return memberAt(caught, this.contract.delivery, member);
  }

  deliveredJson({ body }: Caught): Json | undefined {
    return bodyJson(body);
  }

  observe(...seen: Parameters<ServiceKit['observe']>): void {
    this.learning.observe(...seen);
  }

  learn(...seen: Parameters<ServiceKit['learn']>): void {
    this.learning.learn(...seen);
  }

  /** Removes the webhooks of the case. What cannot be removed is tried again at the end of the run. */
  clean(): Promise<void> {
    return this.#registrar.clean();
  }
}
