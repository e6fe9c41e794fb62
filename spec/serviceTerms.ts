import { ContractError } from './contractError.ts';
import type { Location } from './location.ts';
import { isRecord } from './jsonSchema.ts';
import { operationRoles, type OperationRole } from './names.ts';

export const memberNames = ['id', 'type', 'url', 'active', 'events', 'secret', 'headers', 'createdAt'] as const;
export const neededMembers = ['id', 'url', 'events'] as const;
/** What a client sets, and sends as a whole where an update replaces the resource. The secret is the service's. */
export const settable = ['url', 'active', 'events', 'headers'] as const satisfies readonly WebhookMember[];
export const recordNames = ['id', 'type', 'event', 'status', 'createdAt'] as const;
export const statusNames = ['underway', 'accepted', 'exhausted'] as const;
export const trackingNames = ['requestType', 'number', 'issuer', 'status'] as const;

/** Something that may stand in the resource of a webhook. */
export type WebhookMember = (typeof memberNames)[number];
type NeededMember = (typeof neededMembers)[number];

/** Where things stand in the resource of a webhook: JSON Pointers (RFC 6901), where the contract places them. */
export type WebhookMembers = Readonly<Record<NeededMember, string> & Partial<Record<WebhookMember, string>>>;

/** How a webhook says whether it is notified: a status, or a flag that says the contrary. */
export interface WebhookStates {
  readonly active: string | boolean;
  readonly inactive: string | boolean;
}

/** What the list of notifications holds of one, beside its id. */
export type RecordMember = (typeof recordNames)[number];

/** How the lists of an API turn their pages. What is left out is an assumption. */
export interface ListTerms {
  /** Where an answer holds the items, a JSON Pointer; the one member that is a list where it holds none there. */
  readonly items?: string;
  /** Where it holds the address of the next page, or its cursor: a JSON Pointer. */
  readonly next?: string;
  /** The query parameter that takes the cursor; nothing where `next` is an address. */
  readonly cursor?: string;
  /** The query parameter that takes the number of a page. */
  readonly page?: string;
  /** The query parameter that takes the size of a page. */
  readonly size?: string;
}

/** How the verification of a URL is known, and answered. */
export interface VerificationTerms {
  readonly at: Location;
  /** Default: any text. */
  readonly value?: string;
  /** Where its body holds what the answer has to hold at the same place: a JSON Pointer. */
  readonly echo?: string;
}

/** Requests to track something by its number, where the service is one that tracks. */
export interface TrackingTerms {
  readonly type: string;
  readonly wrapper: string;
  /** The events that say that it was found, and that it was not. */
  readonly found: string;
  readonly unknown: string;
  /** Where things stand in a resource: JSON Pointers. */
  readonly members: Readonly<Record<(typeof trackingNames)[number], string>>;
  /** The one value of the request type that every service knows. */
  readonly requestType: string;
  /** What users call an issuer and a number: `ISSUER:NUMBER`. */
  readonly written: string;
}

/** What a service's API is like, as far as a program has to know: the `service` of a contract. */
export interface ServiceTerms {
  /** The header that carries the key, and the word before it; empty where the key stands there alone. */
  readonly authorization: { readonly header: string; readonly scheme: string };
  /** The operationId of each role that the service has. */
  readonly operations: Readonly<{ create: string } & Partial<Record<OperationRole, string>>>;
  /** Registered endpoints. */
  readonly webhook: {
    /** The value of a resource's `type`; nothing where it has none. */
    readonly type?: string;
    /** Where a call holds the resource: a JSON Pointer (RFC 6901), empty where it is the whole body. */
    readonly wrapper: string;
    /** The same for an answer. */
    readonly answer: string;
    /** What ids look like: `uuid`, `integer`, or a regular expression for the whole of one. Nothing: any text or whole number. */
    readonly form?: string;
    readonly members: WebhookMembers;
    /** What stands at `members.active`. Default: true and false */
    readonly states?: WebhookStates;
  };
  /** What is sent to them, where the service lists that. */
  readonly notification?: {
    /** How its status reads while it is new and tried, once it was accepted, and once no try is left. */
    readonly statuses: Readonly<Record<(typeof statusNames)[number], string>>;
    /** Where things stand in an item of the list. Default: as in a delivery, with or without what wraps it there */
    readonly members?: Readonly<{ id: string; status: string } & Partial<Record<RecordMember, string>>>;
    /** The schema that every body has, whichever its event. Default: only the one of its event */
    readonly schema?: string;
  };
  /** What is asked for when a sample is wanted: JSON Pointers into the body of the call. */
  readonly sample?: { readonly members: Readonly<{ url: string; event: string; secret?: string }> };
  readonly list?: ListTerms;
  /** What it sends to a URL beside events, so that the URL is verified. */
  readonly verification?: VerificationTerms;
  readonly tracking?: TrackingTerms;
}

