import type { Json } from '../../generators/json/json.ts';
import { valueAt } from '../../generators/json/jsonPointer.ts';
import { Unobservable, unlessUnobservable, Unproven } from '../../suites/check.ts';
import type { Call, CatchScript, CertificateFlaw } from '../../suites/exchange.ts';
import type {
  CallOptions,
  CatchingEndpoint,
  EndpointElsewhere,
  Registration,
  Webhook,
} from '../../suites/serviceKit.ts';
import type { Endpoint } from '../catcher/endpoint.ts';
import { describeAnswer } from '../../suites/answer.ts';
import { isMissing, isSuccess, jsonOf } from './answers.ts';
import { operationOf, type Caller, type Calling } from './caller.ts';
import { nameOf } from './deliveryLog.ts';
import { readList } from './lists.ts';
import type { Creations } from './creations.ts';
import { onePort, OwnPorts, type Place } from './ownPorts.ts';
import type { OperationChoice } from '../../spec/contract.ts';
import { idText } from '../../spec/delivery.ts';
import { offers, type WebhookMember } from '../../spec/serviceTerms.ts';
import { unlessEnded } from '../engine/ending.ts';
import type { Owner } from '../engine/cases.ts';
import {
  splitAttributes,
  turnedOff,
  type Attributes,
  callableId,
  creationBody,
  isReadFirst,
  plainAttributes,
  secretGiven,
  shownAttributes,
  type Whole,
  updateBody,
  webhookMember,
} from './webhookBody.ts';

/** What a registrar needs of a run. */
export interface Registering extends Calling {
  /** Those whose webhooks have not been removed yet. */
  readonly registrars: Set<Registrar>;
  readonly creations: Creations;
  /** Whether the webhooks that were removed are deleted, or turned inactive and still there; by id. A list that is behind may show all. */
  readonly removed: Map<string, 'deleted' | 'kept'>;
}

/** Registers, changes and removes webhooks for one owner. */
export class Registrar {
  readonly #context: Registering;
  readonly #caller: Caller;
  readonly owner: Owner;
  /** Ids of the webhooks that are to be removed. */
  readonly #made = new Set<string>();
  #isDone = false;
  /** Ids as answers show them: as texts or as whole numbers. */
  readonly #shownIds = new Map<string, Json>();
  /** What webhooks have, as it was answered and changed since, by the id. */
  readonly #set = new Map<string, Whole>();
  readonly #ownPorts: OwnPorts;
  readonly #endpointNames: string[] = [];
  /** The name of the endpoint that a webhook was created with, by the id. */
  readonly #endpointOf = new Map<string, string>();

  constructor(context: Registering, caller: Caller, owner: Owner) {
    this.#context = context;
    this.#caller = caller;
    this.owner = owner;
    const hear = (endpoint: Endpoint): void => context.hear(endpoint, owner);
    this.#ownPorts = new OwnPorts(context.catcher, { opened: (endpoint) => this.#note(endpoint), hear });
  }

