import type { Json } from '../../../generators/json/json.ts';
import type { Contract } from '../../../spec/contract.ts';
import { type ContractPart, partsOf } from '../../../spec/contractParts.ts';
import type { RequirementId } from '../../../spec/names.ts';
import type { Caught } from '../../exchange.ts';
import { deliveryKey } from '../../service/deliveryKey.ts';
import { isShownInactive } from '../../service/isInactive.ts';
import type { CatchingEndpoint, ServiceKit } from '../../serviceKit.ts';
import type { Found } from './found.ts';
import type { Raised, Registered, Sampled, WebhookDelivery } from './registered.ts';
import type { Slot } from './steps.ts';

/**
 * How an attempt ended for the service: `open` while it has not; `unclear` where it had the head of an accepting answer
 * and not the whole of it, because it left or because the connection broke. It may take that for an acceptance, since
 * the status says so, or for a failure, since the answer is not whole: it may try again or not.
 */
type Outcome = 'accepted' | 'refused' | 'broken' | 'open' | 'unclear';

/** How an attempt ended, as the service must have seen it. */
export function outcomeOf({ step, end }: Caught, { delivery }: Contract): Outcome {
  if (end === undefined) return 'open';
  const accepts = step.do === 'respond' && delivery.acceptedStatuses.includes(step.status);
  if (accepts) return end.kind === 'answered' ? 'accepted' : 'unclear';
  if (step.do === 'reset' && step.when === 'after') return 'unclear';
  return end.kind === 'answered' ? 'refused' : 'broken';
}

/** Whether the service has switched off a webhook, shown like this, as it may where any attempt was not accepted (GAP-5). */
export function isSwitchedOff(modelState: ServiceModelState, resource: Json | undefined): boolean {
  return hasFailed(modelState) && isShownInactive(modelState.kit, resource);
}

/** Whether any attempt was not accepted: nothing else lets a service switch a webhook off. */
export function hasFailed({ deliveries, kit }: ServiceModelState): boolean {
  return deliveries.some(({ attempts }) => attempts.some((each) => outcomeOf(each, kit.contract) !== 'accepted'));
}

/** What a delivery says of itself. */
interface Read {
  readonly event: string;
  readonly createdAt: unknown;
  readonly status: unknown;
}

/** A time in which the service did not run, or was frozen. */
export interface Away {
  readonly from: number;
  readonly to: number;
  /** Whether it was frozen only: it kept its memory. */
  readonly paused: boolean;
}

/** What one sequence did and saw. Steps write into it, and the judgement at the end reads it. */
export class ServiceModelState {
  readonly kit: ServiceKit;
  readonly registered: Registered[] = [];
  readonly raised: Raised[] = [];
  readonly sampled: Sampled[] = [];
  readonly away: Away[] = [];
  readonly found: Found[] = [];
  readonly judged = new Set<RequirementId>();
  readonly features = new Set<string>();
  /** How notifications were listed, each time they were looked up, in the order of time. */
  readonly readings: {
    readonly at: number;
    readonly until: number;
    readonly statuses: ReadonlyMap<string, unknown>;
  }[] = [];
  readonly #reads = new WeakMap<Caught, Read>();
  readonly #signed = new WeakMap<Caught, Map<string, boolean>>();
  readonly #seen = new Map<CatchingEndpoint, number>();
  #unended: Caught[] = [];
  #version = 0;
  #deliveries: { readonly version: string; readonly deliveries: readonly WebhookDelivery[] } | undefined;

  /** What the contract has. */
  readonly parts: ReadonlySet<ContractPart>;
  readonly #required: ReadonlySet<string>;

  constructor(kit: ServiceKit) {
    this.kit = kit;
    this.parts = partsOf(kit.contract);
    this.#required = new Set(kit.contract.requirements.map(({ id }) => id));
  }

  /** Whether a signature says to which of several webhooks at one url a delivery belongs. */
  get tellsOwners(): boolean {
    return this.parts.has('signature') && this.parts.has('webhook:secret');
  }

  /** The webhook with this name, as long as it was not deleted. */
  at(slot: Slot | null): Registered | undefined {
    return this.registered.find((each) => each.slot === slot && !each.now.gone);
  }

  /** The same for a step that is played only while it is there. @throws RangeError where it is not */
  there(slot: Slot): Registered {
    const registered = this.at(slot);
    if (registered !== undefined) return registered;
    throw new RangeError(`No webhook has the name ${slot} now.`);
  }

