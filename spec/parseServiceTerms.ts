import { ContractError } from './contractError.ts';
import type { Operation } from './operations.ts';
import { operationRoles, type OperationRole } from './names.ts';
import { locationOf } from './location.ts';
import { isSameName } from './headerText.ts';
import { didYouMean, nearest } from './nearest.ts';
import {
  memberNames,
  neededMembers,
  recordNames,
  settable,
  type ServiceTerms,
  statusNames,
  type TrackingTerms,
  trackingNames,
  type VerificationTerms,
  type WebhookMembers,
  type WebhookStates,
  within,
} from './serviceTerms.ts';
import { mapping, type Mapping } from './jsonSchema.ts';

type NamedOperation = Pick<Operation, 'operationId' | 'path' | 'parameters'>;

/** The parts that are about one webhook. */
const ofOne: ReadonlySet<OperationRole> = new Set(['read', 'update', 'delete']);

/**
 * Reads the `service` of a `contract.yaml`.
 *
 * @param events - the catalogue
 * @param known - the operations of the document
 * @returns nothing where the contract has none: it describes deliveries only
 * @throws ContractError (`contract/service`) where it is incomplete
 */
export function parseServiceTerms(
  terms: Mapping | undefined,
  events: readonly string[],
  known: readonly NamedOperation[],
): ServiceTerms | undefined {
  if (terms === undefined) return undefined;
  const reader = new Reader(terms, events, known);
  const operations = reader.operations();
  const { type, form } = reader.texts(['webhook'], ['type', 'form']);
  const { wrapper = '', answer = wrapper } = reader.pointers(['webhook'], ['wrapper', 'answer'], []);
  const members = reader.pointers(['webhook', 'members'], memberNames, neededMembers);
  requireOwnNames(members);
  const states = reader.states(members.active);
  const notification = reader.notification(operations['notifications'] !== undefined);
  const sample = reader.sample(operations['sample'] !== undefined);
  const list = reader.texts(['list'], ['items', 'next', 'cursor', 'page', 'size']);
  const verification = reader.verification();
  const tracking = reader.tracking();
  const authorization = { header: reader.text('authorization', 'header'), scheme: reader.scheme() };
  reader.requireParameters(Object.values(operations), [authorization.header, ...Object.values(list)]);
  return {
    authorization,
    operations,
    webhook: {
      ...(type !== undefined && { type }),
      wrapper,
      answer,
      ...(form !== undefined && { form }),
      members,
      ...(states && { states }),
    },
    ...(notification && { notification }),
    ...(sample && { sample }),
    ...(Object.keys(list).length > 0 && { list }),
    ...(verification && { verification }),
    ...(tracking && { tracking }),
  };
}

class Reader {
  readonly #terms: Mapping;
  readonly #events: readonly string[];
  readonly #known: readonly NamedOperation[];

  constructor(terms: Mapping, events: readonly string[], known: readonly NamedOperation[]) {
    this.#terms = terms;
    this.#events = events;
    this.#known = known;
  }

  text(...path: readonly string[]): string {
    const value = this.#at(path);
    if (typeof value === 'string' && value !== '') return value;
    throw invalid(path, value, 'a text');
  }

  pointer(...path: readonly string[]): string {
    const value = this.text(...path);
    if (/^(\/([^~/]|~[01])+)+$/.test(value)) return value;
    throw invalid(path, value, 'a JSON Pointer such as /attributes/url');
  }