/** Whether an operation of the contract plays this part. */
export function offers({ service }: { readonly service: ServiceTerms | undefined }, role: OperationRole): boolean {
  return service?.operations[role] !== undefined;
}

/** The part that an operation plays; nothing where it plays none. */
export function roleOfOperation(
  { service }: { readonly service: ServiceTerms | undefined },
  operationId: string,
): OperationRole | undefined {
  return operationRoles.find((role) => service?.operations[role] === operationId);
}

/**
 * Where a member stands in the resource of a webhook.
 *
 * @throws ContractError (`contract/unknown-name`) where this contract places none there: a check that asks is about
 * contracts that do, and says so in its `about`
 */
export function memberPlace({ webhook }: Pick<ServiceTerms, 'webhook'>, member: WebhookMember): string {
  return webhook.members[member] ?? lacks(`places no ${member} in the resource of a webhook`);
}

/** What stands in a resource for a webhook that is active, or not. */
export function stateOf({ webhook }: Pick<ServiceTerms, 'webhook'>, isActive: boolean): string | boolean {
  const { active, inactive } = webhook.states ?? { active: true, inactive: false };
  return isActive ? active : inactive;
}

/** Whether a webhook is active, by what stands in a resource; that itself, where it is none of the two. */
export function activeBy<T>(terms: Pick<ServiceTerms, 'webhook'>, shown: T): T | boolean {
  if (shown === stateOf(terms, true)) return true;
  return shown === stateOf(terms, false) ? false : shown;
}

/** The terms of samples. @throws ContractError (`contract/unknown-name`) where the service sends none */
export function sampleTerms({ sample }: Pick<ServiceTerms, 'sample'>): NonNullable<ServiceTerms['sample']> {
  return sample ?? lacks('says nothing of samples');
}

/** The statuses of notifications. @throws ContractError (`contract/unknown-name`) where the service lists none */
export function statusTerms({ notification }: Pick<ServiceTerms, 'notification'>) {
  return notification?.statuses ?? lacks('names no statuses of notifications');
}

/** The terms of tracking. @throws ContractError (`contract/unknown-name`) where the service does not track */
export function trackingTerms({ tracking }: Pick<ServiceTerms, 'tracking'>): TrackingTerms {
  return tracking ?? lacks('says nothing of tracking');
}

/** The events that a number brings about, and that nothing else should be made to happen for; none where nothing is tracked. */
export function eventsOfNumbers({ tracking }: Pick<ServiceTerms, 'tracking'>): readonly string[] {
  return tracking === undefined ? [] : [tracking.found, tracking.unknown];
}

/** What carries the key in a call: the word of the contract and the key, or the key alone. */
export function authorizationWith({ authorization }: Pick<ServiceTerms, 'authorization'>, key: string): string {
  return authorization.scheme === '' ? key : `${authorization.scheme} ${key}`;
}

function lacks(what: string): never {
  throw new ContractError('contract/unknown-name', `The contract ${what}. Look whether it does before you ask for it.`);
}

/** A member of what may be an object. */
export function within(holder: unknown, name: string): unknown {
  return isRecord(holder) ? holder[name] : undefined;
}
