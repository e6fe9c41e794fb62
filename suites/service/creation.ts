import type { OperationRole } from '../../spec/names.ts';
import type { Json } from '../../generators/json/json.ts';
import { valueAt, fromPointer, withPointer } from '../../generators/json/jsonPointer.ts';
import { describeAnswer } from '../answer.ts';
import { Unobservable, Unproven, unlessUnobservable } from '../check.ts';
import type { Call } from '../exchange.ts';
import type { CallOptions, Registration, ServiceKit, Webhook } from '../serviceKit.ts';
import type { Listing } from './listing.ts';
import { memberPlace, type ServiceTerms, type WebhookMember } from '../../spec/serviceTerms.ts';

/** A creation that was sent, and the webhook that came back. */
export interface Created {
  readonly call: Call;
  /** Nothing where the answer shows none. */
  readonly resource: Json | undefined;
  /** Nothing where the answer shows none with an id. */
  readonly webhook: Webhook | undefined;
}

/**
 * Sends a creation, and has what comes of it removed in the end.
 *
 * @param how - how the call differs from the plain one
 */
export async function create(kit: ServiceKit, body: Json | Buffer, how: CallOptions = {}): Promise<Created> {
  const call = await kit.call('create', { ...how, body });
  if (!kit.succeeded(call)) return { call, resource: undefined, webhook: undefined };
  return { call, resource: resourceOf(kit, call), webhook: kit.adopt(call) };
}

/** As {@link create}, but that no answer came is a result like any other. */
export async function sentSafely(kit: ServiceKit, body: Json | Buffer, how: CallOptions = {}): Promise<Call> {
  const call = await kit.attempt('create', { ...how, body });
  if (kit.succeeded(call)) kit.adopt(call);
  return call;
}

/**
 * Sends a creation that every right service accepts.
 *
 * @throws Unproven where it does not: then the case would show nothing
 */
export async function accepted(kit: ServiceKit, body: Json, how: CallOptions = {}): Promise<Created> {
  const made = await create(kit, body, how);
  if (!kit.succeeded(made.call)) throw notAccepted(made.call);
  return made;
}

/** Why a case shows nothing: its twin was not accepted. */
export function notAccepted({ answer, request }: Call): Unproven {
  return new Unproven(
    `the valid call that a case is compared with (${request.method} ${request.path}) was not accepted: ${describeAnswer(answer)}`,
  );
}

/** The resource in the answer to a creation; nothing where there is none. */
function resourceOf(kit: ServiceKit, call: Call): Json | undefined {
  const json = kit.json(call);
  return json === undefined ? undefined : valueAt(json, kit.terms.webhook.answer);
}

/** The body of a creation of an inactive webhook at this url. */
export function inactive(kit: ServiceKit, url: string): Json {
  return kit.creation(kit.plainAttributes(url, { active: false }));
}

/** The same creation for an endpoint of its own: a service may make one webhook for a url, and no other. */
export function atAnotherUrl(kit: ServiceKit, body: Json): Json {
  const { wrapper, members } = kit.terms.webhook;
  return withPointer(body, wrapper + members.url, kit.endpoint().url);
}

/**
 * Sends a creation that was refused once more, and one that was accepted after it: a service that has no room for another
 * webhook refuses both or neither, whatever they differ in.
 *
 * @throws Unproven where they are not answered as before
 */
export async function expectRefusedAgain(kit: ServiceKit, refused: Json, twin: Json): Promise<void> {
  const { call } = await create(kit, atAnotherUrl(kit, refused));
  if (kit.succeeded(call)) throw new Unproven('the creation was refused, and the same was accepted a moment later');
  await accepted(kit, atAnotherUrl(kit, twin));
}

/** How often a list is read before something counts as missing there: others come and go while it is read. */
const readings = 4;

/**
 * The webhooks that are listed with this url. Where none is, the list is read again.
 *
 * @returns nothing where the list cannot be observed
 */
export async function listedAt(kit: ServiceKit, url: string): Promise<readonly Json[] | undefined> {
  const listing = await kit.list('list').catch(unlessUnobservable);
  return listing?.items.filter((item) => sameUrl(kit.member(item, 'url'), url));
}

/** The webhook as it is listed; nothing where it is not, although the list was read several times. */
export async function listed(kit: ServiceKit, webhook: Webhook): Promise<Json | undefined> {
  for (let reading = 0; reading < readings; reading += 1) {
    const found = await kit.current(webhook);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** What an attribute of a webhook is called in creations and updates. */
export function attributeNamed(terms: ServiceTerms, member: WebhookMember): string {
  return fromPointer(memberPlace(terms, member)).at(-1) ?? '';
}

/** A list that has more than the kit comes to shows nothing by what is missing in it (GAP-8). */
export function notRead(
  { contract }: Pick<ServiceKit, 'contract'>,
  list: OperationRole,
  { cutAfter }: Pick<Listing, 'cutAfter'>,
): Unobservable {
  const { operationId } = contract.operation(list);
  return new Unobservable(
    cutAfter === undefined
      ? `${operationId} was not read to its end: --assume list.paging=<page>,<size> or list.next=<pointer> says how its pages are asked for`
      : `${operationId} was not read to its end: it goes on after ${cutAfter}, of which you can allow more`,
  );
}

/** Whether two texts are the same URL, however it is written: case of the host, default port, percent-escapes. */
export function sameUrl(one: unknown, other: string): boolean {
  if (one === other) return true;
  return typeof one === 'string' && URL.canParse(one) && URL.canParse(other) && normal(one) === normal(other);
}

function normal(text: string): string {
  return new URL(text).href.replaceAll(/%[0-9a-f]{2}/gi, unescaped);
}

/** What may stand without its escape means the same with it (RFC 3986, 6.2.2.2); other escapes differ in case only. */
function unescaped(escape: string): string {
  const character = String.fromCharCode(Number.parseInt(escape.slice(1), 16));
  return /[A-Za-z0-9\-._~]/.test(character) ? character : escape.toUpperCase();
}

/** Another webhook with the url of this one. @throws Unobservable where the service does not make it */
export async function registeredAt(
  kit: ServiceKit,
  { id, endpoint }: Webhook,
  registration: Pick<Registration, 'events' | 'headers'>,
): Promise<Webhook> {
  const call = await kit.call('create', { body: kit.creation(kit.plainAttributes(endpoint.url, registration)) });
  const webhook = kit.adopt(call, endpoint);
  if (webhook !== undefined && webhook.id !== id) return webhook;
  throw new Unobservable(onePerUrl);
}

/** Why nothing is seen of two webhooks with one url: the same id says that it is the same webhook. */
export const onePerUrl = 'the service makes only one webhook for a url';
