import { ContractError } from './contractError.ts';
import { isRecord } from './jsonSchema.ts';
import { operationRoles, type OperationRole } from './names.ts';

const memberNames = ['id', 'type', 'url', 'active', 'events', 'secret', 'headers', 'createdAt'] as const;
const statusNames = ['underway', 'accepted', 'exhausted'] as const;
const sampleNames = ['url', 'event', 'secret'] as const;
const trackingNames = ['requestType', 'number', 'scac', 'status'] as const;

/** What a service's API is like, as far as a program has to know: the `service` of a contract. */
export interface ServiceTerms {
  /** The header that carries the key, and the word before it. */
  readonly authorization: { readonly header: string; readonly scheme: string };
  /** The operationId of each role. */
  readonly operations: Readonly<Record<OperationRole, string>>;
  /** Registered endpoints. */
  readonly webhook: {
    /** The value of a resource's `type`. */
    readonly type: string;
    /** Where a creation, and the answer to it, hold the resource: a JSON Pointer (RFC 6901). */
    readonly wrapper: string;
    /** Where things stand in a resource: JSON Pointers. */
    readonly members: Readonly<Record<(typeof memberNames)[number], string>>;
  };
  /** What is sent to them. */
  readonly notification: {
    /** How its status reads while it is new and tried, once it was accepted, and once no try is left. */
    readonly statuses: Readonly<Record<(typeof statusNames)[number], string>>;
  };
  /** What is asked for when a sample is wanted: JSON Pointers into the body of the call. */
  readonly sample: { readonly members: Readonly<Record<(typeof sampleNames)[number], string>> };
  /** Requests to track something. */
  readonly tracking: {
    readonly type: string;
    readonly wrapper: string;
    /** The events that say that it was found, and that it was not. */
    readonly found: string;
    readonly unknown: string;
    /** Where things stand in a resource: JSON Pointers. */
    readonly members: Readonly<Record<(typeof trackingNames)[number], string>>;
    /** The one value of the request type that every service knows. */
    readonly requestType: string;
  };
}

/**
 * Reads the `service` of a `contract.yaml`.
 *
 * @param events - the catalogue
 * @param operationIds - the operations of the document
 * @returns nothing where the contract has none: it describes deliveries only
 * @throws ContractError (`contract/service`) where it is incomplete
 */
export function parseServiceTerms(
  terms: Readonly<Record<string, unknown>> | undefined,
  events: readonly string[],
  operationIds: readonly string[],
): ServiceTerms | undefined {
  if (terms === undefined) return undefined;
  const at = (...path: readonly string[]): string => text(terms, path);
  const oneOf = (known: readonly string[], what: string, ...path: readonly string[]): string => {
    const name = at(...path);
    if (known.includes(name)) return name;
    throw invalid(path, name, what);
  };
  const event = (...path: readonly string[]) => oneOf(events, 'an event of the catalogue', ...path);
  const operation = (role: string) => oneOf(operationIds, 'the operationId of an operation', 'operations', role);
  const webhook = (name: string): string => pointer(terms, ['webhook', 'members', name]);
  const tracking = (name: string): string => pointer(terms, ['tracking', 'members', name]);
  return {
    authorization: { header: at('authorization', 'header'), scheme: at('authorization', 'scheme') },
    webhook: {
      type: at('webhook', 'type'),
      wrapper: pointer(terms, ['webhook', 'wrapper']),
      members: each(memberNames, webhook),
    },
    notification: { statuses: each(statusNames, (name) => at('notification', 'statuses', name)) },
    sample: { members: each(sampleNames, (name) => pointer(terms, ['sample', 'members', name])) },
    tracking: {
      type: at('tracking', 'type'),
      wrapper: pointer(terms, ['tracking', 'wrapper']),
      found: event('tracking', 'found'),
      unknown: event('tracking', 'unknown'),
      members: each(trackingNames, tracking),
      requestType: at('tracking', 'requestType'),
    },
    operations: each(operationRoles, operation),
  };
}

function each<Name extends string>(names: readonly Name[], read: (name: Name) => string): Record<Name, string> {
  return Object.fromEntries(names.map((name) => [name, read(name)])) as Record<Name, string>;
}

function text(terms: unknown, path: readonly string[]): string {
  const value = path.reduce<unknown>((found, name) => (isRecord(found) ? found[name] : undefined), terms);
  if (typeof value === 'string' && value !== '') return value;
  throw invalid(path, value, 'a text');
}

function pointer(terms: unknown, path: readonly string[]): string {
  const value = text(terms, path);
  if (/^(\/([^~/]|~[01])+)+$/.test(value)) return value;
  throw invalid(path, value, 'a JSON Pointer such as /attributes/url');
}

function invalid(path: readonly string[], received: unknown, valid: string): ContractError {
  return new ContractError(
    'contract/service',
    `/service/${path.join('/')} of contract.yaml is ${JSON.stringify(received) ?? 'missing'}; valid is ${valid}. Write it there, or leave service out.`,
  );
}