  /** Takes a finding down where there is one, as far as the contract asks for what it breaks. */
  accuse(found: Found | undefined): void {
    const requirements = (found?.requirements ?? []).filter((id) => this.#required.has(id));
    if (found && requirements.length > 0) this.found.push({ ...found, requirements });
  }

  /** Says that these requirements were looked at. */
  judge(...requirements: readonly RequirementId[]): void {
    for (const requirement of requirements) if (this.#required.has(requirement)) this.judged.add(requirement);
  }

  /** All places at which something may come. */
  get places(): ReadonlySet<CatchingEndpoint> {
    const own = this.registered.flatMap(({ places }) => [...places]);
    return new Set([...own, ...this.sampled.map(({ place }) => place)]);
  }

  /** Grows whenever something came, or the answer to something ended. */
  get version(): number {
    for (const place of this.places) {
      const seen = this.#seen.get(place) ?? 0;
      if (place.caught.length === seen) continue;
      this.#unended.push(...place.caught.slice(seen));
      this.#version += place.caught.length - seen;
      this.#seen.set(place, place.caught.length);
    }
    const open = this.#unended.filter(({ end }) => end === undefined);
    this.#version += this.#unended.length - open.length;
    this.#unended = open;
    return this.#version;
  }

  /** Every notification that came to a webhook of the sequence, samples aside. */
  get deliveries(): readonly WebhookDelivery[] {
    const version = `${this.version}/${this.registered.length}/${this.sampled.length}`;
    if (this.#deliveries?.version !== version) this.#deliveries = { version, deliveries: this.#sort() };
    return this.#deliveries.deliveries;
  }

  /** What came, but to a place that several webhooks share, and is signed for none of them. */
  get orphans(): readonly Caught[] {
    const shared = [...this.places].filter((place) => this.ownersOf(place).length > 1);
    return shared.flatMap((place) =>
      place.caught.filter((caught) => !this.isSample(caught, place) && this.#ownerOf(caught, place) === undefined),
    );
  }

  ownersOf(place: CatchingEndpoint): readonly Registered[] {
    return this.registered.filter(({ places }) => places.has(place));
  }

  read(caught: Caught): Read {
    const known = this.#reads.get(caught);
    if (known) return known;
    const event = this.kit.delivered(caught, 'event');
    const read = {
      event: typeof event === 'string' ? event : '',
      createdAt: this.kit.delivered(caught, 'createdAt'),
      status: this.kit.delivered(caught, 'status'),
    };
    this.#reads.set(caught, read);
    return read;
  }

  isSigned(caught: Caught, secret: unknown): boolean {
    if (typeof secret !== 'string' || secret === '') return false;
    const known = this.#signed.get(caught) ?? new Map<string, boolean>();
    this.#signed.set(caught, known);
    const is = known.get(secret) ?? this.kit.signature(caught, secret) !== undefined;
    known.set(secret, is);
    return is;
  }

  /** Whether it can only be a sample that was asked for there. */
  isSample(caught: Caught, place: CatchingEndpoint): boolean {
    return this.sampled.some(
      (sample) =>
        sample.place === place &&
        sample.at <= caught.at &&
        this.read(caught).event === sample.event &&
        this.#isSignedAs(caught, sample, place),
    );
  }

  /** Whether it may be a sample: one of this event was asked for at its place. */
  isSampled({ at, endpoint }: Caught, event: string): boolean {
    return this.sampled.some((each) => each.event === event && each.at <= at && each.place.url.endsWith(endpoint));
  }

  /** Whether the service was ended, and not only frozen, at some moment of that time. */
  endedBetween(from: number, to: number): boolean {
    return this.away.some((each) => !each.paused && each.from <= to && each.to >= from);
  }

  #isSignedAs(caught: Caught, { secret }: Sampled, place: CatchingEndpoint): boolean {
    // How a sample without a secret of its own is signed is not said: it comes to a url where nothing else does.
    if (!this.parts.has('sample:secret')) return this.ownersOf(place).length === 0;
    if (secret !== null) return this.isSigned(caught, secret);
    return this.kit.header(caught, this.kit.assumption('signature.header')) === undefined;
  }

  #sort(): readonly WebhookDelivery[] {
    const deliveries = new Map<
      string,
      { owner: Registered; id: string; event: string; attempts: [Caught, ...Caught[]] }
    >();
    for (const place of this.places) {
      for (const caught of place.caught) {
        if (this.isSample(caught, place)) continue;
        const owner = this.#ownerOf(caught, place);
        if (owner === undefined) continue;
        const { event } = this.read(caught);
        const name = `${this.registered.indexOf(owner)} ${deliveryKey({ id: caught.key, event })}`;
        const delivery = deliveries.get(name);
        if (delivery) delivery.attempts.push(caught);
        else deliveries.set(name, { owner, id: caught.key, event, attempts: [caught] });
      }
    }
    for (const { attempts } of deliveries.values()) attempts.sort((one, other) => one.at - other.at);
    return [...deliveries.values()];
  }

  #ownerOf(caught: Caught, place: CatchingEndpoint): Registered | undefined {
    const owners = this.ownersOf(place);
    if (owners.length < 2) return owners[0];
    return owners.find(({ webhook }) => this.isSigned(caught, webhook.secret));
  }
}

/** What a sequence needs to know of itself to decide whether a step makes sense. */
export interface Known {
  /** Names of webhooks that are there. */
  readonly taken: Set<Slot>;
  /** Whether updates and deletions seem not to be offered where they are assumed (GAP-9, GAP-13). */
  readonly missing: Set<'update' | 'remove'>;
}

/** How a kind of step is played. */
export interface Play<Step> {
  /** Whether it makes sense as things stand; else it does nothing. */
  can(known: Known, step: Step): boolean;
  /** Does it, and writes down what was done. @throws Unproven where the service gives no answer */
  play(modelState: ServiceModelState, step: Step, known: Known): Promise<void>;
}
