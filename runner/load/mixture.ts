import fc, { type Arbitrary, type Random } from 'fast-check';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

import { namingHeaders } from '../../generators/notification/signed.ts';
import { notification, type Notification, withId } from '../../generators/notification/notification.ts';
import { UnsupportedSchema } from '../../generators/schema/schemaContext.ts';
import { writeJson } from '../../generators/spelling/writeJson.ts';
import { assumptionValue } from '../../spec/assumptions.ts';
import type { CatalogueEvent } from '../../spec/contract.ts';
import { ContractError } from '../../spec/contractError.ts';
import { runScheme } from '../../spec/signature.ts';
import type { Delivery } from '../../suites/delivery.ts';
import type { SigningKit } from '../../suites/kit.ts';
import { forge, type Forgery, plainForgeries, wellFormedForgeries } from '../../suites/receiver/forgery.ts';
import { UsageError } from '../errors.ts';
import { customHeaders } from '../http/delivererOptions.ts';
import { CaseSigner } from '../receiver/caseSigner.ts';
import { madeRecent, newId } from '../receiver/freshDelivery.ts';
import type { LoadPlan } from './loadOptions.ts';

/** A notification that was sent once or more, and what is known of it: without its body, for there may be millions. */
export interface Original {
  readonly id: string;
  readonly event: string;
  /** How its signature was forged; nothing where it is genuine. */
  readonly forgery: Forgery | undefined;
  acknowledged: boolean;
  /** Milliseconds (monotonic) of its last delivery. */
  at: number;
  /** Whether it was reported that it was wrongly accepted, or that its effects are wrong. */
  reported: boolean;
}

/** One delivery of the mixture. */
export interface Sent {
  readonly kind: 'delivered' | 'redelivered' | 'forged';
  /** As it goes out now. */
  readonly delivery: Delivery;
  readonly original: Original;
}

/** Accepted deliveries that a redelivery is drawn from. */
const kept = 1000;

const forgeries: Arbitrary<Forgery> = fc.oneof(...wellFormedForgeries, fc.constantFrom(...plainForgeries));

/**
 * Generated deliveries of a contract, one after the other: plain ones, repeated ones and forged ones. The same seed gives the
 * same bodies and kinds in the same order, but for times. Ids are always new: a receiver that knows an id takes no second
 * delivery of it.
 */
export class Mixture {
  readonly #plan: LoadPlan;
  readonly #seed: number;
  readonly #signer: CaseSigner;
  readonly #signing: SigningKit;
  readonly #withCustomHeaders: (delivery: Delivery) => Delivery;
  readonly #notifications = new Map<CatalogueEvent, Arbitrary<Notification>>();
  #events: readonly CatalogueEvent[];
  readonly #accepted: Sent[] = [];
  #number = 0;
  #replaced = 0;

  constructor(plan: LoadPlan, seed: number) {
    this.#plan = plan;
    this.#seed = seed;
    this.#events = plan.events;
    const { secrets } = plan;
    const { scheme, header: signatureHeader } = runScheme(plan.contract, plan.assumptions);
    const signer = new CaseSigner({ scheme, signatureHeader, plan: { secrets } }, {});
    this.#signer = signer;
    this.#signing = { scheme, signatureHeader, secrets, sign: (...signed) => signer.sign(...signed) };
    this.#withCustomHeaders = customHeaders(plan.headers);
  }

  next(): Sent {
    const random = new fc.Random(xoroshiro128plus(fc.hash(`${this.#seed}/${this.#number++}`)));
    const choice = random.nextDouble();
    const { redeliveries, forgeries: forged } = this.#plan;
    if (choice < forged) return this.#forged(random);
    const earlier = choice < forged + redeliveries ? this.#drawn(this.#accepted, random) : undefined;
    if (earlier === undefined) return this.#first('delivered', this.#composed(random));
    earlier.original.at = performance.now();
    return { ...earlier, kind: 'redelivered', delivery: this.#signer.timely(earlier.delivery) };
  }

  /** From now on it may be delivered again. */
  acknowledge(sent: Sent): void {
    if (sent.original.acknowledged) return;
    sent.original.acknowledged = true;
    if (this.#plan.redeliveries > 0) this.#accepted[this.#replaced++ % kept] = sent;
  }

  #forged(random: Random): Sent {
    const forgery = forgeries.generate(random, undefined).value;
    return this.#first('forged', forge(this.#signing, this.#composed(random), forgery), forgery);
  }

  #first(kind: Sent['kind'], delivery: Delivery, forgery?: Forgery): Sent {
    const { id, event } = delivery;
    const at = performance.now();
    return { kind, delivery, original: { id, event, forgery, acknowledged: false, at, reported: false } };
  }

  #composed(random: Random): Delivery {
    const { contract, assumptions } = this.#plan;
    const drawn = madeRecent(contract, this.#notification(random), { now: Date.now(), fraction: '' });
    const id = newId(contract);
    const { event } = drawn;
    const body = writeJson(withId(contract, drawn, id).value, []);
    const headers = [
      ['Content-Type', assumptionValue(assumptions, 'body.mediaType')] as const,
      ...namingHeaders(contract, { id, event }),
      ...this.#signer.sign(body, id),
    ];
    return this.#withCustomHeaders({ id, event, method: contract.delivery.method, headers, body });
  }

  /** @throws UsageError where no body of any event can be made */
  #notification(random: Random): Notification {
    for (;;) {
      const event = this.#drawn(this.#events, random);
      if (event === undefined) throw noEventPossible(this.#plan);
      const arbitrary = this.#notifications.get(event) ?? arbitraryOrNone(this.#plan, event);
      if (arbitrary === undefined) this.#events = this.#events.filter((each) => each !== event);
      else {
        this.#notifications.set(event, arbitrary);
        return arbitrary.generate(random, undefined).value;
      }
    }
  }

  #drawn<T>(items: readonly T[], random: Random): T | undefined {
    return items.length === 0 ? undefined : items[random.nextInt(0, items.length - 1)];
  }
}

/** What no value is valid for, or what does not compile, is an event that nobody can send. */
function arbitraryOrNone({ contract }: LoadPlan, event: CatalogueEvent): Arbitrary<Notification> | undefined {
  try {
    return notification(contract, event);
  } catch (error) {
    if (error instanceof UnsupportedSchema || error instanceof ContractError) return undefined;
    throw error;
  }
}

function noEventPossible({ contract }: LoadPlan): UsageError {
  return new UsageError('SW_CONTRACT_INVALID', {
    received: `no valid body of any event of the contract ${contract.name} can be made`,
    next: 'seaworthy contract check says which schema is the reason, and where',
  });
}