  /** The texts that are there. */
  texts<Name extends string>(path: readonly string[], names: readonly Name[]): Partial<Record<Name, string>> {
    const there = names.filter((name) => this.#at([...path, name]) !== undefined);
    return entries(there, (name) => this.text(...path, name));
  }

  /** The pointers that are there, those that are needed among them. */
  pointers<Name extends string, Needed extends Name>(
    path: readonly string[],
    names: readonly Name[],
    needed: readonly Needed[],
  ): Record<Needed, string> & Partial<Record<Name, string>> {
    const isThere = (name: Name) => this.#at([...path, name]) !== undefined || needed.some((each) => each === name);
    return entries(names.filter(isThere), (name) => this.pointer(...path, name)) as Record<Name, string>;
  }

  /** @param place - where they stand */
  states(place: string | undefined): WebhookStates | undefined {
    const path = ['webhook', 'states'];
    if (this.#at(path) === undefined) return undefined;
    if (place === undefined) throw invalid(['webhook', 'members', 'active'], place, 'the place of these states');
    const [active, inactive] = (['active', 'inactive'] as const).map((name) => {
      const value = this.#at([...path, name]);
      return typeof value === 'boolean' ? value : this.text(...path, name);
    });
    if (active === inactive) throw invalid([...path, 'inactive'], inactive, 'another one than that of active');
    return { active: active!, inactive: inactive! };
  }

  operations(): ServiceTerms['operations'] {
    const there = operationRoles.filter((role) => role === 'create' || this.#at(['operations', role]) !== undefined);
    return entries(there, (role) => this.#operation(role)) as Record<OperationRole, string>;
  }

  #operation(role: OperationRole): string {
    const ids = this.#known.map(({ operationId }) => operationId);
    const id = this.#oneOf(ids, 'the operationId of an operation', 'operations', role);
    const { path = '' } = this.#known.find(({ operationId }) => operationId === id) ?? {};
    const [needed, count] = [ofOne.has(role) ? 1 : 0, path.match(/\{/g)?.length ?? 0];
    if (count === needed) return id;
    const valid = needed === 1 ? 'one parameter, the id of a webhook' : 'no parameter';
    const others = count > needed ? ', and /service/parameters can give the others a value' : '';
    throw invalid(
      ['operations', role],
      id,
      `an operation whose path has ${valid}; that of this one is ${path}${others}`,
    );
  }

  /**
   * Every call has a value for what its operation requires.
   *
   * @param known - names of parameters that have their values elsewhere
   */
  requireParameters(ids: readonly string[], known: readonly string[]): void {
    const names = [...new Set(this.#known.flatMap(({ parameters }) => parameters.map(({ name }) => name)))];
    for (const name of Object.keys(mapping(this.#terms['parameters']))) {
      if (names.some((each) => isSameName(each, name))) continue;
      const meant = didYouMean(nearest(name, names));
      const what = `the name of a parameter that an operation of the document declares${meant === undefined ? '' : ` (${meant})`}`;
      throw invalid(['parameters'], name, what);
    }
    const used = this.#known.filter(({ operationId }) => ids.includes(operationId));
    for (const { operationId, parameters } of used) {
      const open = parameters.filter((each) => each.in !== 'path' && each.isSent && each.value === undefined);
      const [first] = open.filter(({ name }) => !known.some((each) => isSameName(each, name)));
      if (first === undefined) continue;
      const where = first.in === 'query' ? 'a parameter of the query' : 'a header';
      throw invalid(['parameters', first.name], undefined, `a text: ${operationId} requires it, ${where}`);
    }
  }

  scheme(): string {
    return this.#at(['authorization', 'scheme']) === undefined ? '' : this.text('authorization', 'scheme');
  }

  notification(isNeeded: boolean): ServiceTerms['notification'] {
    if (this.#at(['notification']) === undefined && !isNeeded) return undefined;
    const { schema } = this.texts(['notification'], ['schema']);
    const statuses = entries(statusNames, (name) => this.text('notification', 'statuses', name));
    const path = ['notification', 'members'];
    const members = this.#at(path) === undefined ? undefined : this.pointers(path, recordNames, ['id', 'status']);
    return { statuses, ...(members && { members }), ...(schema !== undefined && { schema }) };
  }

  sample(isNeeded: boolean): ServiceTerms['sample'] {
    if (this.#at(['sample']) === undefined && !isNeeded) return undefined;
    return { members: this.pointers(['sample', 'members'], ['url', 'event', 'secret'], ['url', 'event']) };
  }

  verification(): VerificationTerms | undefined {
    if (this.#at(['verification']) === undefined) return undefined;
    const { value } = this.texts(['verification'], ['value']);
    const { echo } = this.pointers(['verification'], ['echo'], []);
    const at = locationOf(this.text('verification', 'at'));
    return { at, ...(value !== undefined && { value }), ...(echo !== undefined && { echo }) };
  }

  tracking(): TrackingTerms | undefined {
    if (this.#at(['tracking']) === undefined) return undefined;
    const event = (name: string) => this.#oneOf(this.#events, 'an event of the catalogue', 'tracking', name);
    return {
      type: this.text('tracking', 'type'),
      wrapper: this.pointer('tracking', 'wrapper'),
      found: event('found'),
      unknown: event('unknown'),
      members: this.pointers(['tracking', 'members'], trackingNames, trackingNames),
      requestType: this.text('tracking', 'requestType'),
      written: this.text('tracking', 'written'),
    };
  }

  #oneOf(known: readonly string[], what: string, ...path: readonly string[]): string {
    const name = this.text(...path);
    if (known.includes(name)) return name;
    const meant = didYouMean(nearest(name, known));
    throw invalid(path, name, meant === undefined ? what : `${what} (${meant})`);
  }

  #at(path: readonly string[]): unknown {
    return path.reduce<unknown>(within, this.#terms);
  }
}

/** Calls name what a client sets by the last part of its place. */
function requireOwnNames(members: WebhookMembers): void {
  const there = settable.filter((name) => members[name] !== undefined);
  const last = (name: (typeof there)[number]) => members[name]?.split('/').at(-1);
  const same = there.find((name, index) => there.findIndex((other) => last(other) === last(name)) < index);
  if (same === undefined) return;
  const others = there.filter((name) => name !== same).join(', ');
  throw invalid(['webhook', 'members', same], members[same], `a place whose last part is not that of ${others}`);
}

function entries<Name extends string>(names: readonly Name[], read: (name: Name) => string): Record<Name, string> {
  return Object.fromEntries(names.map((name) => [name, read(name)])) as Record<Name, string>;
}

function invalid(path: readonly string[], received: unknown, valid: string): ContractError {
  return new ContractError(
    'contract/service',
    `/service/${path.join('/')} is ${JSON.stringify(received) ?? 'missing'}; valid is ${valid}. Write it there, or leave service out.`,
  );
}
