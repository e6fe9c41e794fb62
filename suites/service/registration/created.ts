import { isJsonObject, type Json } from '../../../generators/json/json.ts';
import { describeAnswer, hasStatusClass } from '../../answer.ts';
import { type ServiceFinding, Unobservable } from '../../check.ts';
import type { Call } from '../../exchange.ts';
import type { ServiceKit } from '../../serviceKit.ts';
import { finding } from '../../finding.ts';
import { accepted, atAnotherUrl, create, notAccepted, type Created, expectRefusedAgain } from '../creation.ts';
import { registration } from './registrationCheck.ts';
import { isShownAs } from '../updates/updated.ts';
import { withPlace, withPointer, valueAt, withoutPointer } from '../../../generators/json/jsonPointer.ts';
import { type WebhookMember, memberPlace, stateOf } from '../../../spec/serviceTerms.ts';
import { counted } from '../../items.ts';

/** Section 4.1: the answer to a creation is 201 with the webhook below its wrapper. */
export const created = registration({
  id: 'service/registration/created',
  title: 'answers a creation with the declared status and the webhook, whichever media type it has',
  requirements: ['CRW-1', 'SVC-4'],
  everyMediaType: true,
  run: async (kit, body, mediaType) => {
    const whole = mediaType === undefined ? body : withAll(kit, body);
    const { call, resource } = await createdAs(kit, whole, mediaType);
    const statuses = successes(kit);
    if (call.answer.kind === 'answered' && !statuses.includes(String(call.answer.status))) {
      return finding('CRW-1', {
        expected: `status ${statuses.join()}`,
        actual: describeAnswer(call.answer),
        exchanges: [call],
        // An error may pass.
        ...(isFailure(call) && { absence: true, hint: failed }),
      });
    }
    if (isJsonObject(resource))
      return mediaType === undefined ? undefined : unlikeUsual(kit, whole, { call, resource });
    const expected = `a JSON object that holds the webhook at ${kit.terms.webhook.answer}`;
    return finding('CRW-1', { expected, actual: 'it holds no object there', exchanges: [call] });
  },
  hint: 'Answer with the status and the wrapper of the contract: the whole resource as it was stored, secret included.',
});

/** A server that is not ready may say so; any other error of its own is no refusal. */
function isFailure({ answer }: Call): boolean {
  return answer.kind === 'answered' && hasStatusClass(answer, 5) && answer.status !== 503;
}

const failed =
  'It is an error of the service itself: its log should say which. Where other creations are accepted before it, look for ' +
  'what fills up or is used up: a disk, a table, a pool of connections that are not given back.';

/** @throws Unobservable where it is refused for its media type: see `service/media-types/plain-json` */
async function createdAs(
  kit: ServiceKit,
  body: Json,
  mediaType: string | undefined,
): Promise<Pick<Created, 'call' | 'resource'>> {
  const made = await create(kit, body, mediaType === undefined ? {} : { mediaType });
  if (kit.succeeded(made.call) || isFailure(made.call)) return made;
  if (mediaType === undefined) throw notAccepted(made.call);
  throw new Unobservable(`a creation as ${mediaType} is not taken: ${describeAnswer(made.call.answer)}`);
}

/** The media type of a creation does not decide what its answer shows. */
async function unlikeUsual(
  kit: ServiceKit,
  body: Json,
  { call, resource }: Pick<Created, 'call' | 'resource'>,
): Promise<ServiceFinding | undefined> {
  const twin = await accepted(kit, atAnotherUrl(kit, body));
  const names = Object.keys(kit.terms.webhook.members) as WebhookMember[];
  const shows = (shown: Json | undefined, name: WebhookMember) => kit.member(shown ?? null, name) !== undefined;
  const missing = names.find((name) => shows(twin.resource, name) && !shows(resource, name));
  const point = { exchanges: [call], twin: twin.call, difference: 'the media type' };
  const expected = 'the whole webhook, as after a creation of the usual media type';
  if (missing) return finding('CRW-1', { expected, actual: `it has no ${missing}`, ...point });
  const other = (['active', 'events', 'headers'] as const).find(
    (name) =>
      shows(resource, name) && !isShownAs(name, memberOf(kit, resource, name), memberOf(kit, twin.resource, name)),
  );
  if (other === undefined) return undefined;
  const seen = JSON.stringify(memberOf(kit, resource, other)).slice(0, 80);
  return finding('SVC-4', { expected, actual: `its ${other} is ${seen}`, ...point });
}

function memberOf(kit: ServiceKit, resource: Json | undefined, name: WebhookMember): Json {
  return (kit.member(resource ?? null, name) ?? null) as Json;
}

/** The same creation with all that may be left out. */
function withAll({ contract, terms }: ServiceKit, body: Json): Json {
  const { wrapper, members } = terms.webhook;
  const events = contract.events.slice(-2).map(({ name }) => name);
  const named = withPlace(body, wrapper + members.events, events);
  return members.headers === undefined
    ? named
    : withPointer(named, wrapper + members.headers, [{ name: 'X-Team', value: 'sea' }]);
}

