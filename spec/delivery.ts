import type { ContractForm } from './contractForm.ts';
import { inHeader, type Location, locationOf } from './location.ts';
import { ContractError } from './contractError.ts';
import { parseDuration } from './units.ts';
import { parseSignature } from './parseSignature.ts';
import type { SignatureScheme } from './signatureScheme.ts';
import { isSameName } from './headerText.ts';
import { defined } from './defined.ts';

/** What a contract may place in the body of a notification: JSON Pointers (RFC 6901), where it does. */
export interface NotificationMembers {
  /** What distinguishes a redelivery from another notification. */
  readonly id?: string;
  /** The kind of document; the same in every notification. */
  readonly type?: string;
  readonly event?: string;
  /** The object that it is about, where two of one event about one object may be taken for the same. */
  readonly object?: string;
  readonly status?: string;
  readonly createdAt?: string;
  /** The related resources that come along. */
  readonly included?: string;
}

/** How a point in time is written. */
export type TimeForm = 'rfc3339' | 'unix' | 'unixMilliseconds';

/** How a notification travels. */
export interface DeliveryTerms {
  readonly method: string;
  readonly mediaType: string;
  /** What every delivery carries beside its media type, id, event and signature; `{id}` stands for its id. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** What a delivery carries beside that where it comes again. */
  readonly redeliveryHeaders: readonly (readonly [name: string, value: string])[];
  /** The statuses that end a delivery. */
  readonly acceptedStatuses: readonly [number, ...number[]];
  /** How often a delivery is tried again at most, after the first attempt; 0 where the contract does not say. */
  readonly retries: number;
  /** How often one notification may be delivered again in a test, no matter who asks for it: at least twice. */
  readonly redeliveries: number;
  /** Milliseconds that the service waits for an answer; nothing where the contract does not say. */
  readonly timeout: number | undefined;
  readonly members: NotificationMembers;
  /** Where a delivery carries its id; nothing where deliveries have none. */
  readonly id: { readonly at: Location; /** `uuid`, or a regular expression. */ readonly form: string } | undefined;
  readonly event: Location;
  readonly createdAtForm: TimeForm;
  /** How deliveries are signed; nothing where they are not. */
  readonly signature: SignatureScheme | undefined;
}

/** The part of the terms that stands in `contract.yaml`; the statuses may stand with the webhooks. */
export type DeclaredTerms = Omit<DeliveryTerms, 'acceptedStatuses'> & {
  readonly acceptedStatuses: readonly number[] | undefined;
};

/** The terms that a contract declares. Defaults: POST, application/json, no retries. */
export function deliveryTerms(form: ContractForm): DeclaredTerms {
  const { method = 'POST', mediaType = 'application/json', retries = 0, timeout, accepts, createdAt } = form;
  requireDistinctHeaders(form);
  const event = locationOf(form.event.at);
  const id = form.id && { at: locationOf(form.id.at), form: form.id.form ?? 'uuid' };
  return {
    method,
    mediaType,
    headers: Object.entries(form.headers ?? {}),
    redeliveryHeaders: Object.entries(form.redeliveryHeaders ?? {}),
    retries,
    redeliveries: Math.max(retries, 2),
    timeout: timeout === undefined ? undefined : parseDuration(timeout),
    acceptedStatuses: accepts?.flatMap(statuses),
    members: defined({
      id: inBody(id?.at),
      type: inBody(form.type && locationOf(form.type.at)),
      event: inBody(event),
      object: inBody(form.object && locationOf(form.object.at)),
      status: inBody(form.status && locationOf(form.status.at)),
      createdAt: inBody(createdAt && locationOf(createdAt.at)),
      included: inBody(form.related && locationOf(form.related.at)),
    }),
    id,
    event,
    createdAtForm: createdAt?.form ?? 'rfc3339',
    signature: form.signature && parseSignature(form.signature),
  };
}

/** Headers that say how a request is sent, and are not the contract's to say. */
const ofTransport = ['content-length', 'host', 'transfer-encoding', 'connection'];

/** A header that is said twice would be sent twice. Where a signature covers the id, both name its header. */
function requireDistinctHeaders(form: ContractForm): void {
  const { headers = {}, redeliveryHeaders = {}, event, id, signature } = form;
  const named = (place: string, at?: string) =>
    at?.startsWith(inHeader) ? [{ place, name: at.slice(inHeader.length) }] : [];
  const signed = Object.entries(signature?.headers ?? {}).filter(([, template]) => template !== '{id}');
  const all = [
    ...['Content-Type', ...ofTransport].map((name) => ({ place: 'every request', name })),
    ...named('/event', event.at),
    ...named('/id', id?.at),
    ...signed.map(([name]) => ({ place: '/signature/headers', name })),
    ...Object.keys(headers).map((name) => ({ place: '/headers', name })),
    ...Object.keys(redeliveryHeaders).map((name) => ({ place: '/redeliveryHeaders', name })),
  ];
  const taken = all.find(({ name }, at) => all.findIndex((each) => isSameName(each.name, name)) < at);
  const first = all.find(({ name }) => taken !== undefined && isSameName(name, taken.name));
  if (taken === undefined || first === undefined) return;
  const valid = isSameName(taken.name, 'Content-Type')
    ? 'a header that is not said by mediaType'
    : 'a header of its own for each';
  throw new ContractError(
    'contract/form',
    `${taken.place} names the header ${taken.name}, which ${first.place} has already; valid is ${valid}. Correct one of the names, or remove it.`,
  );
}

/**
 * Where a member stands in the body.
 *
 * @throws ContractError (`contract/unknown-name`) where this contract places no such member in the body. Who asks for one
 * is about contracts that do: a check says so in its `about`
 */
export function placeOf(
  { delivery }: { readonly delivery: Pick<DeliveryTerms, 'members'> },
  member: keyof NotificationMembers,
): string {
  const pointer = delivery.members[member];
  if (pointer !== undefined) return pointer;
  throw new ContractError(
    'contract/unknown-name',
    `The contract places no ${member} in the body of a delivery. Look whether it does before you ask for it.`,
  );
}

/** An id as a text, whether it stands there as one or as a whole number; nothing where the value is no id. */
export function idText(value: unknown): string | undefined {
  return Number.isSafeInteger(value) ? String(value) : typeof value === 'string' ? value : undefined;
}

/** Whether a value is an id of this form: `uuid`, `integer`, or a regular expression for the whole of it. */
export function hasForm(value: unknown, form: string): boolean {
  const text = idText(value);
  return text !== undefined && patternOf(form).test(text);
}

/** A form of ids, in words. */
export function formText(form: string): string {
  if (form === 'uuid') return 'a uuid';
  return form === 'integer' ? 'a whole number' : `an id of the form ${form}`;
}

function patternOf(form: string): RegExp {
  if (form === 'uuid') return uuid;
  return form === 'integer' ? /^(0|[1-9][0-9]*)$/ : new RegExp(`^(?:${form})$`, 'u');
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The statuses that `200` or `2XX` stands for. */
function statuses(accepted: number | string): readonly number[] {
  if (typeof accepted === 'number') return [accepted];
  return Array.from({ length: 100 }, (_, index) => Number(accepted[0]) * 100 + index);
}

function inBody(location: Location | undefined): string | undefined {
  return location?.in === 'body' ? location.pointer : undefined;
}