  get #terms() {
    return this.#context.plan.terms;
  }

  /** An endpoint of the catcher for this owner. */
  endpoint(script: CatchScript = this.#accepting): Endpoint {
    const endpoint = this.#context.catcher.endpoint(script);
    this.#note(endpoint);
    this.#context.hear(endpoint, this.owner);
    return endpoint;
  }

  /** One at a port of its own. @throws Unobservable where the catcher can play none such */
  async endpointElsewhere(flaw?: CertificateFlaw): Promise<EndpointElsewhere> {
    const elsewhere = await this.#ownPorts.open(this.#accepting, flaw);
    if (elsewhere === undefined) throw onePort(flaw);
    const { url, caught } = elsewhere.endpoint;
    return {
      url,
      caught,
      get connections() {
        return elsewhere.connections;
      },
    };
  }

  /** @throws Unproven where the service does not create it */
  async register(how: Registration, events: readonly string[]): Promise<Webhook> {
    const place =
      how.refusing === true ? await this.#ownPorts.refusing(how.script ?? this.#accepting) : await this.#listen(how);
    const attributes = this.attributes(place.endpoint.url, { events, ...how });
    const creation = await this.#caller.call('create', {
      body: this.creation(attributes),
      ...(how.mediaType !== undefined && { mediaType: how.mediaType }),
      ...(how.accept !== undefined && { accept: how.accept }),
    });
    this.#context.creations.add(creation);
    const webhook = this.adopt(creation, place.endpoint, place.open) ?? (await this.#listed(creation, place));
    if (webhook) return this.#withRest(webhook, attributes);
    throw new Unproven(`a webhook could not be created: the service answered ${describeAnswer(creation.answer)}`);
  }

  /** Sets what a creation does not take. @throws Unproven where the service does not change it */
  async #withRest(webhook: Webhook, attributes: Attributes): Promise<Webhook> {
    const { later, isOff } = splitAttributes(this.#context.plan, attributes);
    if (later === undefined) return webhook;
    const call = await this.update(webhook, later);
    if (isSuccess(call)) return isOff ? { ...webhook, active: false } : webhook;
    throw new Unproven(`a webhook could not be updated: the service answered ${describeAnswer(call.answer)}`);
  }

  /** The webhook of a creation that succeeded, and whose answer does not show it, as it is listed. */
  async #listed(creation: Call, { endpoint, open }: Place): Promise<Webhook | undefined> {
    if (!isSuccess(creation)) return undefined;
    try {
      const { items } = await readList(this.#context, this.#caller, 'list');
      const resource = items.find((item) => nameOf(String(this.member(item, 'url'))) === nameOf(endpoint.url));
      return resource === undefined ? undefined : this.#webhook(resource, creation, endpoint, open);
    } catch (error) {
      return unlessUnobservable(error);
    }
  }

  /** The webhook that an accepted creation shows; it is removed in the end. */
  adopt(creation: Call, endpoint: CatchingEndpoint, open: () => Promise<void> = async () => {}): Webhook | undefined {
    const answer = isSuccess(creation) ? jsonOf(creation) : undefined;
    const resource = answer === undefined ? undefined : valueAt(answer, this.#terms.webhook.answer);
    return resource === undefined ? undefined : this.#webhook(resource, creation, endpoint, open);
  }

  #webhook(resource: Json, creation: Call, endpoint: CatchingEndpoint, open: Place['open']): Webhook | undefined {
    const id = this.#ownIdOf(resource);
    if (id === undefined) return undefined;
    const at = (name: WebhookMember): unknown => this.member(resource, name);
    const [secret, name] = [secretGiven(this.#context.plan, creation), nameOf(endpoint.url)];
    const webhook: Webhook = {
      id,
      url: at('url'),
      active: at('active'),
      events: at('events'),
      secret: secret ?? at('secret'),
      headers: at('headers'),
      createdAt: at('createdAt'),
      resource,
      creation,
      endpoint,
      open,
    };
    this.#set.set(id, { whole: shownAttributes(this.#terms, resource), secret });
    this.#endpointOf.set(id, name);
    if (webhook.active !== false) this.#context.deliveryLog.subscribers.set(name, this.#context.elapsed());
    return webhook;
  }

  member(resource: Json, name: WebhookMember): unknown {
    return webhookMember(this.#terms, resource, name);
  }

  attributes(url: string, registration: Registration): Attributes {
    return plainAttributes(this.#terms, url, registration);
  }

  /** The body of a creation, with what it takes of these. */
  creation(attributes: Attributes): Json {
    return creationBody(this.#context.plan, splitAttributes(this.#context.plan, attributes).taken);
  }

  /** @throws Unobservable where updates are not offered as assumed */
  async update({ id }: Pick<Webhook, 'id'>, attributes: Attributes): Promise<Call> {
    if (!offers(this.#context.plan.contract, 'update'))
      throw new Unobservable('the contract names no operation that updates a webhook');
    const { method, path } = operationOf(this.#context, 'update');
    const set = { ...this.#set.get(id), whole: { ...this.#set.get(id)?.whole, ...attributes } };
    const shown = isReadFirst(this.#context.plan) ? await this.read(id) : undefined;
    const change = { attributes, set, shown, isAll: method === 'PUT' };
    const body = updateBody(this.#context.plan, this.#shownIds.get(id) ?? id, change);
    const call = await this.#caller.call('update', { parameters: { id }, body });
    if (isSuccess(call)) this.#set.set(id, set);
    if (!isMissing(call)) return call;
    throw new Unobservable(
      `the service does not offer ${method} ${path}; --assume 'update=<METHOD> <path>' says how a webhook is updated`,
    );
  }

  /** As it is read; nothing where the service does not show it. */
  async read(id: string): Promise<Json | undefined> {
    const call = await this.#caller.call('read', { parameters: { id } });
    const answer = isSuccess(call) ? jsonOf(call) : undefined;
    return answer === undefined ? undefined : valueAt(answer, this.#terms.webhook.answer);
  }

  /** Ids of the webhooks that have not been removed. */
  get remaining(): readonly string[] {
    return [...this.#made];
  }

  /** Removes what this owner registered, or turns it inactive. What is {@link remaining} then could not be removed. */
  async clean(): Promise<void> {
    this.#isDone = true;
    await Promise.all(this.remaining.map((id) => this.#remove(id)));
    await this.#ownPorts.close();
    this.#context.leftEndpoints.add(this.#endpointNames.splice(0));
    if (this.#made.size === 0) this.#context.registrars.delete(this);
  }

  async removeListed(items: readonly Json[]): Promise<void> {
    for (const item of items) {
      const id = this.#context.removed.has(idText(this.member(item, 'id')) ?? '') ? undefined : this.#ownIdOf(item);
      if (id !== undefined) this.#set.set(id, { whole: shownAttributes(this.#terms, item) });
    }
    await this.clean();
  }

  /** Any call of this owner. A webhook that it deletes need not be removed in the end. */
  async call(operation: OperationChoice, how?: CallOptions): Promise<Call> {
    const call = await this.#caller.call(operation, how);
    const { id } = how?.parameters ?? {};
    const isDeletion = call.request.operationId === this.#terms.operations.delete;
    if (isDeletion && id !== undefined && isSuccess(call)) this.#forget(id, 'deleted');
    if (this.#made.size === 0) this.#context.registrars.delete(this);
    return call;
  }

  /** Forgets what the service no longer lists. */
  forgetAllBut(items: readonly Json[]): void {
    const listed = new Set(items.map((item) => idText(this.member(item, 'id'))));
    for (const id of this.#made) if (!listed.has(id)) this.#made.delete(id);
  }

  /** The id of a webhook that is to be removed; nothing where its resource shows none. */
  #ownIdOf(resource: Json): string | undefined {
    const shown = this.member(resource, 'id');
    const id = callableId(shown);
    if (id === undefined) return;
    this.#shownIds.set(id, shown as Json);
    this.#made.add(id);
    this.#context.registrars.add(this);
    // It was still being created when this owner was done, as where another creation beside it failed.
    if (this.#isDone) void this.#remove(id).catch(unlessEnded);
    return id;
  }

  async #remove(id: string): Promise<void> {
    try {
      if (await this.#deleted(id)) this.#forget(id, 'deleted');
      else if (await this.#turnedOff(id)) this.#forget(id, 'kept');
    } catch (error) {
      if (!(error instanceof Unproven || error instanceof Unobservable)) throw error;
    }
  }

  #forget(id: string, how: 'deleted' | 'kept'): void {
    this.#made.delete(id);
    this.#context.removed.set(id, how);
  }

  async #deleted(id: string): Promise<boolean> {
    const isOffered = offers(this.#context.plan.contract, 'delete');
    const isDeleted = isOffered && isSuccess(await this.#caller.call('delete', { parameters: { id } }));
    if (isDeleted) this.#context.leftEndpoints.noteDeletion(this.#endpointOf.get(id), this.#context.elapsed());
    return isDeleted;
  }

  async #turnedOff(id: string): Promise<boolean> {
    const inactive = turnedOff(this.#terms);
    return inactive !== undefined && isSuccess(await this.update({ id }, inactive));
  }

  async #listen({ script = this.#accepting, others, meanwhile = script, url, apart }: Registration) {
    if (url !== undefined) return { endpoint: { url, caught: [] }, open: async () => {} };
    const elsewhere = apart && (await this.#ownPorts.open(meanwhile));
    const endpoint = elsewhere?.endpoint ?? this.endpoint(meanwhile);
    if (others !== undefined) endpoint.setScript(meanwhile, others);
    return { endpoint, open: async () => endpoint.setScript(script, others) };
  }

  get #accepting(): CatchScript {
    return [{ do: 'respond', status: this.#context.plan.contract.delivery.acceptedStatuses[0]! }];
  }

  /** Webhooks at it are the run's own, also for a run that goes on with this one. */
  #note({ url }: { readonly url: string }): void {
    this.#endpointNames.push(nameOf(url));
    this.#context.endpoints.add(nameOf(url));
    this.#context.emit({ type: 'endpoint.opened', ...this.owner, url });
  }
}