/** The statuses that the contract declares for an accepted creation. */
function successes(kit: ServiceKit): readonly string[] {
  const operation = kit.contract.operation('create');
  return Object.keys(operation.responses).filter((status) => /^2\d\d$/.test(status));
}

/** Section 2.1: custom headers may be missing. */
export const noHeaders = registration({
  id: 'service/registration/headers',
  title: 'creates a webhook without custom headers, and makes none up',
  requirements: ['WHK-13', 'ROB-2'],
  about: ['webhook:headers'],
  weight: 0.4,
  run: async (kit, body) => {
    const pointer = kit.terms.webhook.wrapper + memberPlace(kit.terms, 'headers');
    const bare = valueAt(body, pointer) === undefined ? body : withoutPointer(body, pointer);
    const { call, resource } = await create(kit, bare);
    if (kit.succeeded(call))
      return (
        expectNoHeaders(kit, call, resource ?? null) ?? expectNoFailure(kit, call, withPointer(bare, pointer, null))
      );
    const header = { name: 'X-Team', value: 'sea' };
    const other = withPointer(bare, pointer, [header]);
    const twin = await accepted(kit, atAnotherUrl(kit, other));
    await expectRefusedAgain(kit, bare, other);
    return finding('WHK-13', {
      expected: 'a webhook without custom headers is created',
      actual: describeAnswer(call.answer),
      exchanges: [call],
      twin: twin.call,
      difference: 'custom headers left out',
      absence: true,
    });
  },
  hint: 'Custom headers are optional: take a creation without them, and answer with null, an empty list or nothing.',
});

function expectNoHeaders(kit: ServiceKit, call: Call, resource: Json): ServiceFinding | undefined {
  const headers = kit.member(resource, 'headers') ?? null;
  if (headers === null || (Array.isArray(headers) && headers.length === 0)) return undefined;
  const expected = 'null, an empty list or nothing in the place of custom headers that were not given';
  return finding('WHK-13', { expected, actual: `there is ${JSON.stringify(headers)}`, exchanges: [call] });
}

/** Whether null is taken in the place of custom headers is open. That the service fails on it is not. */
async function expectNoFailure(kit: ServiceKit, twin: Call, body: Json): Promise<ServiceFinding | undefined> {
  const { call } = await create(kit, atAnotherUrl(kit, body));
  if (!hasStatusClass(call.answer, 5)) return undefined;
  return finding('ROB-2', {
    expected: 'the call is taken, or refused with a 4xx',
    actual: describeAnswer(call.answer),
    exchanges: [call],
    twin,
    difference: 'null in the place of custom headers',
    absence: true,
  });
}

/** Whether these are names of events, none twice. */
export function isSubset(seen: unknown, names: readonly string[]): seen is readonly string[] {
  if (!Array.isArray(seen) || seen.length === 0 || new Set(seen).size < seen.length) return false;
  return seen.every((name) => typeof name === 'string' && names.includes(name));
}

export function isSameSet(seen: unknown, names: readonly string[]): boolean {
  return isSubset(seen, names) && seen.length === names.length;
}

/** What a list of events has too much or too little, in words. */
export function differences(seen: unknown, names: readonly string[]): string {
  if (!Array.isArray(seen)) return seen === undefined ? 'it names none' : `it holds ${JSON.stringify(seen)}`;
  const missing = names.filter((name) => !seen.includes(name));
  const strange = (seen as readonly Json[]).filter((name) => typeof name !== 'string' || !names.includes(name));
  const twice = seen.length - new Set(seen).size;
  const parts = [
    ...(missing.length > 0 ? [`${missing.length} missing (${few(missing)})`] : []),
    ...(strange.length > 0 ? [`${counted(strange.length, 'other')} (${few(strange)})`] : []),
    ...(twice > 0 ? [`${twice} repeated`] : []),
  ];
  return `it names ${counted(seen.length, 'event')}: ${parts.join(', ')}`;
}

function few(names: readonly Json[]): string {
  const shown = names.slice(0, 3).map((name) => JSON.stringify(name));
  return `${shown.join(', ')}${names.length > shown.length ? ', …' : ''}`;
}

/** A valid creation was refused: because it is inactive, where one that differs in this alone is accepted. */
export async function refusedInactive(
  kit: ServiceKit,
  { call }: Created,
  { body, place }: { readonly body: Json; readonly place: string },
): Promise<ServiceFinding> {
  const other = withPointer(body, place, stateOf(kit.terms, true));
  const twin = await accepted(kit, atAnotherUrl(kit, other));
  await expectRefusedAgain(kit, body, other);
  const difference = `active is ${JSON.stringify(stateOf(kit.terms, false))}`;
  const point = { exchanges: [call], twin: twin.call, difference, absence: true };
  return finding('WHK-5', {
    expected: 'an inactive webhook is created',
    actual: describeAnswer(call.answer),
    ...point,
  });
}
